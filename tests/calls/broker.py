"""SQS as far as the call path can feel it: visibility, receives, dead letters, and messages that come twice."""

from dataclasses import dataclass, replace

from pydantic_core import from_json, to_json

from verbena import settings
from verbena.errors import Unavailable
from verbena.jobs import Part


@dataclass(eq=False)
class Letter:
    """One message. `seen_at` is when it shows (again)."""

    body: bytes
    seen_at: float
    receives: int = 0
    is_dead: bool = False

    @property
    def part(self):
        return Part.of(from_json(self.body))


class Broker:
    """The queue port, and what the event source mappings do with it. `accepts` limits the next sending."""

    def __init__(self, now):
        self._now = now
        self.letters = []
        self.accepts = None

    def send(self, _verb, _owner, parts):
        letters = [Letter(to_json(part.message()), self._now() + delay) for part, delay in parts]
        accepted, self.accepts = self.accepts, None
        self.letters += letters[:accepted]
        if accepted is not None and accepted < len(letters):
            raise Unavailable

    def showing(self):
        """What could be received now; a part received too often has become a dead letter."""
        for letter in self.letters:
            if letter.seen_at <= self._now() and letter.receives >= settings.MAX_RECEIVES and not letter.is_dead:
                letter.is_dead, letter.receives = True, 0
        return [letter for letter in self.letters if letter.seen_at <= self._now()]

    def receive(self, letter):
        letter.receives += 1
        letter.seen_at = self._now() + settings.VISIBILITY_S

    def duplicate(self, letter):
        self.letters.append(replace(letter))

    def retry(self, letter):
        letter.seen_at = self._now() + settings.RETRY_VISIBILITY_S

    def delete(self, letter):
        self.letters = [kept for kept in self.letters if kept is not letter]
