"""
Stands in for ``langgraph.store.base``, which the tests do not need to have installed: the published interface that a store
implements, and what calls it. Written after its documentation, without time to live and embeddings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import datetime
from typing import Any, Dict, Iterable, List, Literal, NamedTuple, Optional, Tuple, Union

Namespace = Tuple[str, ...]


class Item:
    __slots__ = ("value", "key", "namespace", "created_at", "updated_at")

    def __init__(
        self, *, value: Dict[str, Any], key: str, namespace: Namespace, created_at: datetime, updated_at: datetime
    ) -> None:
        self.value, self.key, self.namespace = value, key, tuple(namespace)
        self.created_at, self.updated_at = created_at, updated_at


class SearchItem(Item):
    __slots__ = ("score",)

    def __init__(
        self,
        namespace: Namespace,
        key: str,
        value: Dict[str, Any],
        created_at: datetime,
        updated_at: datetime,
        score: Optional[float] = None,
    ) -> None:
        super().__init__(value=value, key=key, namespace=namespace, created_at=created_at, updated_at=updated_at)
        self.score = score


class GetOp(NamedTuple):
    namespace: Namespace
    key: str
    refresh_ttl: bool = True


class SearchOp(NamedTuple):
    namespace_prefix: Namespace
    filter: Optional[Dict[str, Any]] = None
    limit: int = 10
    offset: int = 0
    query: Optional[str] = None
    refresh_ttl: bool = True


class MatchCondition(NamedTuple):
    match_type: Literal["prefix", "suffix"]
    path: Namespace


class ListNamespacesOp(NamedTuple):
    match_conditions: Optional[Tuple[MatchCondition, ...]] = None
    max_depth: Optional[int] = None
    limit: int = 100
    offset: int = 0


class PutOp(NamedTuple):
    namespace: Namespace
    key: str
    value: Optional[Dict[str, Any]]
    index: Union[Literal[False], List[str], None] = None  # type: ignore[assignment]
    ttl: Optional[float] = None


Op = Union[GetOp, SearchOp, PutOp, ListNamespacesOp]
Result = Union[Item, List[Item], List[SearchItem], List[Namespace], None]


class BaseStore(ABC):
    __slots__ = ("__weakref__",)
    supports_ttl = False

    @abstractmethod
    def batch(self, ops: Iterable[Op]) -> List[Result]: ...

    @abstractmethod
    async def abatch(self, ops: Iterable[Op]) -> List[Result]: ...

    def get(self, namespace: Namespace, key: str) -> Any:
        return self.batch([GetOp(namespace, key)])[0]

    def search(
        self,
        namespace_prefix: Namespace,
        /,
        *,
        query: Optional[str] = None,
        filter: Optional[Dict[str, Any]] = None,
        limit: int = 10,
        offset: int = 0,
    ) -> Any:
        return self.batch([SearchOp(namespace_prefix, filter, limit, offset, query)])[0]

    def put(
        self,
        namespace: Namespace,
        key: str,
        value: Dict[str, Any],
        index: Union[Literal[False], List[str], None] = None,
    ) -> None:
        self.batch([PutOp(namespace, key, value, index)])

    def delete(self, namespace: Namespace, key: str) -> None:
        self.batch([PutOp(namespace, key, None)])

    def list_namespaces(
        self,
        *,
        prefix: Optional[Namespace] = None,
        suffix: Optional[Namespace] = None,
        max_depth: Optional[int] = None,
        limit: int = 100,
        offset: int = 0,
    ) -> Any:
        conditions: List[MatchCondition] = []
        if prefix:
            conditions.append(MatchCondition("prefix", prefix))
        if suffix:
            conditions.append(MatchCondition("suffix", suffix))
        return self.batch([ListNamespacesOp(tuple(conditions), max_depth, limit, offset)])[0]

    async def aget(self, namespace: Namespace, key: str) -> Any:
        return (await self.abatch([GetOp(namespace, key)]))[0]

    async def aput(self, namespace: Namespace, key: str, value: Dict[str, Any]) -> None:
        await self.abatch([PutOp(namespace, key, value)])
