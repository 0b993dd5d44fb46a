"""What must be true of the stores at every moment, and of everything that was answered once all has ended."""

import re
from collections import defaultdict
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

from tests.fakes import CAPTCHA, CAPTCHAS_MOST, CRAWL, PAGE, VERBS
from verbena.billing import total
from verbena.jobs import INLINE
from verbena.ports import iso
from verbena.request import Caller

TOLD = re.compile(r'"made": (\d+), "captchas": (\d+)')


class Violation(AssertionError):
    """The call path broke one of its promises."""


def demand(promise, claim, *facts):
    if not promise:
        raise Violation(f"{claim}: {facts}")


class Watch:
    """Reads the stores from outside, with no fault in between."""

    def __init__(self, world):
        self._world = world
        self._ended = {}
        self._backend = replace(world.backend, io=_at_once, new_id=lambda: "watch")
        self._calls = world.calls_over(self._backend)
        world.path.ledger.LedgerMemory(world.memory).top_up("owner", self._quote() * world.scenario.funds // 100)
        self._funds = self._wallet().available

    def _quote(self):
        dry = self._world.body(self._world.scenario.callers[0]) | {"dry_run": True}
        return self._called(dry).meta.quote.max_charge_micros

    def _called(self, body):
        caller = Caller("owner", "key", "correlation", "http://verbena.test")
        return self._run(self._calls.run(VERBS[self._world.scenario.verb], body, caller))

    def _run(self, coroutine):
        task = self._world.loop.create_task(coroutine)
        self._world.loop.run_ready()
        return task.result()

    def _of_kind(self, kind):
        return {key[1:]: item for key, item in self._world.memory.items.items() if key[0] == kind}

    def _wallet(self):
        return self._backend.ledger.wallet("owner")

    def job_ids(self):
        return [key[0] for key in self._of_kind("job")]

    def all_ended(self):
        are_over = all(job.status == "completed" for job in self._of_kind("job").values())
        return are_over and not any(hold.open for hold in self._of_kind("hold").values())

    # ---- at every moment

    def look(self):
        """After every change: no wallet below zero, no part too many, nothing billed to what has ended."""
        wallet = self._wallet()
        demand(wallet.available >= 0, "the balance is negative", wallet)
        demand(wallet.held >= 0, "more was released than was held", wallet)
        for (job_id,), progress in self._of_kind("progress").items():
            demand(progress.open_parts >= 0, "more parts ended than were open", job_id, progress)
        facts = defaultdict(int)
        for call_id, _ in self._of_kind("part"):
            facts[call_id] += 1
        for call_id in self._over():
            known = self._ended.setdefault(call_id, facts[call_id])
            demand(known == facts[call_id], "a call was billed after its end", call_id)

    def _over(self):
        jobs = [key[0] for key, job in self._of_kind("job").items() if job.status != "running"]
        return jobs + [key[0] for key, hold in self._of_kind("hold").items() if not hold.open]

    # ---- once all has ended

    def check_end(self):
        """Every promise that can be read off the stores and the answers."""
        self._check_money()
        rows = {job_id: self._check_job(job_id) for job_id in self.job_ids()}
        for job_id in rows:
            self._check_resumed(self._backend.jobs.job(job_id), rows)
        for job_id, cursor, answered in self._world.pages:
            shown = answered.results
            demand(shown == rows[job_id][cursor : cursor + len(shown)], "a row changed after it was shown", job_id)
        for asked, call_id, answered, is_hit in self._world.answers:
            if answered is not None:
                self._check_answer(asked, call_id, answered, is_hit=is_hit)
        for key in {asked.key for asked in self._world.scenario.callers if asked.key}:
            self._check_key(key)

    def _check_money(self):
        facts = self._of_kind("part")
        wallet = self._wallet()
        moved = sum(fact.charge for fact in facts.values())
        demand(wallet.held == 0, "money stays held", wallet)
        demand(self._funds - wallet.available == moved, "facts and wallet differ", self._funds, wallet, moved)
        for (call_id,), hold in self._of_kind("hold").items():
            charge = sum(fact.charge for (of, _), fact in facts.items() if of == call_id)
            demand(charge <= hold.amount, "more was charged than held", call_id, charge, hold.amount)

    def _check_job(self, job_id):
        """The rows of a job, after all that is true of it."""
        job, progress = self._backend.jobs.job(job_id), self._backend.jobs.progress(job_id)
        facts = self._backend.ledger.markers(job_id)
        demand(job.usage["charge_micros"] == sum(fact.charge for fact in facts), "facts and usage differ", job)
        demand(job.usage["charge_micros"] == progress.charge, "progress and usage differ", job, progress)
        demand(job.usage["units"] == total(fact.units for fact in facts), "units and facts differ", job)
        demand(job.due_at is None and job.expires_at is not None, "a completed job is still looked after", job)
        is_late = job.reason == "deadline" or job.completed_at >= iso(job.deadline)
        demand(not is_late or self._world.scenario.meets_deadline, "a job hung until its deadline", job)
        demand(job.reason != "finish" or progress.open_parts == 0, "a job finished with parts open", job, progress)
        rows = self._all_rows(job)
        view = self._run(self._calls.reading.view(job, ""))
        demand(view.progress.done == view.progress.total == len(rows), "done is not total", view.progress, len(rows))
        is_whole = job.reason == "finish" and job.error is None
        if job.verb == "test.list":
            demand(not is_whole or progress.done == job.positions, "it finished with items left", job, progress)
            self._check_rows(rows, self._asked_items(job), is_whole=is_whole)
        self._check_worth(job.verb, rows, job.usage["units"], self._source(job).arguments)
        return rows

    def _source(self, job):
        return self._run(self._calls.parts.source(job.job_id))

    def _all_rows(self, job):
        rows, after = [], 0
        while after is not None:
            answer = self._run(self._calls.reading.page(job, after, 7, "http://verbena.test"))
            rows += answer.results
            demand(answer.results or not answer.next, "an empty page leads on", job)
            after = int(parse_qs(urlsplit(answer.next).query)["cursor"][0]) if answer.next else None
        return rows

    def _asked_items(self, job):
        asked = next((asked for asked, call_id, *_ in self._world.answers if call_id == job.job_id), None)
        return self._world.body(asked)["items"] if asked else list(self._source(job).items.echo)

    def _check_resumed(self, job, rows):
        """A resumed list is what failed of the first, each item once, in its order."""
        if job.resumed_from is not None and job.verb == "test.list":
            failed = [row for row in rows[job.resumed_from] if row["status"] == "failed"]
            again = dict.fromkeys(row["item"].partition("#")[0] for row in failed if not _is_invalid(row))
            demand(list(again) == list(self._source(job).items.unique), "other items were resumed", job, again)

    def _check_rows(self, rows, items, *, is_whole):
        demand([row["index"] for row in rows] == list(range(len(items))), "not one row each in order", rows)
        demand([row["item"] for row in rows] == items, "a row echoes another item", rows, items)
        alike = defaultdict(list)
        for row in rows:
            alike[row["item"].partition("#")[0]].append(
                (row["status"], (row.get("content") or "")[:40], row.get("error"))
            )
        for same in alike.values():
            demand(all(outcome == same[0] for outcome in same), "one item has two outcomes", same)
        codes = {row["error"]["code"] for row in rows if "error" in row}
        demand(not is_whole or "not_attempted" not in codes, "it finished with rows not attempted", rows)

    def _check_worth(self, verb, rows, units, arguments):
        """What was billed is what the rows say they cost, to the unit."""
        worth = {"test.list": self._worth_of_list, "test.pages": self._worth_of_pages}.get(verb)
        if worth:
            demand(worth(rows, arguments) == dict(units), "rows and bill differ", rows, units)

    def _worth_of_list(self, rows, _arguments):
        made = defaultdict(dict)
        for row in rows:
            if told := TOLD.search(row.get("content") or ""):
                made[int(told[1])][row["item"].partition("#")[0]] = (row["status"], int(told[2]))
        good = sum(status == "success" for outcomes in made.values() for status, _ in outcomes.values())
        captchas = sum(self._captchas(number, outcomes) for number, outcomes in made.items())
        return {unit: count for unit, count in ((CRAWL, good), (CAPTCHA, captchas)) if count}

    def _captchas(self, number, outcomes):
        own = sum(min(count, CAPTCHAS_MOST) for _, count in outcomes.values())
        return min(own + self._world.stage.shared[number], CAPTCHAS_MOST * len(outcomes))

    def _worth_of_pages(self, rows, arguments):
        numbers = [(row["page"], row["text"]) for row in rows]
        made = [int(text.partition(" ")[0]) for _, text in numbers]
        first = numbers[0][0] if numbers else 1
        whole = [(first + n // 2, f"{number} {n % 2}") for n, number in enumerate(made)]
        demand(numbers == whole, "pages are missing, twice or mixed", numbers)
        count = min(arguments["most"], sum(self._world.stage.shared[number] for number in set(made)))
        return {PAGE: count} if count else {}

    def _check_answer(self, asked, call_id, answered, *, is_hit):
        code = answered.error.code if answered.error else None
        if code == "insufficient_balance" and answered.job_id is None:
            demand(self._backend.ledger.hold(call_id) is None, "402 although its own hold was taken", call_id)
        if code == "unavailable":
            demand(is_hit, "nothing was busy", answered)
            demand(self._backend.jobs.job(call_id) is None, "503 although its job stands", call_id)
            facts = self._backend.ledger.markers(call_id)
            demand(not any(fact.units for fact in facts), "503 although it was billed", facts)
        if code is not None or answered.job_id is not None:
            return
        demand(answered.status == "completed", "pending without a job", answered)
        body = self._world.body(asked)
        if "items" in body and "thing" not in body:
            self._check_rows(answered.results, body["items"], is_whole=True)
        self._check_worth(self._world.scenario.verb, answered.results, answered.usage.units, body)
        if asked.key is None:
            fact = self._backend.ledger.marker(call_id, INLINE)
            demand(fact is not None, "rows were given away", call_id)
            demand(fact.charge == answered.usage.charge_micros, "answer and fact differ", fact, answered.usage)

    def _check_key(self, key):
        told = [(asked, call_id, answered) for asked, call_id, answered, _ in self._world.answers if asked.key == key]
        paid = {call_id for call_id, _ in self._of_kind("part")} & {call_id for _, call_id, _ in told}
        billed = {of for (of, _), fact in self._of_kind("part").items() if of in paid and fact.units}
        demand(len(billed) <= 1, "one key was billed for several calls", key, billed)
        standing = {_standing(answered) for _, _, answered in told if answered is not None} - {None}
        demand(len(standing) <= 1, "one key had several answers", key, standing)
        if standing:
            self._check_replay(next(asked for asked, _, answered in told if answered and _standing(answered)), standing)

    def _check_replay(self, asked, standing):
        before = self._wallet()
        again = self._called(self._world.body(asked))
        demand(_standing(again) in standing, "a repeat was answered otherwise", asked, again, standing)
        demand(self._wallet() == before, "a repeat was billed", asked)


def _is_invalid(row):
    return row["error"]["code"] == "invalid_url"


def _standing(answered):
    """What makes two answers of one key the same: the job, or for a call that ended in its request all of it."""
    if answered.job_id is not None:
        return answered.job_id
    return None if answered.error else repr(answered.wire())


async def _at_once(function, *arguments):
    return function(*arguments)
