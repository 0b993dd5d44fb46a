"""Job rows, progress and idempotency records as DynamoDB keeps them."""

from dataclasses import asdict, replace

import pytest

from verbena.aws.codec import due_shard, encoded
from verbena.aws.jobs import JobsTable, _job_item
from verbena.jobs import Job, JobProgress, Record

NOW = 1_800_000_000
JOB = Job(
    job_id="0" * 32,
    owner="owner",
    key_id="key",
    verb="web.scrape",
    status="running",
    created_at="2027-01-15T08:00:00.000Z",
    deadline=NOW + 3600,
    due_at=NOW + 60,
    positions=3,
    options={"partial": True},
    prices={"web_crawl": 1000},
    correlation_id="c" * 36,
)
RECORD = Record("owner", "web.scrape", "key", "hash", "call", "running", lease=NOW + 30, expires_at=NOW + 86_400)


@pytest.fixture
def jobs(tables):
    return JobsTable(tables["JobsTable"], now=lambda: NOW)


@pytest.fixture
def job(new_id):
    return replace(JOB, job_id=new_id, owner=f"owner-{new_id}")


@pytest.fixture
def record(new_id):
    return replace(RECORD, key=new_id)


@pytest.fixture
def put(commit, jobs):
    """Puts a job, with some of it changed."""

    def put(job, **changes):
        assert not commit(jobs.put_job(replace(job, **changes)))

    return put


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"prices": None, "positions": None, "options": {}},
        {"planned": True, "resumed_from": "f" * 32},
        {"status": "closing", "reason": "deadline", "due_at": NOW},
    ],
)
def test_a_job_comes_back_as_it_was_put(put, jobs, job, changes):
    put(job, **changes)

    assert jobs.job(job.job_id) == replace(job, **changes)


def test_a_job_is_put_once(put, commit, jobs, job):
    put(job)

    assert commit(jobs.put_job(job)) == {"job"}


def test_numbers_come_back_whole(put, commit, jobs, job):
    put(job)
    commit(jobs.put_progress(job.job_id, JobProgress("running", 0, 1, 0, {})))
    commit(jobs.advance(job.job_id, 3, 0, {"web_crawl": 2}, 2000))

    read = jobs.job(job.job_id)
    progress = jobs.progress(job.job_id)
    numbers = [read.deadline, read.due_at, *read.prices.values(), progress.done, progress.charge]
    assert {type(number) for number in [*numbers, *progress.units.values()]} == {int}


def test_progress_counts_what_parts_add(commit, jobs, new_id):
    commit(jobs.put_progress(new_id, JobProgress("running", 2, 1, 0, {})))

    commit(jobs.advance(new_id, 0, 3, {}, 0))
    commit(jobs.advance(new_id, 5, -1, {"web_crawl": 4, "web_crawl_captcha": 1}, 7000))
    commit(jobs.advance(new_id, 1, -1, {"web_crawl": 1}, 1000))

    assert jobs.progress(new_id) == JobProgress("running", 8, 2, 8000, {"web_crawl": 5, "web_crawl_captcha": 1})


def test_progress_that_is_closing_counts_no_more(commit, jobs, new_id):
    commit(jobs.put_progress(new_id, JobProgress("running", 0, 1, 0, {})))

    assert commit(jobs.stop_progress(new_id, open_parts=2)) == {"progress"}
    assert not commit(jobs.stop_progress(new_id, open_parts=1))
    assert commit(jobs.advance(new_id, 1, -1, {}, 0)) == {"progress"}
    assert commit(jobs.stop_progress(new_id, open_parts=None)) == {"progress"}
    assert jobs.progress(new_id) == JobProgress("closing", 0, 1, 0, {})


def test_progress_of_no_job_counts_nothing(commit, jobs, new_id):
    assert commit(jobs.advance(new_id, 1, -1, {}, 0)) == {"progress"}
    assert jobs.progress(new_id) is None


def test_a_job_goes_from_running_over_closing_to_completed_and_no_other_way(put, commit, jobs, job):
    put(job)
    ended = replace(
        job,
        status="completed",
        reason="finish",
        completed_at="2027-01-15T08:01:00.000Z",
        due_at=None,
        usage={"units": {}},
    )

    assert commit(jobs.complete(ended)) == {"job"}
    assert not commit(jobs.start_closing(job.job_id, "finish", NOW))
    assert commit(jobs.start_closing(job.job_id, "cancelled", NOW)) == {"job"}
    assert jobs.job(job.job_id).reason == "finish"
    assert not commit(jobs.complete(ended))
    assert jobs.job(job.job_id) == ended


def test_a_job_is_due_until_it_is_completed(put, commit, jobs, job):
    shard = int(due_shard(job.job_id).removeprefix("due#"))

    def is_due(now):
        return job.job_id in jobs.due_jobs(shard, now)

    put(job)
    assert [is_due(NOW + 59), is_due(NOW + 60)] == [False, True]
    jobs.postpone(job, NOW + 120)
    assert [is_due(NOW + 119), is_due(NOW + 120)] == [False, True]
    jobs.mark_planned(job)
    assert [is_due(job.deadline - 1), is_due(job.deadline)] == [False, True]
    commit(jobs.start_closing(job.job_id, "finish", NOW))
    assert is_due(NOW)
    commit(jobs.complete(replace(job, status="completed", due_at=None)))
    assert not is_due(job.deadline)


def test_a_job_that_moved_on_is_not_postponed(put, jobs, job):
    put(job)
    jobs.mark_planned(job)

    jobs.postpone(job, NOW + 1)

    assert jobs.job(job.job_id).due_at == job.deadline


