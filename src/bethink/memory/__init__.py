"""`Memory` over one store, `BoundMemory` for one caller: facades that hand each request to the part that answers.

A request is passed as its dataclass, or as its main argument with the other fields by name.
"""

from bethink.memory.bound import BoundMemory, SessionHandle
from bethink.memory.parts import Parts, Steps
from bethink.memory.whole import Memory
from bethink.session.context import assemble, room_for, turn_parts

__all__ = ["BoundMemory", "Memory", "Parts", "SessionHandle", "Steps", "assemble", "room_for", "turn_parts"]
