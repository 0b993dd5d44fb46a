"""What the doors let CloudWatch count, and that the alarms rest on names that exist."""

import json
import uuid
from collections import Counter

import pytest

from local.package import read_template, resources
from local.stack import ROOT
from verbena import runtime
from verbena.aws import metrics
from verbena.closing import close
from verbena.envelope import Attempt


@pytest.fixture
def counted(capsys):
    """The sums of what was counted since the last look, by name and the dimensions beside the service."""

    def look():
        sums = Counter()
        for line in capsys.readouterr().out.splitlines():
            told = json.loads(line) if '"_aws"' in line else {}
            for directive in told.get("_aws", {}).get("CloudWatchMetrics", ()):
                (dimensions,) = directive["Dimensions"]
                assert (directive["Namespace"], told["service"]) == ("Verbena", "verbena")
                by = tuple(told[name] for name in sorted(dimensions, reverse=True) if name != "service")
                for metric in directive["Metrics"]:
                    sums[metric["Name"], *by] += sum(told[metric["Name"]])
        return sums

    return look


def test_a_call_is_counted_with_its_rows_and_its_time(caller, site, counted):
    caller.scrape([f"{site}/1", f"{site}/2", f"{site}/missing"])

    sums = counted()
    took = sums.pop(("Latency", "web.scrape", "completed"))
    assert took > 0
    assert sums == {("Calls", "web.scrape", "completed"): 1, ("RowsSuccess",): 2, ("RowsFailed",): 1}


def test_a_call_that_fails_is_counted_as_failed(caller, counted):
    caller.post("/v1/web/discover", {"query": "x"})
    caller.post("/v1/web/scrape", {"urls": 7})

    sums = counted()
    assert sums["Calls", "web.discover", "failed"] == 1
    assert sums["Calls", "web.scrape", "failed"] == 1


def test_a_row_whose_status_is_another_s_is_what_was_asked_for(counted):
    metrics.CloudWatch().rows([{}, {"status": None}, {"status": "permanently_closed"}, {"status": "failed"}])

    assert counted() == {("RowsSuccess",): 3, ("RowsFailed",): 1}


def test_what_a_door_refuses_is_no_call(new_caller, counted):
    new_caller(scopes=("maps",)).scrape(["https://e.invalid"])

    assert counted() == {}


def test_a_job_is_counted_as_pending_then_its_rows_then_its_end(caller, site, work, counted):
    caller.scrape([f"{site}/{n}" for n in range(12)], **{"async": True})
    assert counted()["Calls", "web.scrape", "pending"] == 1

    work()

    assert counted() == {("RowsSuccess",): 12, ("JobsFinished",): 1}


def test_a_repeated_answer_counts_no_rows_again(caller, site, counted):
    key = uuid.uuid4().hex
    for _ in range(2):
        caller.scrape([f"{site}/1"], idempotency_key=key)

    assert counted()["RowsSuccess",] == 1


def attempts(*outcomes):
    return [
        Attempt(provider=name, driver=name, ok=kind is None, kind=kind, ms=5)
        for name, kind in zip("ab", outcomes, strict=False)
    ]


@pytest.mark.parametrize(
    ("outcomes", "is_other"), [((None,), 0), (("transient", None), 1), (("quota", "auth"), 1), (("resting", None), 1)]
)
def test_providers_are_counted_by_what_they_answered_and_whether_the_first_one_served(counted, outcomes, is_other):
    """A provider that fails half the time behind a failover that works must not go unseen."""
    metrics.CloudWatch().attempts(attempts(*outcomes))

    seen = counted()
    assert seen["NotFirstChoice",] == is_other
    for name, kind in zip("ab", outcomes, strict=False):
        assert seen["ProviderAttempts", name, kind or "ok"] == 1


def test_a_call_without_providers_says_nothing_of_them(counted):
    metrics.CloudWatch().attempts([])

    assert counted() == {}


@pytest.mark.parametrize(("reason", "name"), metrics.JOBS.items())
def test_a_job_is_counted_by_how_it_ended(caller, site, counted, reason, name):
    job_id = caller.scrape([site], **{"async": True}).json["job_id"]
    counted()
    here = runtime.current()

    for _ in range(2):
        runtime.run(close(here.calls.backend, job_id, reason, here.calls.retention_s))

    assert counted() == {(name,): 1}


def test_alarms_watch_what_is_counted():
    alarms = resources(read_template(ROOT / "template.yaml"), "AWS::CloudWatch::Alarm").values()
    ours = [alarm for alarm in alarms if alarm["Namespace"] == metrics.NAMESPACE]

    assert {alarm["MetricName"] for alarm in ours} <= {*metrics.JOBS.values(), "NotFirstChoice", "PartsFailed"}
    assert [alarm["Dimensions"] for alarm in ours] == [[{"Name": "service", "Value": metrics.SERVICE}]] * len(ours)