def test_a_job_that_is_closing_is_not_called_planned(put, commit, jobs, job):
    put(job)
    commit(jobs.start_closing(job.job_id, "cancelled", NOW))

    jobs.mark_planned(job)

    assert (jobs.job(job.job_id).planned, jobs.job(job.job_id).due_at) == (False, NOW)


@pytest.mark.parametrize(("expires_at", "found"), [(NOW + 1, True), (NOW, False), (NOW - 86_400, False)])
def test_a_job_whose_time_is_over_is_gone_though_the_table_still_has_it(put, jobs, job, expires_at, found):
    put(job, expires_at=expires_at)

    assert (jobs.job(job.job_id) is not None) is found
    assert len(jobs.of_owner(job.owner, "9999", 10)) == found


def test_jobs_of_an_owner_come_newest_first_and_page_by_page(put, jobs, job, new_id):
    for number in range(7):
        put(job, job_id=f"{new_id[:31]}{number}", created_at=f"2027-01-15T08:00:0{number}.000Z")
    put(job, job_id="another's" + new_id, owner="another")

    first = jobs.of_owner(job.owner, "9999", 3)
    second = jobs.of_owner(job.owner, first[-1].created_at, 3)
    last = jobs.of_owner(job.owner, second[-1].created_at, 3)

    assert [found.job_id[-1] for page in (first, second, last) for found in page] == list("6543210")


def test_jobs_made_in_one_millisecond_are_all_listed(put, jobs, job, new_id):
    for number in range(7):
        put(job, job_id=f"{new_id[:31]}{number}", created_at=f"2027-01-15T08:00:00.00{number // 5}Z")

    found = jobs.of_owner(job.owner, "9999", 2)
    while page := jobs.of_owner(job.owner, found[-1].created_at, 2, after=found[-1].job_id):
        found += page

    assert sorted(each.job_id[-1] for each in found) == list("0123456")
    assert [each.created_at[-2] for each in found] == list("1100000")


def test_a_page_of_jobs_is_full_though_expired_ones_lie_between(put, jobs, job, new_id):
    for number in range(8):
        expires_at = NOW if number % 2 else None
        put(
            job,
            job_id=f"{new_id[:31]}{number}",
            created_at=f"2027-01-15T08:00:0{number}.000Z",
            expires_at=expires_at,
        )

    assert [found.job_id[-1] for found in jobs.of_owner(job.owner, "9999", 3)] == list("642")


def test_a_record_comes_back_as_it_was_put_and_is_its_owners_and_its_verbs(commit, jobs, record):
    commit(jobs.put_record(record))

    assert jobs.record(record.owner, record.verb, record.key) == record
    assert jobs.record("another", record.verb, record.key) is None
    assert jobs.record(record.owner, "web.discover", record.key) is None


def test_a_key_stands_for_one_call(commit, jobs, record):
    commit(jobs.put_record(record))

    assert commit(jobs.put_record(replace(record, call_id="other"))) == {"record"}


def test_a_record_whose_time_is_over_counts_as_none(commit, jobs, record):
    commit(jobs.put_record(replace(record, expires_at=NOW)))
    assert jobs.record(record.owner, record.verb, record.key) is None

    assert not commit(jobs.put_record(replace(record, call_id="other")))

    assert jobs.record(record.owner, record.verb, record.key).call_id == "other"


def test_a_record_is_taken_over_from_the_call_that_was_read_and_only_while_it_runs(commit, jobs, record):
    commit(jobs.put_record(record))
    heir = replace(record, call_id="heir")

    assert commit(jobs.put_record(heir, replaces="somebody")) == {"record"}
    assert not commit(jobs.put_record(heir, replaces=record.call_id))
    assert commit(jobs.end_record(replace(record, state="done"))) == {"record"}
    assert not commit(jobs.end_record(replace(heir, state="done", lease=0)))
    assert commit(jobs.put_record(record, replaces="heir")) == {"record"}
    assert jobs.record(record.owner, record.verb, record.key).state == "done"


def test_a_key_is_freed_by_its_own_running_call_alone(commit, jobs, record):
    commit(jobs.put_record(record))

    assert commit(jobs.drop_record(replace(record, call_id="other"))) == {"record"}
    assert not commit(jobs.drop_record(record))
    assert jobs.record(record.owner, record.verb, record.key) is None


def test_a_key_of_any_characters_is_kept_and_is_not_readable_in_the_table(commit, jobs, record):
    secret = "\x00 ключ/" + "k" * 200 + record.key
    commit(jobs.put_record(replace(record, key=secret)))

    assert jobs.record(record.owner, record.verb, secret).key == secret


def test_a_write_refused_leaves_the_others_of_its_transaction_undone(put, commit, jobs, job, record):
    put(job)

    refused = commit(jobs.put_record(record), jobs.put_job(job))

    assert refused == {"job"}
    assert jobs.record(record.owner, record.verb, record.key) is None


def test_the_biggest_row_of_a_job_is_under_two_kilobytes():
    usage = {
        "units": {f"unit_number_{n}": 10**9 for n in range(8)},
        "charge_micros": 10**12,
        "vendor_cost_micros": None,
    }
    error = {"code": "deadline_exceeded", "message": "m" * 200, "retryable": True}
    biggest = replace(
        JOB,
        status="completed",
        completed_at=JOB.created_at,
        prices={f"unit_number_{n}": 10**9 for n in range(8)},
        options={"max_charge_micros": 10**12, "partial": True},
        resumed_from=JOB.job_id,
        reason="cancelled",
        usage=usage,
        error=error,
        expires_at=NOW,
    )

    assert len(str(encoded(_job_item(biggest)))) < 2048
    assert set(asdict(biggest)) <= {*_job_item(biggest), "expires_at"}
