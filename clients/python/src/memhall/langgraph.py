"""LangGraph's long-term memory in Memhall."""

from __future__ import annotations

import asyncio
import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Tuple

from ._langgraph_items import indexed_text, is_below, meets_conditions, passes_filter
from ._sync.memory import MemoryClient

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, Op, PutOp, Result, SearchItem, SearchOp
else:
    try:
        from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp
    except ImportError:
        BaseStore = object

Namespace = Tuple[str, ...]

_page_size = 100
#: Maximum number of matches per query. Later pages of a search by query are empty.
_most_matches = 100
_readers = 8


class MemhallStore(BaseStore):
    """
    A LangGraph store. Each item is a value of working memory, with a semantic memory that makes it searchable by words and
    meaning. The value is authoritative: a semantic memory without its value is not returned. A search without a query and a
    list of namespaces read all items of the store. The store of `@memhall/agent` has the same items.

    :param client: the memory service; ``with_options(user_id=...)`` says for whom a service token acts
    :param name: stores with different names share nothing; up to 80 of the characters A-Z a-z 0-9 . _ : @ -
    """

    def __init__(self, client: MemoryClient, *, name: str = "store") -> None:
        if BaseStore is object:
            raise ImportError("MemhallStore needs LangGraph. Install it with: pip install langgraph")
        super().__init__()
        self._client = client
        self._name = f"langgraph:{name}"

    def batch(self, ops: Iterable[Op]) -> List[Result]:
        """Reads see the state before the batch. If an item is written several times, the last write wins."""
        given = list(ops)
        results = [self._read(op) for op in given]
        puts = {(tuple(op.namespace), op.key): op for op in given if isinstance(op, PutOp)}
        for put in puts.values():
            self._put(put)
        return results

    async def abatch(self, ops: Iterable[Op]) -> List[Result]:
        """Does the same in a thread, so that the event loop goes on."""
        return await asyncio.get_running_loop().run_in_executor(None, self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            found = self._find(self._item_name(op.namespace, op.key))
            return None if found is None else Item(**found[0])
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._list_namespaces(op)
        if isinstance(op, PutOp):
            return None
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _find(self, name: str) -> Optional[Tuple[Dict[str, Any], Optional[str]]]:
        """Returns the members of an item, and the id of the semantic memory that makes it searchable."""
        entry = self._client.get_plan_state(self._name, name)
        return None if entry is None else (_members(entry), entry.value["memory_id"])

    def _put(self, op: PutOp) -> None:
        """Stores the semantic memory first. If the put is interrupted, the next put finds the memory by its external id."""
        name = self._item_name(op.namespace, op.key)
        before = self._find(name)
        text = "" if op.value is None else indexed_text(op.value, op.index)
        memory_id = None if text == "" else self._remember(op.namespace, name, text)
        if op.value is None:
            self._client.delete_plan_state(self._name, name)
        else:
            stored = {"namespace": list(op.namespace), "key": op.key, "value": op.value, "memory_id": memory_id}
            self._client.set_plan_state(self._name, name, stored)
        stale = None if before is None else before[1]
        if stale is not None and stale != memory_id:
            self._client.delete_knowledge(stale)

    def _remember(self, namespace: Namespace, name: str, text: str) -> str:
        knowledge = {
            "content": text,
            "external_id": f"{self._name}:{name}",
            "tags": [self._tag(namespace[:depth]) for depth in range(len(namespace) + 1)],
            "source": self._name,
            "metadata": {"item": name},
        }
        return self._client.store_knowledge(knowledge).id

    def _search(self, op: SearchOp) -> List[SearchItem]:
        if op.query is None or op.query.strip() == "":
            found = [SearchItem(**members) for members in self._list_items(op.namespace_prefix)]
        else:
            count = _most_matches if op.filter else op.offset + op.limit
            found = self._recall(op.query, op.namespace_prefix, min(count, _most_matches))
        return [item for item in found if passes_filter(item.value, op.filter)][op.offset : op.offset + op.limit]

    def _recall(self, query: str, prefix: Namespace, count: int) -> List[SearchItem]:
        if count < 1:
            return []
        filters = {"tags": [self._tag(prefix)]}
        entries = self._client.query_knowledge(query, top_k=count, include_public=False, filters=filters).entries
        with ThreadPoolExecutor(_readers) as readers:
            items = readers.map(lambda entry: self._find(str(entry.metadata["item"])), entries)
            return [
                SearchItem(**item[0], score=entry.score)
                for entry, item in zip(entries, items)
                if item is not None and item[1] == entry.id
            ]

    def _list_items(self, prefix: Namespace) -> List[Dict[str, Any]]:
        """Returns the newest item first."""
        items = [_members(entry) for entry in self._client.all_plan_state(self._name, limit=_page_size)]
        below = [item for item in items if is_below(item["namespace"], prefix)]
        return sorted(below, key=itemgetter("updated_at"), reverse=True)

    def _list_namespaces(self, op: ListNamespacesOp) -> List[Namespace]:
        all_of_them = (item["namespace"] for item in self._list_items(()))
        found = {one[: op.max_depth] for one in all_of_them if meets_conditions(one, op.match_conditions or ())}
        return sorted(found)[op.offset : op.offset + op.limit]

    def _item_name(self, namespace: Namespace, key: str) -> str:
        return _digest([list(namespace), key])

    def _tag(self, prefix: Namespace) -> str:
        return f"langgraph:{_digest([self._name, list(prefix)])}"


def _members(entry: Any) -> Dict[str, Any]:
    stored = entry.value
    times = {"created_at": entry.created_at, "updated_at": entry.updated_at}
    return {"namespace": tuple(stored["namespace"]), "key": stored["key"], "value": stored["value"], **times}


def _digest(parts: Sequence[Any]) -> str:
    """Returns a name of fixed length, because LangGraph allows any text of any length for namespaces and keys."""
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
