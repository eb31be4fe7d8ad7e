"""State machines that outlive their planners."""

from __future__ import annotations

from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Type, TypeVar

from .. import _models as models
from .._state import WaitingPlan, max_tries
from ..errors import EtagMismatchError
from .memory import AsyncMemoryClient

Self = TypeVar("Self", bound="AsyncPlanContext")


class AsyncPlanContext:
    """
    A state machine that outlives its planner. It advances on events and is restored by the id of the event it is waiting
    for. Every change raises EtagMismatchError if another planner has advanced the plan: restore it and decide again.

    :param plan: mapping with ``plan_id``, ``goal_event`` and, if known, ``goal_data``, ``response_event``, ``session_id``,
        ``parent_plan_id``, ``current_state``, ``state``
    """

    def __init__(self, memory: AsyncMemoryClient, plan: Mapping[str, Any]) -> None:
        self._memory = memory
        self._fields = plan
        #: State of the planner. ``save`` and every transition store it.
        self.state: Dict[str, Any] = dict(plan.get("state") or {})
        self._plan: Optional[models.Plan] = None

    @classmethod
    async def restore(cls: Type[Self], memory: AsyncMemoryClient, plan_id: str) -> Optional[Self]:
        """Returns ``None`` if there is no such plan."""
        return cls._from(memory, await memory.get_plan(plan_id))

    @classmethod
    async def restore_by_correlation(cls: Type[Self], memory: AsyncMemoryClient, correlation_id: str) -> Optional[Self]:
        """Returns ``None`` if no plan is waiting for this event."""
        return cls._from(memory, await memory.get_plan_by_correlation(correlation_id))

    @classmethod
    def _from(cls: Type[Self], memory: AsyncMemoryClient, found: Optional[models.Plan]) -> Optional[Self]:
        if found is None:
            return None
        plan = cls(memory, {"plan_id": found.plan_id, "goal_event": found.goal_event})
        plan._take(found)
        return plan

    @property
    def plan_id(self) -> str:
        return str(self._fields["plan_id"])

    @property
    def goal_event(self) -> str:
        return str(self._fields["goal_event"])

    @property
    def goal_data(self) -> Mapping[str, Any]:
        return self._plan.goal_data if self._plan is not None else self._fields.get("goal_data") or {}

    @property
    def status(self) -> str:
        return self._plan.status if self._plan is not None else "running"

    @property
    def current_state(self) -> Optional[str]:
        """Current state of the state machine."""
        return self._plan.current_state if self._plan is not None else self._fields.get("current_state")

    @property
    def response_event(self) -> Optional[str]:
        """The event to send in response to the goal."""
        return self._plan.response_event if self._plan is not None else self._fields.get("response_event")

    @property
    def correlation_ids(self) -> Sequence[str]:
        """Ids of the events that the plan is waiting for."""
        return self._plan.correlation_ids if self._plan is not None else []

    async def save(self) -> None:
        """Creates the plan, or stores its state if it exists. Creation raises ConflictError if the id is taken."""
        if self._plan is not None:
            await self._change({})
        else:
            self._take(await self._memory.create_plan({**self._fields, "state": self.state}))

    async def transition(self, to: str, *, wait_for: Sequence[str] = ()) -> None:
        """Advances the state machine, sets the events to wait for next, and stores the state."""
        if self._plan is None:
            await self.save()
        await self._change({"current_state": to, "correlation_ids": list(wait_for)})

    async def receive(
        self, correlation_id: str, change: Optional[Callable[[WaitingPlan], Mapping[str, Any]]] = None
    ) -> bool:
        """
        Handles an awaited event: stops waiting for it and stores what ``change`` returns, in one write. Returns True for
        exactly one planner, however often the event is delivered. If the planner dies before that, nothing has changed and the
        event can be delivered again. ``change`` may run several times; without it, the state stays. Discards unsaved state.
        """
        for tries_left in range(max_tries - 1, -1, -1):
            plan = await self._memory.get_plan(self.plan_id)
            if plan is None:
                return False
            self._take(plan)
            if correlation_id not in plan.correlation_ids:
                return False
            left = [id for id in plan.correlation_ids if id != correlation_id]
            changed = change(WaitingPlan(plan.state, left)) if change is not None else {}
            try:
                changes = {"correlation_ids": left, **changed}
                self._take(await self._memory.update_plan(self.plan_id, changes, if_match=plan.etag))
                return True
            except EtagMismatchError:
                if tries_left == 0:
                    raise
        return False

    async def pause(self) -> None:
        await self._become("paused")

    async def resume(self) -> None:
        await self._become("running")

    async def complete(self) -> None:
        await self._become("completed")

    async def fail(self) -> None:
        await self._become("failed")

    async def cancel(self) -> None:
        await self._become("cancelled")

    async def delete(self) -> None:
        """Deletes the plan and its working memory."""
        await self._memory.delete_plan(self.plan_id)
        self._plan = None

    async def _become(self, status: str) -> None:
        """Raises ConflictError if the plan has already finished with a different status."""
        if self._plan is None:
            await self.save()
        change: Dict[str, Any] = {"status": status}
        if status not in ("running", "paused"):
            change["correlation_ids"] = []
        await self._change(change)

    async def _change(self, change: Mapping[str, Any]) -> None:
        etag = self._plan.etag if self._plan is not None else None
        changed = {**change, "state": self.state}
        self._take(await self._memory.update_plan(self.plan_id, changed, if_match=etag))

    def _take(self, plan: models.Plan) -> None:
        self._plan = plan
        self.state = plan.state
