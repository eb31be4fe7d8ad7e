"""Calls through a proxy that fails as networks and busy servers do."""

from __future__ import annotations

import hashlib
import hmac
import http.server
import json
import socket
import threading
import time
from datetime import datetime, timezone
from typing import Iterator, List

import httpx
import pytest
from conftest import Server

from memhall import (
    MemhallError,
    OneMemoryClient,
    QuotaExceededError,
    UnavailableError,
    WebhookSignatureError,
    verify_webhook,
)
from memhall._decode import parse_time


class Proxy:
    def __init__(self, url: str) -> None:
        #: What to respond with before requests are passed on: a status, or None to hang up.
        self.failures: List["int | None"] = []
        self.seen: List[str] = []
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def _pass_on(self) -> None:
                proxy.seen.append(self.command)
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                if proxy.failures:
                    status = proxy.failures.pop(0)
                    if status is not None:
                        self.send_response(status)
                        self.send_header("Retry-After", "0")
                        self.end_headers()
                    return
                headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
                answer = httpx.request(self.command, url + self.path, headers=headers, content=body)
                self.send_response(answer.status_code)
                self.send_header("Content-Type", answer.headers.get("content-type", ""))
                self.end_headers()
                self.wfile.write(answer.content)

            do_GET = do_POST = do_PATCH = _pass_on

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    proxy = Proxy(server.url)
    yield proxy
    proxy.server.shutdown()


def test_repeats_what_is_safe_to_repeat(server: Server, proxy: Proxy) -> None:
    with OneMemoryClient(proxy.url, server.token("retries")) as memory:
        proxy.failures = [503, None]
        assert memory.list_memories().memories == []
        assert proxy.seen == ["GET"] * 3
        proxy.failures, proxy.seen = [502], []
        memory.remember("Once.", idempotency_key="k")
        assert proxy.seen == ["POST"] * 2
        assert len(memory.list_memories().memories) == 1


def test_does_not_repeat_other_calls(server: Server, proxy: Proxy) -> None:
    with OneMemoryClient(proxy.url, server.token("no-retries")) as memory:
        for status, kind in [(503, UnavailableError), (429, QuotaExceededError), (None, UnavailableError)]:
            proxy.failures, proxy.seen = [status], []
            with pytest.raises(kind):
                memory.remember("Never.")
            assert proxy.seen == ["POST"]
        proxy.failures, proxy.seen = [503] * 9, []
        with pytest.raises(UnavailableError):
            memory.with_options(retries=1).list_memories()
        assert proxy.seen == ["GET"] * 2
        proxy.failures = []
        assert memory.list_memories().memories == []


def test_gives_up_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with OneMemoryClient(url, "token", timeout=0.2, retries=0) as memory, pytest.raises(MemhallError) as late:
            memory.list_memories()
        assert late.value.code == "TIMEOUT"


def test_uses_an_http_client_of_ones_own(server: Server) -> None:
    with httpx.Client(headers={"X-Request-Id": "req-from-python"}) as http:
        with OneMemoryClient(server.url, "wrong", http=http) as memory, pytest.raises(MemhallError) as refused:
            memory.list_memories()
        assert refused.value.request_id == "req-from-python"
        assert not http.is_closed


def test_verifies_webhooks() -> None:
    change = {"at": "2026-05-21T09:30:00.000Z", "operation": "memory.remember", "kind": "note", "id": "1"}
    body = json.dumps({"id": "whd_1", "webhook": "crm", "tenant_id": "t", "changes": [change]}).encode()

    def sign(secret: str, at: float) -> str:
        digest = hmac.new(secret.encode(), f"{int(at)}.".encode() + body, hashlib.sha256).hexdigest()
        return f"t={int(at)},v1={digest}"

    now = time.time()
    sent = verify_webhook(body, sign("a secret", now), "a secret")
    assert sent.changes[0].at == datetime(2026, 5, 21, 9, 30, tzinfo=timezone.utc)
    for signature in [None, "", "t=1", sign("another", now), sign("a secret", now - 301)]:
        with pytest.raises(WebhookSignatureError):
            verify_webhook(body, signature, "a secret")
    with pytest.raises(WebhookSignatureError):
        verify_webhook(body + b" ", sign("a secret", now), "a secret")


def test_reads_times_of_any_precision() -> None:
    for text, microsecond in [("00Z", 0), ("00.5Z", 500_000), ("00.123456789Z", 123_456), ("00.123+00:00", 123_000)]:
        assert parse_time(f"2026-01-01T00:00:{text}") == datetime(2026, 1, 1, 0, 0, 0, microsecond, timezone.utc)
