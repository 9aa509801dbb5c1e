"""Petals' own client, as released, in a process of its own: an ordinary caller from outside our code.

Usage: ``python -m tests.bridge.petals_client FOLDER``. Reads ``request.pt`` (initial_peers, prefix,
num_blocks, inputs [1, tokens, hidden], prefill), writes ``answer.pt`` (outputs, spans). With ``member``
(chain, device, members) in it, the process first passes the handshakes of a private swarm with a gate of
ours; Petals then uses the same p2pd through hivemind's own classes.
"""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import os
import sys
import threading
from pathlib import Path
from typing import Any

import torch

from swarm_app.bridge import compat


def become_member(folder: Path, request: dict[str, Any]) -> Any:
    """A swarm that is in, in a loop of its own for as long as the process lasts."""
    from swarm_app.bridge.gate import Gate
    from swarm_app.bridge.swarm import Swarm
    from swarm_app.domain.clock import SystemClock
    from swarm_app.membership.binding import bind
    from swarm_app.membership.certificates import chain_from_list
    from swarm_app.membership.credentials import Credentials, Identity
    from swarm_app.membership.keys import PrivateKey
    from swarm_app.membership.memberlist import MemberList
    from swarm_app.membership.members import Members

    told, clock, identity_key = request["member"], SystemClock(), PrivateKey.generate()
    members = Members(MemberList.from_bytes(told["members"]))

    async def bound(peer_id: str) -> Credentials:
        device = PrivateKey.from_bytes(told["device"])
        binding = bind(device, members.swarm_id, peer_id, identity_key.public, clock.time())
        return Credentials(chain_from_list(told["chain"]), binding, members, "")

    async def open_swarm() -> Swarm:
        gate = Gate(Identity(identity_key, clock), clock, bind=bound, heard=lambda heard: None)
        return await Swarm.open(
            identity_path=folder / "member.id",
            initial_peers=request["initial_peers"],
            serves=False,
            gate=gate,
        )

    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return asyncio.run_coroutine_threadsafe(open_swarm(), loop).result(30)


def main(folder: Path) -> None:
    compat.install()
    from hivemind.dht import DHT
    from petals.client.config import ClientConfig
    from petals.client.remote_sequential import RemoteSequential
    from petals.data_structures import ServerState
    from petals.utils.dht import compute_spans, get_remote_module_infos

    request = torch.load(folder / "request.pt", weights_only=True)
    prefix, num_blocks = request["prefix"], request["num_blocks"]
    options: dict[str, Any] = {}
    if "member" in request:
        swarm = become_member(folder, request)
        options = {"p2p": swarm.p2p, "record_validators": [swarm.gate.seals]}
    dht = DHT(initial_peers=request["initial_peers"], client_mode=True, start=True, **options)
    infos = get_remote_module_infos(dht, [f"{prefix}.{i}" for i in range(num_blocks)], latest=True)
    spans = compute_spans(infos, min_state=ServerState.ONLINE)

    config = ClientConfig(
        initial_peers=request["initial_peers"], dht_prefix=prefix, show_route=False, max_retries=1
    )
    config.num_hidden_layers = num_blocks
    config.hidden_size = request["inputs"].shape[-1]
    layers = RemoteSequential(config, dht=dht)
    inputs = request["inputs"]
    outputs = []
    with torch.inference_mode(), layers.inference_session(max_length=inputs.shape[1]):
        outputs.append(layers(inputs[:, : request["prefill"]]))
        for position in range(request["prefill"], inputs.shape[1]):
            outputs.append(layers(inputs[:, position : position + 1]))
    # Petals' session closes itself once more when it is collected. In the loop's own thread, where that may
    # happen as well as here, it would wait for itself for ever.
    gc.collect()
    gc.disable()
    forward = layers(inputs)
    torch.save(
        {
            "outputs": torch.cat(outputs, dim=1),
            "forward": forward.detach(),
            "spans": sorted((span.start, span.end) for span in spans.values()),
            "names": sorted(str(span.server_info.public_name) for span in spans.values()),
        },
        folder / "answer.pt",
    )
    layers.sequence_manager.shutdown()
    dht.shutdown()


if __name__ == "__main__":
    # Petals retries without end by default; say where it stands instead.
    faulthandler.dump_traceback_later(60, exit=True)
    main(Path(sys.argv[1]))
    # Petals' sessions close themselves again when they are collected, through a worker that is gone by then.
    os._exit(0)
