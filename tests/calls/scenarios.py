"""What a simulation starts from: a batch, its callers and its troubles, and the tape that decides the rest."""

from dataclasses import dataclass

from hypothesis import strategies as st

TAPE_BYTES = 640
MOST_FAULTS = 10


class Tape:
    """Decisions from bytes. Zero is always the quiet choice, so a tape that is over, or shrunk, means no trouble."""

    def __init__(self, data):
        self._data = data
        self._at = 0

    @property
    def is_over(self):
        return self._at >= len(self._data)

    def below(self, count):
        """A number from 0 to count - 1."""
        if self.is_over:
            return 0
        self._at += 1
        return self._data[self._at - 1] * count >> 8

    def pick(self, choices):
        return choices[self.below(len(choices))]


@dataclass(frozen=True)
class Asked:
    """One caller: with which key, if any, and whether it asks the same as the others."""

    key: str | None = None
    other_body: bool = False


@dataclass(frozen=True)
class Scenario:
    """`funds` is the wallet in percent of one call's quote. `faults` is how much may go wrong on the way."""

    verb: str = "test.list"
    items: tuple[str, ...] = ("ok/0",)
    callers: tuple[Asked, ...] = (Asked(),)
    is_async: bool = False
    partial: bool = False
    funds: int = 100
    billing: bool = True
    is_big: bool = False
    names_all_reasons: bool = False
    faults: int = 0
    cancels: int = 0
    resumes: int = 0
    meets_deadline: bool = False


GOOD = [f"ok/{number}" for number in range(25)]
ITEMS = st.sampled_from([*GOOD, *(f"{item}#x" for item in GOOD[:8]), "boom/1", "kill/1", "hang/1", "javascript:1"])
ONE_OF_SEVEN = st.integers(0, 6).map(lambda number: number == 6)
FAULTS = st.integers(0, MOST_FAULTS)
CALLERS = st.builds(
    Asked,
    key=st.sampled_from(["k", "k", "k", None, "other"]),
    other_body=ONE_OF_SEVEN,
)

# Every kind of call, in every kind of trouble.
BROAD = st.builds(
    Scenario,
    verb=st.sampled_from(["test.list"] * 5 + ["test.pages"] * 2 + ["test.thing"]),
    items=st.one_of(
        st.lists(ITEMS, min_size=1, max_size=4),
        st.lists(ITEMS, min_size=5, max_size=30),
    ).map(tuple),
    callers=st.lists(CALLERS, min_size=1, max_size=3).map(tuple),
    is_async=st.booleans(),
    partial=st.booleans(),
    funds=st.sampled_from([100, 150, 200, 300, 400, 500, 50, 0]),
    billing=st.sampled_from([True, True, True, False]),
    is_big=ONE_OF_SEVEN,
    names_all_reasons=st.booleans(),
    faults=FAULTS,
    cancels=st.integers(0, 1),
    resumes=st.integers(0, 1),
    meets_deadline=ONE_OF_SEVEN,
)

# One small call, asked again and again with one key while its functions die, overrun and lose replies.
CONTENDED = st.builds(
    Scenario,
    items=st.lists(st.sampled_from(GOOD[:3]), min_size=1, max_size=3, unique=True).map(tuple),
    callers=st.lists(st.just(Asked("k")), min_size=2, max_size=4).map(tuple),
    billing=st.booleans(),
    names_all_reasons=st.booleans(),
    faults=FAULTS,
)

SCENARIOS = st.one_of(BROAD, BROAD, CONTENDED)
TAPES = st.binary(min_size=TAPE_BYTES, max_size=TAPE_BYTES)
