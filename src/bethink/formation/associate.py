"""Associate: register a term, relate two of them. What is asserted rests on its source where it names one.

A relation is written whole or not at all, and nothing of it reaches recall. Its evidence has to stand word for word in
its source; whoever may not read that source cannot rest anything on it.
"""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.record import LIVE, QUARANTINED, fold
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.source import SourceKind
from bethink.errors import InvalidInput, NotFound
from bethink.formation.access import reading_fence, writable_scope
from bethink.formation.desk import Desk
from bethink.formation.lookup import find_one
from bethink.formation.screening import screened
from bethink.formation.secrecy import Redactor
from bethink.operations.associations import RegisterTermRequest, RelateRequest, RelateResult, Relation, Term
from bethink.ports.associations import Place
from bethink.ports.store import UnitOfWork
from bethink.text.door import check_text
from bethink.text.spans import locate

NAME_LIMIT = 200
MAX_ALIASES = 50


def register_term(request: RegisterTermRequest, desk: Desk) -> Term:
    """Register a term, or give a registered one more names; the same again changes nothing.

    Raises:
        InvalidInput: an unusable name, or an alias that is another term's.
        AccessDenied: the caller may not write the target.
    """
    if len(request.aliases) > MAX_ALIASES:
        raise InvalidInput(f"A term is registered with at most {MAX_ALIASES} aliases at a time.")
    names = [_name(name, "name") for name in (request.name, *request.aliases)]
    with desk.store.write(desk.tenant) as work:
        scope = writable_scope(desk.caller, request.target, work.grants.of(desk.caller))
        place = Place(scope, desk.caller.channel)
        known = work.associations.own(place, names[0])
        term = known or Term(desk.ids.new(work.recorded_at), names[0], (), scope.key)
        if known is None:
            work.associations.add_term(place, term, work.recorded_at)
        heard = {fold(name) for name in (term.name, *term.aliases)}
        fresh = [name for name in names if fold(name) not in heard]
        for name in fresh:
            other = work.associations.own(place, name)
            if other is not None and other.id != term.id:
                raise InvalidInput(f"{name[:60]!r} names another term of {scope.kind} scope.")
            work.associations.add_name(term, name)
        if known is None or fresh:
            work.event("term.registered", term.id, {"scope": term.scope, "names": len(fresh)})
        return work.associations.own(place, term.name) or term


def relate(request: RelateRequest, desk: Desk) -> RelateResult:
    """Assert a relation between two registered terms; the same again of the same source changes nothing.

    Raises:
        InvalidInput: an unusable predicate, or evidence that does not stand in the source.
        NotFound: a term is not registered there, or there is no such source.
        AccessDenied: the caller may not write the target.
    """
    predicate = fold(_name(request.predicate, "predicate"))
    if request.evidence is not None and request.source is None:
        raise InvalidInput("Evidence stands in a source, and none is named.", remedy="Name the record or turn.")
    with desk.store.write(desk.tenant) as work:
        scope = writable_scope(desk.caller, request.target, work.grants.of(desk.caller))
        place, source, evidence = _grounds(work, desk, request, scope)
        subject, object_ = (_registered(work, place, name) for name in (request.subject, request.object))
        relation = Relation(
            id=desk.ids.new(work.recorded_at),
            scope=scope.key,
            subject_id=subject.id,
            subject=subject.name,
            predicate=predicate,
            object_id=object_.id,
            object=object_.name,
            source=source,
            evidence=evidence,
            creator=desk.caller.principal.agent,
            asserted_at=work.recorded_at,
        )
        stored = work.associations.relate(place, relation)
        if stored == relation.id:
            work.event("relation.asserted", stored, {"scope": scope.key, "source": source})
            return RelateResult("created", relation)
        return RelateResult("known", replace(relation, id=stored))


def _grounds(
    work: UnitOfWork, desk: Desk, request: RelateRequest, scope: Scope
) -> tuple[Place, str | None, str | None]:
    """What fences the relation, its source's id, and the source's own words for it."""
    if request.source is None:
        return Place(scope, desk.caller.channel), None, None
    fence = reading_fence(desk.caller, work.grants.of(desk.caller), LIVE)
    found = find_one(work, fence, request.source)
    record, turn = found.record, found.turn
    text = record.content.text if record is not None else turn.text if turn is not None else ""
    sensitivity = max(Sensitivity.NORMAL, *(one.sensitivity for one in (record and record.content, turn) if one))
    evidence = None
    if request.evidence is not None:
        span = locate(check_text(request.evidence, "evidence"), text)
        if span is None:
            raise InvalidInput("The evidence does not stand in its source.", remedy="Quote it word for word.")
        evidence = text[span.start : span.end]
    return Place(scope, desk.caller.channel, sensitivity), found.id, evidence


def _registered(work: UnitOfWork, place: Place, name: str) -> Term:
    """The term of an owner that answers to a name."""
    term = work.associations.own(place, _name(name, "term"))
    if term is None:
        raise NotFound(f"No term {name[:60]!r} is registered in {place.scope.kind} scope.", remedy="Register it first.")
    return term


def _name(text: str, what: str) -> str:
    """A name fit to be stored: short, on one line, no secret, nothing that reads like an order."""
    clean = " ".join(Redactor().text(check_text(text, what, NAME_LIMIT)).split())
    if QUARANTINED in screened(clean, SourceKind.AGENT_INFERENCE).flags:
        raise InvalidInput(f"The {what} reads like an order, and names nothing.", remedy="Name the thing itself.")
    return clean
