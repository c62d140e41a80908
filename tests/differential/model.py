"""What a memory should know, in plain Python: who was told what when, what ended it, what hid it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass
class Told:
    """One belief or turn. `ends` and `hidden` say since when what was known: instants of recorded time come first."""

    id: str
    at: datetime
    fact: int | None = None
    ends: list[tuple[datetime, datetime]] = field(default_factory=list)
    hidden: list[tuple[datetime, bool]] = field(default_factory=list)

    def is_hidden(self, known: datetime) -> bool:
        """Whether it was out of sight, as known then."""
        return [False, *(hidden for since, hidden in self.hidden if since <= known)][-1]

    def end(self, known: datetime) -> datetime | None:
        """When it stopped to hold, as known then."""
        return [None, *(end for since, end in self.ends if since <= known)][-1]

    def seen(self, instant: datetime, known: datetime) -> bool:
        """Whether a recall of an instant shows it."""
        end = self.end(known)
        return self.at <= instant and (end is None or instant < end) and not self.is_hidden(known)


@dataclass
class Model:
    """Everything that was told and not erased."""

    told: dict[str, Told] = field(default_factory=dict)

    def add(self, id_: str, now: datetime, *, fact: int | None = None) -> None:
        """Something is told; of a fact it ends what held before."""
        for other in self.rivals(fact, now):
            other.ends.append((now, now))
        self.told[id_] = Told(id_, now, fact)

    def rivals(self, fact: int | None, now: datetime) -> list[Told]:
        """What now speaks of a fact and has not ended."""
        return [one for one in self.told.values() if fact is not None and one.fact == fact and one.seen(now, now)]

    def hide(self, id_: str, now: datetime) -> None:
        """It is out of sight, whatever it was."""
        if id_ in self.told and not self.told[id_].is_hidden(now):
            self.told[id_].hidden.append((now, True))

    def restore(self, id_: str, now: datetime) -> None:
        """It is back where it belongs: ended where later words about the fact begin, ending what is older."""
        one = self.told.get(id_)
        if one is None or not one.is_hidden(now):
            return
        one.hidden.append((now, False))
        if one.fact is None or one.end(now) is not None:
            return
        others = [other for other in self.told.values() if other.fact == one.fact and not other.is_hidden(now)]
        later = [other.at for other in others if other.at > one.at]
        if later:
            one.ends.append((now, min(later)))
        for other in others:
            if other.at < one.at and other.end(now) is None:
                other.ends.append((now, one.at))

    def erase(self, id_: str) -> None:
        """It never was."""
        self.told.pop(id_, None)

    def seen(self, instant: datetime, known: datetime) -> set[str]:
        """What a recall of an instant finds, with what was known at another."""
        return {id_ for id_, one in self.told.items() if one.at <= known and one.seen(instant, known)}
