"""
The store, called as LangGraph calls it: `stand_ins/langgraph` is its published interface. With MEMHALL_TEST_LANGGRAPH it is called
through the package of LangGraph, and compared with a store of its own.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from pathlib import Path
from typing import Any, Iterator, List

import pytest
from conftest import Server

from memhall import MemoryClient

stand_ins = Path(__file__).parent / "stand_ins"
has_langgraph = "MEMHALL_TEST_LANGGRAPH" in os.environ


@pytest.fixture(autouse=True)
def langgraph(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not has_langgraph:
        monkeypatch.syspath_prepend(str(stand_ins))
    yield


@pytest.fixture
def client(server: Server, request: pytest.FixtureRequest) -> MemoryClient:
    return MemoryClient(server.url, server.token(request.node.name))


@pytest.fixture
def store(client: MemoryClient) -> Any:
    from memhall.langgraph import MemhallStore

    return MemhallStore(client)


def keys(items: List[Any]) -> List[str]:
    return [item.key for item in items]


def test_keeps_items_by_namespace_and_key(store: Any) -> None:
    from langgraph.store.base import BaseStore, GetOp, Item, PutOp, SearchItem

    assert isinstance(store, BaseStore)
    store.put(("users", "ann"), "a", {"text": "tea", "stars": 5, "tags": ["x"], "none": None})
    store.put(("users", "ann", "notes"), "b:c/d é", {"text": "milk", "stars": 3})
    store.put(("docs", "v1"), "a", {"text": "sugar", "stars": 1})
    store.put(("users", "ann"), "gone", {"text": "x"})
    store.delete(("users", "ann"), "gone")
    first = store.get(("docs", "v1"), "a")
    store.put(("docs", "v1"), "a", {"text": "salt", "stars": 2})
    second = store.get(("docs", "v1"), "a")
    assert type(first) is Item and second.created_at == first.created_at and second.updated_at >= first.updated_at
    assert (second.namespace, second.key, second.value) == (("docs", "v1"), "a", {"text": "salt", "stars": 2})
    assert store.get(("users", "ann"), "a").value["tags"] == ["x"]
    assert store.get(("users", "ann"), "gone") is None and store.get(("users",), "a") is None
    everything = store.search(())
    assert all(type(item) is SearchItem for item in everything)
    assert keys(everything) == ["a", "b:c/d é", "a"] and everything[0].namespace == ("docs", "v1")
    assert keys(store.search(("users", "ann"))) == ["b:c/d é", "a"]
    assert keys(store.search(("users", "an"))) == []
    assert len(store.search((), limit=2, offset=1)) == 2 and store.search((), offset=5) == []
    assert store.batch([PutOp(("n",), "k", {"v": 1}), GetOp(("n",), "k"), PutOp(("n",), "k", {"v": 2})]) == [None] * 3
    assert store.get(("n",), "k").value == {"v": 2}


def test_filters_items(store: Any) -> None:
    store.put(("n",), "five", {"stars": 5, "text": "tea"})
    store.put(("n",), "two", {"stars": 2, "text": "salt", "deep": {"a": 1, "z": 0}, "more": {"b": [1, {"c": 2, "z": 0}]}})
    for filter, found in [
        ({"stars": 5}, ["five"]),
        ({"stars": {"$gt": 2, "$lte": 5}}, ["five"]),
        ({"stars": {"$ne": 5}, "text": "salt"}, ["two"]),
        ({"stars": {"$lt": 5}}, ["two"]),
        ({"stars": {"$gte": 2, "$in": [2, 3]}}, ["two"]),
        ({"text": {"$nin": ["salt"]}}, ["five"]),
        ({"text": {"$gt": 1}}, []),
        ({"deep": {"a": 1}}, ["two"]),
        ({"deep": {"a": 2}}, []),
        ({"deep": {}}, ["two"]),
        ({"deep": {"a": {"$gt": 0}}}, ["two"]),
        ({"more": {"b": [1, {"c": 2}]}}, ["two"]),
        ({"more": {"b": [1]}}, []),
        ({"more": {"b": {"c": 2}}}, []),
        ({}, ["two", "five"]),
    ]:
        assert keys(store.search(("n",), filter=filter)) == found, filter
    with pytest.raises(ValueError, match=r"Unsupported operator: \$near"):
        store.search(("n",), filter={"stars": {"$near": 5}})
    with pytest.raises(ValueError, match="Unknown operation"):
        store.batch(["put"])


def test_lists_namespaces(store: Any) -> None:
    for namespace in [("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "d", "i"), ("a", "b", "f"), ("a", "c", "f")]:
        store.put(namespace, "k", {"v": 1})
    assert store.list_namespaces(prefix=("a", "b"), max_depth=3) == [("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")]
    assert store.list_namespaces(suffix=("f",)) == [("a", "b", "f"), ("a", "c", "f")]
    assert store.list_namespaces(prefix=("a", "*"), suffix=("i",)) == [("a", "b", "d", "i")]
    assert store.list_namespaces(limit=1, offset=1) == [("a", "b", "d", "e")]
    assert store.list_namespaces(prefix=("a", "b", "c", "d")) == []


def test_finds_by_words_within_a_namespace(store: Any) -> None:
    store.put(("users", "1"), "a", {"text": "Ann drinks green tea every morning"})
    store.put(("users", "10"), "a", {"text": "Bob drinks green tea every morning"})
    store.put(("users", "1"), "b", {"deep": [{"note": "tea for guests"}]})
    found = store.search(("users", "1"), query="green tea")
    assert keys(found) == ["a", "b"] and found[0].score > found[1].score > 0
    assert len(store.search(("users",), query="green tea", limit=1, offset=1)) == 1
    assert store.search(("users",), query="tea", filter={"text": "nobody"}) == []
    assert store.search((), query="tea", limit=0) == []


def test_forgets_the_old_words(store: Any, client: MemoryClient) -> None:
    store.put(("n",), "k", {"text": "violin"})
    store.put(("n",), "k", {"text": "piano"})
    assert store.search(("n",), query="violin") == [] and len(store.search(("n",), query="piano")) == 1
    store.delete(("n",), "k")
    assert store.search(("n",), query="piano") == [] and client.query_knowledge("piano").count == 0


def test_indexes_only_the_requested_fields(store: Any) -> None:
    value = {"title": "violin", "chapters": [{"text": "piano"}, {"text": "harp"}], "count": None}
    store.put(("n",), "some", value, ["chapters[-1].text", "title", "count.x", "nowhere"])
    store.put(("n",), "none", {"title": "cello"}, False)
    found = {word: keys(store.search(("n",), query=word)) for word in ["violin", "harp", "piano", "cello"]}
    assert found == {"violin": ["some"], "harp": ["some"], "piano": [], "cello": []}
    store.put(("n",), "some", value, ["chapters[*].text"])
    assert keys(store.search(("n",), query="piano")) == ["some"]
    store.put(("n",), "some", value, False)
    assert store.search(("n",), query="harp") == [] and store.get(("n",), "some").value == value


def test_is_isolated_from_other_names_and_users(store: Any, client: MemoryClient, server: Server) -> None:
    from memhall.langgraph import MemhallStore

    store.put(("n",), "k", {"text": "violin"})
    service = MemoryClient(server.url, server.token("robot", roles=["service"]))
    for other in [MemhallStore(client, name="other"), MemhallStore(service.with_options(user_id="someone"))]:
        assert other.get(("n",), "k") is None
        assert other.search((), query="violin") == [] and other.search(()) == []
    user = test_is_isolated_from_other_names_and_users.__name__
    assert len(MemhallStore(service.with_options(user_id=user)).search((), query="violin")) == 1


def test_is_asynchronous_too(store: Any) -> None:
    async def run() -> None:
        await asyncio.gather(*(store.aput(("n",), str(number), {"v": number}) for number in range(4)))
        assert (await store.aget(("n",), "3")).value == {"v": 3}

    asyncio.run(run())


def test_has_the_items_of_the_typescript_store(store: Any, client: MemoryClient) -> None:
    store.put(("users", "ann"), "b:c/d é\n\x01\u2028", {"v": 1})
    (entry,) = client.all_plan_state("langgraph:store")
    text = '[["users","ann"],"b:c/d é\\n\\u0001\u2028"]'
    assert entry.key == hashlib.sha256(text.encode()).hexdigest()
    assert entry.key == "e6dc93f6ef76eee8751ed9f3d0b3a8fcdea9d68c110d8a1d639222469e189ab1"
    assert set(entry.value) == {"namespace", "key", "value", "memory_id"}


@pytest.mark.skipif(not has_langgraph, reason="MEMHALL_TEST_LONG=1 npm run test:python installs LangGraph")
def test_answers_as_a_store_of_langgraph(store: Any) -> None:
    from langgraph.store.base import GetOp, Item, ListNamespacesOp, PutOp, SearchOp
    from langgraph.store.memory import InMemoryStore

    def plain(result: Any) -> Any:
        if isinstance(result, Item):
            return result.namespace, result.key, result.value
        return sorted(map(plain, result), key=repr) if isinstance(result, list) else result

    def outcome(of: Any, ask: Any) -> Any:
        try:
            return plain(ask(of))
        except Exception as error:
            return type(error), str(error).replace(type(of).__name__, "")

    other = InMemoryStore()
    values = [{"stars": 5, "tags": ["x"], "none": None}, {"stars": 1.5, "deep": {"a": 1, "b": [2, {"c": 3}]}}, {}]
    places = [(("users", "ann"), "a"), (("users", "ann", "notes"), "b:c/d é"), (("users", "bob"), ""), (("docs", "v1"), "a")]
    refused = [(), ("a.b",), ("langgraph", "x"), ("",)]
    names = [("users",), ("user",), ("users", "ann"), ("users", "*"), ("*", "ann"), ("*",)]
    filters = [{"stars": 5}, {"stars": {"$ne": 5}}, {"stars": "5"}, {"tags": ["x"]}, {"tags": "x"}, {"tags": []}, {"none": None}]
    filters += [{"deep": deep} for deep in [{}, {"a": 1}, {"a": {"$eq": 1}}, {"b": [2, {"c": 3}]}, {"b": [2]}, [1], {"q": None}]]
    filters += [{"stars": {"$near": 1}}, {"missing": None}, {"missing": {"$eq": None}}]
    asked = [
        *[lambda of, at=at, n=n: of.put(*at, values[n % 3]) for n, at in enumerate(places)],
        *[lambda of, name=name: of.put(name, "k", {"v": 1}) for name in refused],
        lambda of: of.put(("n",), "k", {"v": 1}, ttl=5),
        *[lambda of, name=name: of.search(name) for name in [(), *names[:3]]],
        *[lambda of, one=one: of.search((), filter=one) for one in filters],
        *[lambda of, name=name: of.list_namespaces(prefix=name) for name in names],
        *[lambda of, name=name: of.list_namespaces(suffix=name) for name in names],
        *[lambda of, depth=depth: of.list_namespaces(max_depth=depth) for depth in [0, 1, 2, 9]],
        lambda of: of.list_namespaces(limit=2, offset=1),
        lambda of: of.batch([PutOp(("n",), "k", {"v": 1}), GetOp(("n",), "k"), PutOp(("n",), "k", {"v": 2}), SearchOp(("n",))]),
        lambda of: of.batch([GetOp(("n",), "k"), PutOp(("n",), "k", None), ListNamespacesOp(None, None, 100, 0)]),
        lambda of: of.delete(("n",), "k"),
        lambda of: (of.get(("n",), "k"), of.search((), limit=0), len(of.search((), limit=2, offset=2))),
        lambda of: of.batch(["put"]),
    ]
    for number, ask in enumerate(asked):
        assert outcome(store, ask) == outcome(other, ask), number
