"""The sensitivity gate: how sensitive what a request may show can be, whatever the caller's surface allows."""

from __future__ import annotations

from bethink.domain.scope import Caller, Sensitivity
from bethink.errors import InvalidInput
from bethink.operations.recall import RecallRequest


def ceiling_of(request: RecallRequest, caller: Caller) -> Sensitivity:
    """The surface's ceiling, or nothing above normal where the gate is closed.

    What is put into a prompt unasked is always gated; what an agent asks for is gated when the request says so. The
    gate only lowers: no request reads above its surface's ceiling.

    Raises:
        InvalidInput: the gate of a passive recall is to be lifted.
    """
    unasked = request.profile == "passive" or request.moment == "passive"
    if unasked and request.gate is False:
        msg = "A passive recall cannot show restricted records."
        raise InvalidInput(msg, remedy="Leave gate out, or ask with the profile mention or agent_query.")
    return min(caller.ceiling, Sensitivity.NORMAL) if unasked or request.gate else caller.ceiling
