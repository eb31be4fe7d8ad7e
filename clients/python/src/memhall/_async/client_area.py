"""What all clients share."""

from __future__ import annotations

import copy
import dataclasses
from types import TracebackType
from typing import Any, AsyncIterator, Awaitable, Callable, Optional, Type, TypeVar

import httpx

from .._requests import Call, Options
from ..errors import NotFoundError
from .transport import AsyncToken, AsyncTransport

Self = TypeVar("Self", bound="AsyncClientArea")


class AsyncClientArea:
    """
    :param base_url: for example ``http://127.0.0.1:8010``
    :param token: a token, or a function that returns one and is called before every attempt
    :param timeout: seconds that one attempt may take
    :param retries: how often a call that is safe to repeat is sent again if the server is unreachable, busy or over quota
    :param user_id: the user that a service token acts for
    :param off_the_record: store nothing that the calls bring
    :param http: an HTTP client of your own, which is not closed
    """

    def __init__(
        self,
        base_url: str,
        token: AsyncToken,
        *,
        timeout: float = 30.0,
        retries: int = 2,
        user_id: Optional[str] = None,
        off_the_record: bool = False,
        http: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._transport = AsyncTransport(base_url, token, http)
        self._options = Options(timeout=timeout, retries=retries, user_id=user_id, off_the_record=off_the_record)

    def with_options(self: Self, **changes: Any) -> Self:
        """Returns a client on the same connections with other options: ``timeout``, ``retries``, ``user_id``, ``off_the_record``."""
        other = copy.copy(self)
        other._options = dataclasses.replace(self._options, **changes)
        return other

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._transport.aclose()

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.aclose()

    async def _answer(self, call: Call) -> Any:
        return await self._transport.send(call, self._options)

    async def _find(self, call: Call, missing: str = "NOT_FOUND") -> Any:
        """Returns ``None`` if there is no such thing, which the code says."""
        try:
            return await self._answer(call)
        except NotFoundError as error:
            if error.code != missing:
                raise
            return None

    async def _remove(self, call: Call) -> bool:
        """Returns False if there was no such thing."""
        try:
            await self._answer(call)
        except NotFoundError as error:
            if error.code != "NOT_FOUND":
                raise
            return False
        return True


async def each_item(list_page: Callable[[Optional[str]], Awaitable[Any]], member: str) -> AsyncIterator[Any]:
    """Yields the items of all pages. A page is requested only when its first item is."""
    cursor: Optional[str] = None
    while True:
        page = await list_page(cursor)
        for item in getattr(page, member):
            yield item
        cursor = page.next_cursor
        if cursor is None:
            return
