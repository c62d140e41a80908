"""What a memory should know, in plain Python: who was told what when, what ended it, what hid it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass
class Told:
    """One belief or turn. `ends` and `hidden` say since when what was known: instants of recorded time come first.

    `over` says that somebody ended it, and that nothing took its place.
    """

    id: str
    at: datetime
    fact: int | None = None
    turn: bool = False
    over: bool = False
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

    def add(self, id_: str, now: datetime, *, fact: int | None = None, turn: bool = False) -> None:
        """Something is told; of a fact it ends what held before."""
        for other in self.rivals(fact, now):
            other.ends.append((now, now))
        self.told[id_] = Told(id_, now, fact, turn)

    def visible(self, now: datetime) -> set[str]:
        """What is neither erased nor out of sight."""
        return {id_ for id_, one in self.told.items() if not one.is_hidden(now)}

    def stands(self, id_: str, now: datetime) -> bool:
        """Whether it is a belief that can be revised now."""
        one = self.told.get(id_)
        return one is not None and not one.turn and one.seen(now, now)

    def expire(self, id_: str, now: datetime) -> None:
        """Somebody says that it is over."""
        self.told[id_].ends.append((now, now))
        self.told[id_].over = True

    def replace(self, id_: str, new: str, now: datetime) -> None:
        """Other words take its place."""
        fact = self.told[id_].fact
        if fact is None:
            self.told[id_].ends.append((now, now))
        self.add(new, now, fact=fact)

    def fits(self, id_: str, other: str, now: datetime) -> bool:
        """Whether the other may become one with it: nothing that it is about would be lost."""
        both = id_ != other and self.stands(id_, now) and self.stands(other, now)
        return both and self.told[other].fact in {None, self.told[id_].fact}

    def merge(self, id_: str, other: str, now: datetime) -> None:
        """The other gives way where both hold."""
        self.told[other].ends.append((now, max(self.told[id_].at, self.told[other].at)))

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
        others = [
            other
            for other in self.told.values()
            if other.fact == one.fact and not other.is_hidden(now) and not other.over
        ]
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
