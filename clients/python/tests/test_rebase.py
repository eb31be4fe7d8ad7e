from __future__ import annotations

import asyncio
import json
import random
import subprocess
from typing import Any, Dict, List

import pytest
from conftest import Server, root

from memhall import (
    AsyncDocumentsClient,
    DocumentsClient,
    PatchConflictError,
    PatchRejectedError,
)
from memhall._json_patch import Refusal, apply_patch
from memhall._rebase import Divergence, rebase_patch
from test_documents import append, connect, patch_of, place


def preferences(memory: DocumentsClient) -> List[str]:
    read = memory.documents.get(*place)
    assert read is not None
    return list(read.document.content["preferences"])


def test_a_stale_patch_keeps_what_others_changed(server: Server) -> None:
    memory = connect(server, "kim")
    documents = memory.documents
    for preference in ["tea", "milk", "honey"]:
        documents.patch(*place, append(preference), **({"create": True} if preference == "tea" else {"if_match": "*"}))
    base = documents.get(*place)
    documents.patch(*place, patch_of(op="remove", path="/content/preferences/0"), if_match="*")
    remove = patch_of(op="remove", path="/content/preferences/2")
    written = documents.patch_with_rebase(*place, remove, base=base)
    assert written.document.content["preferences"] == ["milk"] == preferences(memory)
    documents.patch(*place, patch_of(op="replace", path="/content/preferences/0", value="oats"), if_match="*")
    with pytest.raises(PatchConflictError) as conflict:
        change = patch_of(op="replace", path="/content/preferences/1", value="cream")
        documents.patch_with_rebase(*place, change, base=base)
    assert "/content/preferences/1: it was changed or removed concurrently" in str(conflict.value)
    assert conflict.value.latest is not None and conflict.value.latest.document.content["preferences"] == ["oats"]
    with pytest.raises(PatchRejectedError):
        documents.patch_with_rebase(*place, patch_of(op="remove", path="/content/preferences/9"), base=base)


def test_a_patch_for_no_document_only_appends(server: Server) -> None:
    memory = connect(server, "lea")
    assert memory.documents.patch_with_rebase(*place, append("tea"), base=None).document.content["preferences"] == ["tea"]
    memory.documents.patch_with_rebase(*place, append("milk"), base=None, idempotency_key="lea-1")
    assert memory.documents.patch_with_rebase(
        *place, append("milk"), base=None, idempotency_key="lea-1"
    ).idempotency_replay
    assert preferences(memory) == ["tea", "milk"]
    with pytest.raises(PatchConflictError, match="created by someone else first"):
        whole = patch_of(op="add", path="/content/preferences", value=["coffee"])
        memory.documents.patch_with_rebase(*place, whole, base=None)
    with pytest.raises(PatchConflictError, match="keeps being changed"):
        memory.documents.patch_with_rebase(*place, append("x"), base=None, rebases=0)
    base = memory.documents.get(*place)
    memory.forget()
    with pytest.raises(PatchConflictError, match="was deleted") as conflict:
        memory.documents.patch_with_rebase(*place, append("x"), base=base)
    assert conflict.value.latest is None


def test_racing_writers_lose_nothing(server: Server) -> None:
    async def run() -> None:
        token = server.token("mia")
        async with AsyncDocumentsClient(server.url, token, tenant_id="t1", user_id="mia") as memory:
            names = [f"writer {number}" for number in range(8)]
            await asyncio.gather(
                *(memory.documents.patch_with_rebase(*place, append(name), base=None, rebases=20) for name in names)
            )
            read = await memory.documents.get(*place)
            assert read is not None and sorted(read.document.content["preferences"]) == names

    asyncio.run(run())


def test_rebases_as_the_typescript_client_does() -> None:
    cases = [_case(random.Random(seed)) for seed in range(3000)]
    program = """
import { rebasePatch } from './packages/core/dist/index.js';
let text = '';
for await (const chunk of process.stdin) text += chunk;
const outcomes = JSON.parse(text).map((input) => {
  try {
    return rebasePatch(input);
  } catch (error) {
    return error.code;
  }
});
process.stdout.write(JSON.stringify(outcomes));
"""
    node = ["node", "--input-type=module", "-e", program]
    done = subprocess.run(node, input=json.dumps(cases), capture_output=True, text=True, check=True, cwd=root)
    outcomes = json.loads(done.stdout)
    for case, outcome in zip(cases, outcomes):
        assert _outcome(case) == outcome, json.dumps(case)
    kinds = {next(iter(one)) if isinstance(one, dict) else one for one in outcomes}
    assert kinds == {"ops", "conflict", "PATCH_APPLY_FAILED"}


def _outcome(case: Dict[str, Any]) -> Any:
    base, latest, ops = case["base"], case["latest"], case["ops"]
    rebased: List[Any] = []
    try:
        rebased = rebase_patch(base, latest, ops)
    except Refusal:
        return "PATCH_APPLY_FAILED"
    except Divergence as conflict:
        # The operations before the conflicting one can be rebased.
        index = next(at for at in range(len(ops)) if _diverges(base, latest, ops[: at + 1]))
        return {"conflict": {"index": index, "path": conflict.path, "reason": str(conflict)}}
    apply_patch(latest, rebased)
    return {"ops": rebased}


def _diverges(base: Any, latest: Any, ops: List[Any]) -> bool:
    try:
        rebase_patch(base, latest, ops)
    except Divergence:
        return True
    return False


_names = ["a", "b", "", "x/y", "~1", "0", "-"]


def _case(chance: random.Random) -> Dict[str, Any]:
    """Returns two versions of a small document, with few different values, and a patch for the first."""
    base = _value(chance, 3)
    latest = base
    for _ in range(chance.randrange(4)):
        try:
            latest = apply_patch(latest, [_operation(chance, latest)])
        except Refusal:
            pass
    ops: List[Any] = []
    current = base
    for _ in range(chance.randrange(5)):
        operation = _operation(chance, current)
        try:
            current = apply_patch(current, [operation])
        except Refusal:
            if chance.random() < 0.95:
                continue
        ops.append(operation)
    return {"base": base, "latest": latest, "ops": ops}


def _value(chance: random.Random, depth: int) -> Any:
    kind = chance.random()
    if depth == 0 or kind < 0.3:
        return chance.choice([None, True, False, 0, 1, 1.5, "", "a"])
    if kind < 0.65:
        return [_value(chance, depth - 1) for _ in range(chance.randrange(5))]
    return {chance.choice(_names): _value(chance, depth - 1) for _ in range(chance.randrange(4))}


def _operation(chance: random.Random, document: Any) -> Dict[str, Any]:
    kind = chance.choice(["add", "replace", "remove", "test", "move", "copy"])
    path, value = _place(chance, document)
    if kind in ("move", "copy"):
        return {"op": kind, "from": path, "path": _place(chance, document, adding=True)[0]}
    if kind == "remove":
        return {"op": kind, "path": path}
    if kind == "test":
        return {"op": kind, "path": path, "value": value}
    if kind == "add":
        path = _place(chance, document, adding=True)[0]
    return {"op": kind, "path": path, "value": _value(chance, 1)}


def _place(chance: random.Random, value: Any, adding: bool = False) -> Any:
    path = ""
    while isinstance(value, (dict, list)) and chance.random() < 0.8:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys or (adding and chance.random() < 0.4):
            key = chance.choice(_names) if isinstance(value, dict) else chance.choice([len(value), "-"])
            return f"{path}/{_escape(key)}", None
        key = chance.choice(keys)
        path, value = f"{path}/{_escape(key)}", value[key]
    return path, value


def _escape(key: Any) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")
