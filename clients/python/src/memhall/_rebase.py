"""Patches for documents that others changed since. The rules are those of the TypeScript client; a test compares the two."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, Dict, Hashable, List, Mapping, Optional, Sequence, Set, Tuple, Union

from ._json_patch import Draft, Refusal, apply_patch, child_of, format_pointer, identity_of, missing, parse_pointer
from ._models import DocumentAnswer
from ._requests import to_wire
from .errors import PatchConflictError, PatchRejectedError

Operation = Mapping[str, Any]


class Divergence(Exception):
    """A change cannot be made on both sides. ``path`` is a pointer to the conflicting value, on this side."""

    def __init__(self, path: Sequence[str], reason: str = "it was changed or removed concurrently") -> None:
        super().__init__(reason)
        self.path = format_pointer(path)


def rebase_document_patch(
    base: Optional[DocumentAnswer], latest: DocumentAnswer, operations: Sequence[Operation]
) -> List[Dict[str, Any]]:
    """Returns the operations for the current document. Raises PatchConflictError, and PatchRejectedError if they never applied."""
    # Without a base document, only appends still have the same meaning.
    if base is None and not all(one["op"] == "add" and one["path"].endswith("/-") for one in operations):
        raise PatchConflictError("The document was created by someone else first.", latest)
    before, after = (to_wire(dataclasses.asdict(one.document)) for one in (base or latest, latest))
    try:
        return rebase_patch(before, after, operations)
    except Divergence as conflict:
        message = f"The patch conflicts with another change at {conflict.path}: {conflict}."
        raise PatchConflictError(message, latest) from None
    except Refusal as refusal:
        raise PatchRejectedError("PATCH_APPLY_FAILED", f"The patch does not apply: {refusal}.") from None


def rebase_patch(base: Any, latest: Any, operations: Sequence[Operation]) -> List[Dict[str, Any]]:
    """
    Returns operations that do to ``latest`` what the given ones do to ``base``, and keep what others changed. Array elements
    are followed to their current index. Any doubt raises Divergence. Raises Refusal if the operations do not apply to ``base``.
    """
    apply_patch(base, operations)
    documents = _PairedDocuments(base, latest)
    return [rebased for operation in operations for rebased in _carry_over(documents, operation)]


def _carry_over(documents: _PairedDocuments, operation: Operation) -> List[Dict[str, Any]]:
    kind, path = operation["op"], operation["path"]
    if kind == "add":
        return [{**operation, "path": documents.add(path, operation["value"])}]
    if kind == "replace":
        return [{**operation, "path": documents.replace(path, operation["value"])}]
    if kind == "test":
        return [{**operation, "path": documents.locate(path, operation["value"])}]
    if kind == "remove":
        there = documents.remove(path)
        return [] if there is None else [{"op": "remove", "path": there}]
    value = documents.take(operation["from"])
    source = documents.locate(operation["from"], value)
    if kind == "copy":
        return [{"op": "copy", "from": source, "path": documents.add(path, value)}]
    if operation["from"] == path:
        return [{"op": "move", "from": source, "path": source}]
    documents.remove(operation["from"])
    target = documents.add(path, value)
    # The target is relative to the document after the removal, so it can look as if it were inside the source.
    if target.startswith(f"{source}/"):
        return [{"op": "remove", "path": source}, {"op": "add", "path": target, "value": value}]
    return [{"op": "move", "from": source, "path": target}]


@dataclasses.dataclass
class _Pair:
    """A value that exists on both sides. Its contents are compared before anything inside it changes."""

    contents: Optional[_Contents] = None
    #: The other side made the same change. The result belongs to both, so it may be added to but not changed again.
    agreed: bool = False

    def holds_agreed(self) -> bool:
        children = self.contents.children.values() if self.contents is not None else ()
        return self.agreed or any(child.holds_agreed() for child in children)


@dataclasses.dataclass
class _Contents:
    elements: Optional[_PairedArray]
    #: By the name of a member or the id of an element.
    children: Dict[Union[str, int], _Pair] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class _Place:
    path: List[str]
    path_there: List[str]
    here: Any
    there: Any
    pair: _Pair
    parent: Optional[_Place]

    @property
    def differs(self) -> bool:
        if self.here is missing or self.there is missing:
            return self.here is not self.there
        return identity_of(self.here) != identity_of(self.there)

    def enter(self) -> _Contents:
        here, there, pair = self.here, self.there, self.pair
        is_array = isinstance(here, list) and isinstance(there, list)
        if not is_array and not (isinstance(here, dict) and isinstance(there, dict)):
            raise Divergence(self.path)
        if pair.contents is None:
            pair.contents = _Contents(_PairedArray(here, there) if is_array else None)
        return pair.contents

    def step(self, key: str) -> _Place:
        path = [*self.path, key]
        contents = self.enter()
        key_there, id = key, key  # type: str, Union[str, int]
        if contents.elements is not None:
            index = contents.elements.find(int(key))
            if index is None:
                raise Divergence(path)
            key_there, id = str(index), contents.elements.here[int(key)]
        pair = contents.children.setdefault(id, _Pair())
        return _Place(
            path, [*self.path_there, key_there], child_of(self.here, key), child_of(self.there, key_there), pair, self
        )


class _PairedDocuments:
    """
    Two versions of a document to which the same changes are applied. Every difference between them existed at the start and
    is a change made by others. Methods take pointers into the one here and return pointers into the one there.
    """

    def __init__(self, here: Any, there: Any) -> None:
        self._here = Draft(here)
        self._there = Draft(there)
        self._root = _Pair()

    def take(self, pointer: str) -> Any:
        return copy.deepcopy(self._here.get(parse_pointer(pointer)))

    def locate(self, pointer: str, value: Any) -> str:
        place = self._find(parse_pointer(pointer))
        if place.there is missing or identity_of(place.there) != identity_of(value):
            raise Divergence(place.path)
        return format_pointer(place.path_there)

    def add(self, pointer: str, value: Any) -> str:
        path = parse_pointer(pointer)
        if not path:
            return self.replace(pointer, value)
        parent, key = self._find(path[:-1]), path[-1]
        elements = parent.enter().elements
        if elements is None:
            return self.replace(pointer, value)
        at_end = key == "-"
        index = len(elements.here) if at_end else int(key)
        gap = len(elements.there) if at_end else elements.find_gap(index)
        if gap is None:
            raise Divergence(path, "the neighbouring elements were changed or removed")
        path_there = [*parent.path_there, key if at_end else str(gap)]
        elements.insert(index, gap)
        self._here.add(path, value)
        self._there.add(path_there, value)
        return format_pointer(path_there)

    def replace(self, pointer: str, value: Any) -> str:
        """Sets a member or an element that others left unchanged or set to the same value."""
        place = self._find_own(parse_pointer(pointer))
        if place.differs:
            if place.there is missing or identity_of(place.there) != identity_of(value):
                raise Divergence(place.path)
            place.pair.agreed = True
        place.pair.contents = None
        is_element = place.parent is not None and isinstance(place.parent.here, list)
        for draft, path in ((self._here, place.path), (self._there, place.path_there)):
            (draft.replace if is_element else draft.add)(path, value)
        return format_pointer(place.path_there)

    def remove(self, pointer: str) -> Optional[str]:
        """Returns ``None`` if others removed the member as well."""
        place = self._find_own(parse_pointer(pointer))
        if place.there is missing:
            place.pair.agreed = True
        elif place.differs:
            raise Divergence(place.path)
        place.pair.contents = None
        contents = place.parent.pair.contents if place.parent is not None else None
        if contents is not None and contents.elements is not None:
            contents.elements.remove(int(place.path[-1]), int(place.path_there[-1]))
        self._here.remove(place.path)
        if place.there is missing:
            return None
        self._there.remove(place.path_there)
        return format_pointer(place.path_there)

    def _find_own(self, path: Sequence[str]) -> _Place:
        """Finds a place. Raises Divergence if changing it would undo a change that others made as well."""
        place = self._find(path)
        if place.pair.holds_agreed():
            raise Divergence(place.path)
        outer = place.parent if place.here is not missing else None
        while outer is not None:
            if outer.pair.agreed:
                raise Divergence(outer.path)
            outer = outer.parent
        return place

    def _find(self, path: Sequence[str]) -> _Place:
        place = _Place([], [], self._here.root, self._there.root, self._root, None)
        for key in path:
            place = place.step(key)
        return place


class _PairedArray:
    """
    Matches the elements of two versions of an array by ids. The common prefix and suffix are paired by position. Between
    them, equal elements are paired in order, but only if both versions have the same number of them.
    """

    def __init__(self, here: Sequence[Any], there: Sequence[Any]) -> None:
        self._original = [identity_of(element) for element in here]
        others = [identity_of(element) for element in there]
        start, end = _common_ends(self._original, others)
        shift = len(here) - len(there)
        self.here = list(range(len(here)))
        self.there = [
            at if at < start else at + shift if at >= len(there) - end else len(here) + at for at in range(len(there))
        ]
        self._next_id = len(here) + len(there)
        #: Values with fewer copies there than here: it is unknown which of the equal elements were removed.
        self._ambiguous: Set[Hashable] = set()
        indices_there = _indices_by_value(others[start : len(there) - end])
        for value, indices in _indices_by_value(self._original[start : len(here) - end]).items():
            matches = indices_there.get(value, [])
            if len(matches) < len(indices):
                self._ambiguous.add(value)
            elif len(matches) == len(indices):
                for at, match in zip(indices, matches):
                    self.there[start + match] = start + at

    def find(self, index: int) -> Optional[int]:
        """Returns an element's index there; ``None`` if it was changed or removed, or may have been."""
        id = self.here[index]
        is_ambiguous = id < len(self._original) and self._original[id] in self._ambiguous
        return None if is_ambiguous or id not in self.there else self.there.index(id)

    def find_gap(self, index: int) -> Optional[int]:
        """Returns where to insert there: first, last, or between the same neighbours; ``None`` if it is unknown."""
        if index == 0:
            return 0
        if index == len(self.here):
            return len(self.there)
        left, right = self.find(index - 1), self.find(index)
        if right is None:
            return None if left is None else left + 1
        return right if left is None or left < right else None

    def insert(self, index: int, index_there: int) -> None:
        self.here.insert(index, self._next_id)
        self.there.insert(index_there, self._next_id)
        self._next_id += 1

    def remove(self, index: int, index_there: int) -> None:
        del self.here[index]
        del self.there[index_there]


def _common_ends(here: Sequence[Hashable], there: Sequence[Hashable]) -> Tuple[int, int]:
    """Returns the lengths of the common prefix and of the common suffix after it."""
    shorter = min(len(here), len(there))
    start = 0
    while start < shorter and here[start] == there[start]:
        start += 1
    end = 0
    while end < shorter - start and here[-1 - end] == there[-1 - end]:
        end += 1
    return start, end


def _indices_by_value(elements: Sequence[Hashable]) -> Dict[Hashable, List[int]]:
    indices: Dict[Hashable, List[int]] = {}
    for index, element in enumerate(elements):
        indices.setdefault(element, []).append(index)
    return indices
