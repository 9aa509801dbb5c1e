"""Host, Origin, token and size: refused before anything else looks at the request."""

from __future__ import annotations

import json

import httpx
import pytest

from swarm_app.domain.errors import Forbidden, Unauthorized
from swarm_app.localapi import server
from swarm_app.localapi.answers import Begun, Done
from swarm_app.localapi.guard import MAX_BODY_BYTES, check_host, check_token
from tests.localapi.fakehost import PORT, ROUTE, TOKEN, FakeHost, web

GOOD_HOSTS = [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LOCALHOST:{PORT}", f"[::1]:{PORT}"]
BAD_HOSTS = [
    "evil.example",
    f"evil.example:{PORT}",
    "127.0.0.1",
    f"127.0.0.1:{PORT + 1}",
    f"127.0.0.1.evil.example:{PORT}",
    f"localhost.:{PORT}",
    f"0.0.0.0:{PORT}",
    "",
]
BAD_ORIGINS = ["https://evil.example", "null", "http://127.0.0.1", f"https://127.0.0.1:{PORT}", "file://"]


@pytest.mark.parametrize("host", GOOD_HOSTS)
async def test_a_loopback_host_is_answered(host: str) -> None:
    async with web(FakeHost(), Host=host) as client:
        assert (await client.get("/api/state")).status_code == 200


@pytest.mark.parametrize("path", ["/api/state", "/api/health", "/v1/models", "/nothing"])
@pytest.mark.parametrize("host", BAD_HOSTS)
async def test_another_host_is_refused_with_the_right_token(host: str, path: str) -> None:
    async with web(FakeHost(), Host=host) as client:
        reply = await client.get(path)
    assert reply.status_code == 403
    assert reply.json()["error"]["code"] == "forbidden"
    assert "access-control-allow-origin" not in reply.headers


def test_two_hosts_or_none_are_refused() -> None:
    for values in ([], [b"127.0.0.1:1", b"127.0.0.1:1"]):
        with pytest.raises(Forbidden):
            check_host(values, 1)
    check_host([b"127.0.0.1"], 80)


@pytest.mark.parametrize("origin", BAD_ORIGINS)
async def test_another_origin_is_refused_with_the_right_token(origin: str) -> None:
    async with web(FakeHost(), Origin=origin) as client:
        assert (await client.get("/api/state")).status_code == 403
        preflight = await client.options("/v1/chat/completions")
    assert preflight.status_code == 403
    assert not [name for name in preflight.headers if name.startswith("access-control")]


async def test_the_own_origin_is_answered() -> None:
    async with web(FakeHost(), Origin=f"http://localhost:{PORT}") as client:
        reply = await client.get("/api/state")
    assert reply.status_code == 200
    assert not [name for name in reply.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        TOKEN,
        f"Basic {TOKEN}",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
    ],
)
@pytest.mark.parametrize("path", ["/api/state", "/api/events", "/v1/models", "/nothing"])
async def test_without_the_token_nothing_is_told(authorization: str, path: str) -> None:
    async with web(FakeHost(), Authorization=authorization) as client:
        reply = await client.get(path)
    assert reply.status_code == 401
    assert reply.headers["www-authenticate"] == "Bearer"
    assert TOKEN not in reply.text


async def test_the_scheme_is_read_in_any_case_and_health_is_public() -> None:
    async with web(FakeHost(), Authorization=f"bearer {TOKEN}") as client:
        assert (await client.get("/api/state")).status_code == 200
    async with web(FakeHost(), Authorization="") as client:
        assert (await client.get("/api/health")).json() == {"ok": True}


def test_an_empty_token_admits_nobody() -> None:
    with pytest.raises(ValueError, match="token"):
        server.build(FakeHost(), "", PORT)
    for given in ([], [b""], [b"Bearer"], [b"Bearer "], [b"Bearer x"]):
        with pytest.raises(Unauthorized):
            check_token(given, b"")
    with pytest.raises(Unauthorized):
        check_token([b"Bearer t", b"Bearer t"], b"t")
    check_token([b"Bearer t"], b"t")


async def test_a_body_that_is_too_large_is_refused_unread() -> None:
    host = FakeHost()
    host.script = [Begun(1, 0, ROUTE), Done("stop", 1, 0, (), None)]
    body = json.dumps({"messages": [{"role": "user", "content": "x" * MAX_BODY_BYTES}]})
    async with web(host) as client:
        declared = await client.post(
            "/v1/chat/completions", content=body, headers={"content-type": "application/json"}
        )

        async def pieces() -> object:
            for start in range(0, len(body), 1 << 20):
                yield body[start : start + (1 << 20)].encode()

        chunked = await client.post(
            "/v1/chat/completions",
            content=pieces(),  # type: ignore[arg-type]
            headers={"content-type": "application/json"},
        )
        most = json.dumps({"messages": [{"role": "user", "content": "x" * (MAX_BODY_BYTES - 60)}]})
        fits = await client.post(
            "/v1/chat/completions",
            content=most.replace('"x', '" ', 1),
            headers={"content-type": "application/json"},
        )
    for reply in (declared, chunked):
        assert reply.status_code == 413
        assert "8 MiB" in reply.json()["error"]["message"]
    assert fits.status_code == 200
    assert len(host.asked) == 1


async def test_what_is_not_there_is_said_in_json() -> None:
    async with web(FakeHost()) as client:
        missing = await client.get("/v1/embeddings")
        wrong = await client.get("/v1/chat/completions")
        typed = await client.post(
            "/v1/chat/completions", content=b"{}", headers={"content-type": "text/plain"}
        )
    assert (missing.status_code, missing.json()["error"]["message"]) == (404, "There is no /v1/embeddings.")
    assert wrong.status_code == 405
    assert wrong.headers["allow"] == "POST"
    assert typed.status_code == 415


async def test_shutdown_and_retry() -> None:
    host = FakeHost()
    async with web(host) as client:
        assert (await client.get("/api/shutdown")).status_code == 405
        assert host.stopped == []
        assert (await client.post("/api/shutdown")).status_code == 202
        assert len(host.stopped) == 1
        assert (await client.post("/api/children/engine/retry")).status_code == 202
        assert (await client.post("/api/children/nothing/retry")).status_code == 400


async def test_an_unexpected_error_is_a_sentence_without_details(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(FakeHost):
        def model(self) -> object:  # type: ignore[override]
            raise RuntimeError("something with a secret in it")

    async with web(Broken()) as client:
        reply = await client.get("/v1/models")
    assert reply.status_code == 500
    assert "secret" not in reply.text
    assert "something with a secret in it" in caplog.text
    assert isinstance(reply, httpx.Response)
