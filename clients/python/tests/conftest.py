"""Starts a real server for the tests: `npm run build` comes first."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, NamedTuple

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
sys.dont_write_bytecode = True

root = Path(__file__).parents[3]
command = ["node", str(root / "packages" / "server" / "bin" / "memhall.js")]


class Server(NamedTuple):
    url: str
    token: Callable[..., str]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    secret = secrets.token_hex(32)
    data = tmp_path_factory.mktemp("data")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("MEMHALL_")},
        "MEMHALL_JWT_SECRET": secret,
        "MEMHALL_EMBEDDER": "none",
    }
    ports = ["--port", "0", "--plugin-port", "off"]
    process = subprocess.Popen(
        [*command, "serve", "--json", "--data", str(data), *ports],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        yield Server(url, lambda user, **claims: sign(secret, user, claims))
    finally:
        process.terminate()
        process.wait(timeout=30)


def sign(secret: str, user: str, claims: Dict[str, Any]) -> str:
    """Signs a token as `memhall token` does."""
    import base64
    import hashlib
    import hmac

    def encode(value: bytes) -> str:
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()

    now = int(time.time())
    payload = {"tenant_id": "t1", "user_id": user, "iat": now, "exp": now + 600, "jti": secrets.token_hex(8), **claims}
    signed = ".".join(encode(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, payload))
    return f"{signed}.{encode(hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest())}"
