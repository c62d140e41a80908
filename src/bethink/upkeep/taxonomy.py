"""A tenant's taxonomy, changed by whoever keeps the store: what an agent writes can use the tree and never grow it."""

from __future__ import annotations

from bethink.domain.ids import check_id
from bethink.domain.taxonomy import MAX_NODES, Node, check_path, subtree
from bethink.errors import InvalidInput, NotFound
from bethink.operations.taxonomy import RemovedNodes
from bethink.ports.clock import Clock
from bethink.ports.store import Store


def put_node(store: Store, clock: Clock, tenant: str, path: str, name: str | None = None) -> Node:
    """Add a node, or name it anew.

    Args:
        store: the store.
        clock: the time it is made.
        tenant: whose taxonomy.
        path: where it stands.
        name: what people call it; the path's last word unless given.

    Raises:
        InvalidInput: no path, an unusable name, no node above it, or too many nodes.
    """
    path = check_path(path)
    node = Node(path, path.rpartition(".")[2] if name is None else check_id(name, "name"))
    with store.write(check_id(tenant, "tenant")) as work:
        known = {item.path for item in work.taxonomy.nodes()}
        if node.parent and node.parent not in known:
            raise InvalidInput(f"There is no node {node.parent!r} above it.", remedy="Add the nodes above it first.")
        if path not in known and len(known) >= MAX_NODES:
            raise InvalidInput(f"The taxonomy has {MAX_NODES:,} nodes already.", remedy="Remove one first.")
        work.taxonomy.put(node, clock.now())
        work.event("taxonomy.put", path, {"new": path not in known})
    return node


def remove_node(store: Store, tenant: str, path: str) -> RemovedNodes:
    """Remove a node with everything below it and all filings there; no record goes.

    Raises:
        NotFound: there is no such node.
    """
    root = check_path(path)
    with store.write(check_id(tenant, "tenant")) as work:
        nodes = work.taxonomy.nodes()
        below = subtree(nodes, (root,))
        if root not in below:
            raise NotFound(f"The taxonomy has no node {root!r}.")
        filings = work.taxonomy.remove(below)
        work.event("taxonomy.removed", root, {"nodes": len(below), "filings": filings})
    return RemovedNodes(tuple(node for node in nodes if node.path in below), filings)
