"""What tasks and plans hand out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional

#: How often a change is made again because others changed the same thing.
max_tries = 100


@dataclass(frozen=True)
class TaskResponse:
    """The response of a finished task."""

    task_id: str
    event: Optional[str]
    topic: str
    result: Any


@dataclass(frozen=True)
class WaitingPlan:
    """A plan that has received an event."""

    state: Dict[str, Any]
    #: Ids of the events that the plan still waits for.
    correlation_ids: List[str]
