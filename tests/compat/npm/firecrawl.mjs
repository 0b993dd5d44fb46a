// What a program in JavaScript does with Firecrawl's client; prints what came back as one JSON object.
import Firecrawl, { SdkError } from "@mendable/firecrawl-js";

const [apiUrl, apiKey, site, run] = process.argv.slice(2);
const client = new Firecrawl({ apiUrl, apiKey });
const urls = Array.from({ length: 12 }, (_, number) => `${site}/page/${number}?${run}`);
urls.splice(5, 0, `${site}/missing?${run}`);

const refusal = async (call) => {
  try {
    await call();
  } catch (error) {
    return { isSdkError: error instanceof SdkError, status: error.status, code: error.code, message: error.message };
  }
  return null;
};

const page = await client.scrape(`${site}/article`, { formats: ["markdown", "html", "links"] });
const started = await client.startBatchScrape(urls, { idempotencyKey: run });
const again = await client.startBatchScrape(urls, { idempotencyKey: run });
const batch = await client.batchScrape(urls, { options: { formats: ["markdown"] }, pollInterval: 1, timeout: 60 });
let first = await client.getBatchScrapeStatus(started.id);
while (first.status === "scraping") first = await client.getBatchScrapeStatus(started.id);
const { errors } = await client.getBatchScrapeErrors(started.id);
const search = await client.search("heat pump", { limit: 2 });
const refused = await refusal(() => client.scrape(site, { formats: ["summary"] }));
const missing = await refusal(() => client.crawl(site, { limit: 1 }));

console.log(JSON.stringify({ page, started, again, batch, errors, web: search.web, refused, missing }));
