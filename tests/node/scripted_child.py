"""A child that speaks `swarm_app.childproto` and does what it is told, without any model.

    python scripted_child.py blocks|engine|local '{"behaviour": ...}'

Behaviour of the process (JSON object, all optional): ``crash_starts`` (exit code 7, before listening, in so
many first starts), ``complain`` ([code, message, remedy]: a Failed frame, then exit 1), ``starts`` (a file
that gets a line with the first frame at each start), ``deaf`` (ignores Shutdown, SIGTERM and the end of
stdin), ``grandchild`` (a file that gets the pid of a process left behind), ``garbage`` (breaks the protocol
once ready), ``slow_ready_s``, ``mute`` (says nothing more once ready), ``gaps`` (an engine that sees no
blocks), ``peers`` (an engine that sees these too, SeenPeer's fields as objects), ``log`` (a file that gets a
line per message that came, but for what the computer runs on, which is told whenever that is known),
``drains`` (false: a goodnight is never confirmed), ``sessions`` (that blocks say they have).

A question to the engine that begins with "!" holds a JSON object: ``tokens`` (list of texts), ``delay_s``
between them, ``crash_after`` (tokens), ``fail`` ([code, message, remedy]), ``fail_after`` (tokens),
``pause_after`` (tokens, after which the peer goes to sleep and attic takes over), ``going_on`` (what a local
child says where somebody else has begun). Any other question is answered by "Hello there."
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from swarm_app.childpipe import ChildPipe
from swarm_app.childproto import (
    Accepted,
    Announce,
    Cancel,
    Delta,
    Drained,
    Failed,
    Finished,
    Generate,
    Goodnight,
    Listening,
    LocalSeen,
    Message,
    Paused,
    PrepareBlocks,
    Prepared,
    PrepareEngine,
    Priority,
    Progress,
    Ready,
    Resume,
    RouteHop,
    SeenPeer,
    Segment,
    Serving,
    Shutdown,
    StartBlocks,
    StartEngine,
    StartLocal,
    Surroundings,
    SwarmSeen,
)
from swarm_app.domain.pause import Pause
from swarm_app.domain.timing import Timing

NUM_BLOCKS = 8
PEER = {
    "blocks": "12D3KooWBlocksBlocksBlocks",
    "engine": "12D3KooWEngineEngineEngine",
    "attic": "12D3KooWAtticAtticAttic",
}


def leave_behind(file: str) -> None:
    left = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path(file).write_text(str(left.pid))


class Child:
    def __init__(self, role: str, behaviour: dict[str, Any]) -> None:
        self.role = role
        self.behaviour = behaviour
        self.pipe = ChildPipe.over_stdio(end_grace_s=None if behaviour.get("deaf") else 1.0)
        self.answers: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> int:
        first = await self.pipe.receive()
        if isinstance(first, PrepareBlocks | PrepareEngine):
            self.count_start(first)
            self.pipe.send(Progress("loading", 1, 2))
            self.pipe.send(Prepared(500))
            first = await self.pipe.receive()
            if first is None or isinstance(first, Shutdown):
                self.pipe.flush(1)
                return 0
        assert isinstance(first, StartBlocks | StartEngine | StartLocal)
        starts = self.count_start(first)
        if starts <= self.behaviour.get("crash_starts", 0):
            print("Traceback: the scripted child was told to crash", file=sys.stderr)
            return 7
        if complaint := self.behaviour.get("complain"):
            self.pipe.send(Failed(None, *complaint))
            self.pipe.flush(1)
            return 1
        if file := self.behaviour.get("grandchild"):
            leave_behind(file)
        if not isinstance(first, StartLocal):
            self.listen(first)
        self.pipe.send(Progress("loading", 1, 2))
        await asyncio.sleep(self.behaviour.get("slow_ready_s", 0))
        self.pipe.send(Ready(1000))
        self.report(first)
        if self.behaviour.get("garbage"):
            sys.stderr.write("about to break the protocol\n")
            os.write(self.pipe._write_fd, b"\xff\xff\xff\xffnonsense")
        return await self.serve(first)

    def listen(self, first: StartBlocks | StartEngine) -> None:
        port = 40001 if self.role == "blocks" else 40002
        port = getattr(first, "listen_port", 0) or port
        self.pipe.send(Listening(PEER[self.role], [f"/ip4/127.0.0.1/tcp/{port}/p2p/{PEER[self.role]}"]))

    def count_start(self, first: Message) -> int:
        file = self.behaviour.get("starts")
        if not file:
            return 1
        with Path(file).open("a") as out:
            out.write(json.dumps({"pid": os.getpid(), "first": repr(first)}) + "\n")
        return len(Path(file).read_text().splitlines())

    def report(self, first: StartBlocks | StartEngine | StartLocal) -> None:
        if isinstance(first, StartLocal):
            self.pipe.send(LocalSeen(first.name, 2000, len(self.answers), None))
            return
        if isinstance(first, StartBlocks):
            self.pipe.send(Serving(self.behaviour.get("sessions", 0), 0, first.cache_tokens, 0, 1000))
            return
        ours = SeenPeer(PEER["blocks"], first.name, 0, NUM_BLOCKS, "online", True, "", 0.01, 0.001, 100)
        others = [SeenPeer(**peer) for peer in self.behaviour.get("peers", [])]
        self.pipe.send(SwarmSeen(NUM_BLOCKS, others if self.behaviour.get("gaps") else [ours, *others]))

    async def serve(self, first: StartBlocks | StartEngine | StartLocal) -> int:
        while True:
            try:
                message = await asyncio.wait_for(self.pipe.receive(), 1.0)
            except TimeoutError:
                if not self.behaviour.get("mute"):
                    self.report(first)
                continue
            self.log(message)
            match message:
                case Generate():
                    self.answers[message.request_id] = asyncio.create_task(self.answer(message, first.name))
                case Cancel(request_id):
                    if task := self.answers.pop(request_id, None):
                        task.cancel()
                        self.pipe.send(Finished(request_id, "cancelled", 1, 0, [], None))
                case Goodnight():
                    if self.behaviour.get("drains", True):
                        self.pipe.send(Drained(0))
                case Resume() | Announce() | Priority() | Surroundings():
                    pass
                case Shutdown() | None:
                    if self.behaviour.get("deaf"):
                        await asyncio.sleep(0.1)
                        continue
                    self.pipe.flush(1)
                    return 0
                case _:
                    raise AssertionError(message)

    def log(self, message: Message | None) -> None:
        if (file := self.behaviour.get("log")) and not isinstance(message, Surroundings):
            with Path(file).open("a") as out:
                out.write(f"{message!r}\n")

    async def answer(self, ask: Generate, name: str) -> None:
        said = ask.messages[-1].content if ask.messages else ""
        script: dict[str, Any] = (
            json.loads(said[1:]) if said.startswith("!") else {"tokens": ["Hello ", "there."]}
        )
        if "fail" in script and "fail_after" not in script:
            self.pipe.send(Failed(ask.request_id, *script["fail"]))
            return
        local = self.role == "local"
        route = [] if local else [RouteHop(PEER["blocks"], name, 0, NUM_BLOCKS)]
        prompt_tokens = sum(len(message.content.split()) for message in ask.messages)
        if local and ask.partial:
            script = {"tokens": script.get("going_on", ["and so on."])}
        self.pipe.send(Accepted(ask.request_id, prompt_tokens, 0, route, name if local else "tiny"))
        limit = ask.sampling.max_tokens
        tokens = script["tokens"] if limit is None else script["tokens"][:limit]
        pauses: list[Pause] = []
        for index, token in enumerate(tokens):
            if index == script.get("crash_after"):
                os.kill(os.getpid(), signal.SIGKILL)
            if index == script.get("fail_after"):
                self.pipe.send(Failed(ask.request_id, *script["fail"]))
                return
            if index == script.get("pause_after"):
                text = f"{name} went to sleep; moved to attic in 0.4 s"
                pauses.append(
                    Pause("asleep", PEER["blocks"], name, ("attic",), 0.1, 0.2, 0.1, 0.4, index, text)
                )
                route = [RouteHop(PEER["attic"], "attic", 0, NUM_BLOCKS)]
                self.pipe.send(Paused(ask.request_id, pauses[-1], route))
            self.pipe.send(Delta(ask.request_id, token))
            await asyncio.sleep(script.get("delay_s", 0))
        reason = "length" if len(tokens) < len(script["tokens"]) else "stop"
        segment = Segment(*(("local", name) if local else ("swarm", "tiny")), route, len(tokens))
        timing = Timing(0.1, 0.2, 0.01, 0.02)
        self.answers.pop(ask.request_id, None)
        self.pipe.send(
            Finished(ask.request_id, reason, prompt_tokens, len(tokens), [segment], timing, pauses)
        )


if __name__ == "__main__":
    told = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
    if told.get("deaf"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(asyncio.run(Child(sys.argv[1], told).run()))
