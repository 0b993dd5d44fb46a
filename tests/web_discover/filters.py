"""What a caller may ask for beside words, by the feature that it is."""

SITES = ["a.example", "b.example"]
MANY = [f"site-{number}.example.org" for number in range(50)]
DATES = ({"published_after": "2026-02-03"}, {"published_before": "2026-03-04"})
VALUES = {
    "answer": [{"answer": True}],
    "include_domains": [{"include_domains": SITES[:1]}, {"include_domains": SITES}, {"include_domains": MANY}],
    "exclude_domains": [{"exclude_domains": SITES[:1]}, {"exclude_domains": SITES}, {"exclude_domains": MANY}],
    "freshness": [{"freshness": unit} for unit in ("day", "week", "month", "year")],
    "date_range": [*DATES, DATES[0] | DATES[1], DATES[0] | {"freshness": "year"}],
    "region": [{"region": country} for country in ("gb", "US", "fi", "cn", "VN", "KR", "aq")],
    "language": [
        {"language": tag} for tag in ("en", "en-GB", "pt-BR", "zh", "zh-Hant-TW", "es-419", "nb", "de-1996", "yue")
    ],
    "safe_search": [{"safe_search": level} for level in ("off", "moderate", "strict")],
}
