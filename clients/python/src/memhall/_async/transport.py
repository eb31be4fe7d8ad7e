"""Sends calls over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Awaitable, Callable, Optional, Union

import httpx

from .._requests import Call, Options, read_response, retry_delay_seconds, to_error, to_network_error, to_request
from ..errors import MemhallError

#: A token, or a function that returns one. The function is called before every attempt, so it can renew the token.
AsyncToken = Union[str, Callable[[], Union[str, Awaitable[str]]]]


class AsyncTransport:
    """Sends calls, and sends them again where that is safe."""

    def __init__(self, base_url: str, token: AsyncToken, http: Optional[httpx.AsyncClient]) -> None:
        self._base_url = base_url
        self._token = token
        self._owns_http = http is None
        self._http = http if http is not None else httpx.AsyncClient()

    async def send(self, call: Call, options: Options) -> Any:
        attempt = 1
        while True:
            try:
                return read_response(call, await self._exchange(call, options))
            except MemhallError as error:
                delay = retry_delay_seconds(call, error, attempt, options)
                if delay is None:
                    raise
            await asyncio.sleep(delay)
            attempt += 1

    async def stream(self, call: Call, options: Options) -> AsyncIterator[str]:
        """Yields the text of a response as it arrives. Between two pieces there is no time limit."""
        request = await self._request(call, options, httpx.Timeout(options.timeout, read=None))
        try:
            response = await self._http.send(request, stream=True)
            try:
                if response.is_error:
                    await response.aread()
                    raise to_error(response)
                async for text in response.aiter_text():
                    yield text
            finally:
                await response.aclose()
        except httpx.TransportError as cause:
            raise to_network_error(call, cause) from cause

    async def aclose(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def _exchange(self, call: Call, options: Options) -> httpx.Response:
        request = await self._request(call, options, httpx.Timeout(options.timeout))
        try:
            return await self._http.send(request)
        except httpx.TransportError as cause:
            raise to_network_error(call, cause) from cause

    async def _request(self, call: Call, options: Options, timeout: httpx.Timeout) -> httpx.Request:
        return to_request(self._http, call, self._base_url, await self._read_token(), options, timeout)

    async def _read_token(self) -> str:
        if isinstance(self._token, str):
            return self._token
        token = self._token()
        return token if isinstance(token, str) else await token
