"""Saying words back."""

from verbena.catalog.echo import EchoInput, EchoRow, Voice

from verbena.capability import Answer, Call, Portion


async def back(wanted: EchoInput, call: Call) -> Portion:
    """Each word, as often as the voice says."""
    voice = wanted.voice or Voice()
    rows = [
        EchoRow(index=place, status="success", word=word, echo=" ".join([word] * voice.times))
        for place, word in enumerate(wanted.words)
    ]
    return Portion([Answer(row, row.index) for row in rows])
