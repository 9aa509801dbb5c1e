"""How a state looks: strips, problems, names that try to steer the terminal."""

from __future__ import annotations

import io
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from swarm_app.cli import draw, printable, strips
from swarm_app.cli.console import columns
from swarm_app.cli.talk import about
from swarm_app.domain.route import Hop
from swarm_app.domain.span import Span, gaps
from swarm_app.domain.timing import Timing
from swarm_app.localapi.answers import Done, Segment
from swarm_app.localapi.view import PauseView, PeerView, StateView
from tests.localapi.views import membership


def peer(name: str, start: int, end: int, **other: Any) -> PeerView:
    made = {
        "peer_id": f"Qm{name}",
        "name": name,
        "span": [start, end],
        "state": "available",
        "since": 0.0,
        "on_route": True,
        "avoided_until": None,
        "reason": "",
        "compute_s": 0.005,
        "round_trip_s": None,
        "cache_tokens_left": 8192,
        "this_node": False,
    }
    # What the drawing looks at; the node's own tests see to it that a whole state has all of it.
    return cast(PeerView, made | other)


def child(phase: str = "ready") -> dict[str, Any]:
    return {
        "phase": phase,
        "pid": 1,
        "peer_id": "Qm",
        "addresses": ["/ip4/127.0.0.1/tcp/1/p2p/Qm"],
        "work": None,
        "memory_bytes": 210_000_000,
        "restarts": 0,
        "retry_in_s": None,
        "last_words": [],
        "reason": None,
    }


def state(*peers: PeerView, num_blocks: int = 30) -> StateView:
    missing = gaps([Span(*one["span"]) for one in peers if one["state"] == "available"], num_blocks)
    blocks = {
        **child(),
        "span": [0, 10],
        "sessions": 1,
        "cache_tokens_used": 40,
        "cache_tokens": 8192,
        "steps": 3,
        "withdrawn": False,
        "quiet": False,
    }
    whole = {
        "node": {
            "name": "desk",
            "version": "0.1.0",
            "pid": 1,
            "started_at": 0.0,
            "uptime_s": 125.0,
            "profile": "/p",
            "stopping": False,
            "answers": 1,
            "standby": False,
            "standby_bytes": 94_371_840,
        },
        "model": {"name": "smol", "id": "ab" * 32, "num_blocks": num_blocks, "quant": "int8"},
        "children": {"blocks": blocks, "engine": child()},
        "swarm": {
            "num_blocks": num_blocks,
            "seen": True,
            "peers": list(peers),
            "gaps": [[gap.start, gap.end] for gap in missing],
            "covered": not missing,
            "doubt": "",
            "changes": [],
        },
        "route": [],
        "pauses": [],
        "membership": membership(),
        "power": {
            "on_battery": None,
            "level": None,
            "sleep_coming": False,
            "last_sleep": None,
            "notes": [],
        },
        "link": {"addresses": [], "network": None, "last_change": None, "notes": []},
        "problems": [],
    }
    return cast(StateView, whole)


NOW = 1_700_000_000.0


def plain(value: StateView, glyphs: strips.Glyphs = strips.LETTERS) -> str:
    return "\n".join(line.plain for line in draw.whole(value, glyphs, NOW))


def test_a_covered_swarm_has_a_strip_per_peer_and_no_gap() -> None:
    seen = plain(state(peer("desk", 0, 10, this_node=True), peer("attic", 10, 20), peer("laptop", 20, 30)))
    assert "  desk (here)  ##########....................     0:10  available, 5.0 ms per step" in seen
    assert "  laptop       ....................##########    20:30  available" in seen
    assert "  coverage     ##############################  all 30 blocks" in seen
    assert "Problems" not in seen


def test_limits_of_a_container_are_told_where_they_count() -> None:
    view = state(peer("desk", 0, 30))
    assert "may use" not in plain(view)
    view["node"] |= {"memory_limit_bytes": 4_000_000_000, "processor_limit": 1}
    assert "\n  this container or service may use 4.0 GB of memory and 1 processor" in plain(view)
    view["node"] |= {"memory_limit_bytes": 0, "processor_limit": 3}
    assert "\n  this container or service may use 3 processors" in plain(view)


def test_gaps_and_joining_peers_are_told_apart() -> None:
    seen = plain(
        state(peer("desk", 0, 10), peer("attic", 10, 20, state="joining", on_route=False, reason="starting"))
    )
    assert "10:20  joining, 5.0 ms per step\n" in seen
    assert "##########++++++++++..........  nobody has 10:30" in seen


def test_a_peer_that_cannot_be_used_does_not_cover_and_says_why() -> None:
    view = state(peer("desk", 0, 30, on_route=False, reason="it has another model"))
    assert "not used: it has another model" in plain(view)
    assert "#" not in plain(view)


def test_a_peer_that_is_late_or_avoided_says_so_and_still_covers() -> None:
    seen = plain(
        state(
            peer("desk", 0, 10, reason="takes 0.4 s for a step"),
            peer("attic", 10, 20, avoided_until=NOW + 25),
            peer("laptop", 20, 30, avoided_until=NOW - 1),
        )
    )
    assert "0:10  available, 5.0 ms per step, takes 0.4 s for a step\n" in seen
    assert "10:20  available, 5.0 ms per step, answers go to others for 25 seconds\n" in seen
    assert "20:30  available, 5.0 ms per step\n" in seen
    assert "all 30 blocks" in seen


def test_own_doubt_and_the_price_of_a_standby_are_told() -> None:
    view = state(peer("desk", 0, 30))
    assert "  standby  off; it would take up to 94.4 MB of the others' memory for each answer" in plain(view)
    view["swarm"]["doubt"] = "this computer just woke up"
    view["node"]["standby"] = True
    assert "  this computer just woke up; others are given more time\n" in plain(view)
    assert "  standby  a second computer keeps up with each answer: up to 94.4 MB of the others'" in plain(
        view
    )


def test_who_is_away_is_shown_with_the_reason_and_covers_nothing() -> None:
    seen = plain(
        state(
            peer("desk", 0, 10),
            peer("attic", 10, 20, state="asleep", since=NOW - 300, on_route=False, reason="went to sleep"),
            peer(
                "laptop",
                20,
                30,
                state="unreachable",
                since=NOW - 60,
                on_route=False,
                reason="cannot be reached",
            ),
            peer("cellar", 20, 30, state="suspect", on_route=False, reason="late"),
        )
    )
    away = "unreachable for 1 minute, cannot be reached"
    assert "  attic     ..............................    10:20  asleep for 5 minutes\n" in seen
    assert f"  laptop    ..............................    20:30  {away}\n" in seen
    assert "  cellar    ....................++++++++++    20:30  suspect, late, 5.0 ms per step\n" in seen
    assert "nobody has 10:30" in seen


def test_power_and_network_are_shown_as_far_as_there_is_something_to_say() -> None:
    view = state(peer("desk", 0, 30))
    assert "This computer" not in plain(view)
    view["power"] = {
        "on_battery": True,
        "level": 0.8,
        "sleep_coming": True,
        "delays_sleep": True,
        "last_sleep": {"slept_s": 7200.0, "how": "signal", "woke_at": NOW - 60},
        "notes": ["Nobody tells of the battery."],
    }
    view["link"] = {
        "addresses": ["10.77.0.12", "fd00::12"],
        "network": "home\x1b[2J",
        "last_change": {
            "at": NOW - 1,
            "reasons": ["address-added", "address-gone"],
            "rebind_needed": True,
            "added": ["10.77.0.12"],
            "gone": ["10.77.0.62"],
        },
        "notes": [],
    }
    seen = plain(printable.cleaned(view))
    for line in (
        "  on battery, 80 %",
        "  about to sleep",
        "  slept for 2 hours, until 1 minute ago",
        "  reached at 10.77.0.12, fd00::12 on home\N{REPLACEMENT CHARACTER}[2J",
        "  network changed 1 second ago: address-added, address-gone",
        "  Nobody tells of the battery.",
    ):
        assert line + "\n" in seen + "\n", seen
    view["power"]["last_sleep"] = {"slept_s": 20.0, "how": "stall", "woke_at": NOW - 60}
    assert "  stood still for 20 seconds, until 1 minute ago" in plain(view)


def test_withdrawn_blocks_are_shown_with_the_way_back() -> None:
    view = state(peer("desk", 0, 30))
    view["children"]["blocks"] |= {"quiet": True}
    assert "has said goodnight" in plain(view)
    view["children"]["blocks"] |= {"withdrawn": True}
    assert "paused; serve again with: homeswarm resume" in plain(view)


def test_the_latest_pauses_are_shown() -> None:
    view = state(peer("desk", 0, 30))
    view["pauses"] = [
        cast(PauseView, {"at": NOW - 60 * number, "text": f"desk went to sleep; moved to N{number} in 0.4 s"})
        for number in range(9, 0, -1)
    ]
    seen = plain(view)
    assert "  1 minute ago: desk went to sleep; moved to N1 in 0.4 s" in seen
    assert "N5" in seen
    assert "N6" not in seen


def test_before_there_is_an_engine_nothing_is_claimed() -> None:
    view = state(peer("desk", 0, 30))
    view["swarm"] = {**view["swarm"], "seen": False, "peers": [], "covered": False, "gaps": []}
    assert "not looked at yet" in plain(view)
    assert "all 30" not in plain(view)


def test_problems_come_with_their_remedy() -> None:
    view = state()
    view["problems"] = [{"code": "x", "message": "It is cold.", "remedy": "Light a fire.", "about": "swarm"}]
    assert "  ! It is cold. Light a fire." in plain(view)


def test_names_in_a_table_stay_whole_and_line_up() -> None:
    rows = [("Name", "Size"), ("a-model-with-a-very-long-name-q4_k_m", "9.0 GB"), ("\u7530\u4e2d", "98 MB")]
    heading, long, wide = columns(rows, right=(1,))
    assert long == "a-model-with-a-very-long-name-q4_k_m  9.0 GB"
    assert heading == f"{'Name':<36}    Size"
    assert wide == f"\u7530\u4e2d{'':32}   98 MB", "two cells each"


A_LINK = "Others join by\n  a link, made with: homeswarm invite create"


@pytest.mark.parametrize(
    ("belongs", "said", "not_said"),
    [
        (membership(), ["Swarm  open: whoever", "Others join by\n  /ip4/127.0.0.1/tcp/1/p2p/Qm"], "a link"),
        (membership("outside"), ["none yet; found one with: homeswarm swarm create NAME"], "Others join"),
        (
            membership("member", swarm_name="Home", role="owner", members=3),
            ["Swarm  Home, as owner, with 2 others", A_LINK],
            "/ip4/",
        ),
        (
            membership("member", swarm_name="Home", role="guest", members=1),
            ["as guest, alone"],
            "Others join",
        ),
        (membership("locked", swarm_name="Home"), ["Swarm  Home (locked)"], "Others join"),
        (
            membership("member", swarm_name="Home", role="admin", members=2, requests=[{"name": "phone"}]),
            ["with 1 other\n", "phone asks to join; see: homeswarm members requests"],
            "/ip4/",
        ),
    ],
)
def test_which_swarm_it_is_and_how_others_get_in(belongs: Any, said: list[str], not_said: str) -> None:
    """An address lets nobody into a private swarm, and only some may make links."""
    told = state(peer("desk", 0, 10))
    told["membership"] = belongs
    for part in said:
        assert part in plain(told)
    assert not_said not in plain(told)


@given(num_blocks=st.integers(1, 300), spans=st.lists(st.tuples(st.integers(0, 299), st.integers(1, 80))))
def test_a_strip_shows_a_block_as_served_only_when_it_is(
    num_blocks: int, spans: list[tuple[int, int]]
) -> None:
    served = [range(start, start + length) for start, length in spans]
    line = strips.strip(num_blocks, served, [], strips.LETTERS).plain
    here = {block for span in served for block in span}
    cells = strips.cells(num_blocks)
    assert [block for cell in cells for block in cell] == list(range(num_blocks))
    assert len(line) == len(cells) <= strips.STRIP_CELLS
    assert [glyph == "#" for glyph in line] == [here.issuperset(cell) for cell in cells]


@given(name=st.text(), escape=st.sampled_from(["\x1b[2J", "\x9b", "\x07", "\r", "\x1b]0;title\x07"]))
def test_names_cannot_steer_the_terminal(name: str, escape: str) -> None:
    view = printable.cleaned(state(peer(name + escape, 0, 10)))
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=True, width=400, markup=False, highlight=False, color_system=None
    )
    for line in draw.whole(view, strips.DRAWN, NOW):
        console.print(line, soft_wrap=True)
    assert all(character.isprintable() or character == "\n" for character in out.getvalue())


ROUTE = (Hop("A", "desk", Span(0, 10)), Hop("B", "attic", Span(10, 30)))


@pytest.mark.parametrize(
    ("count", "timing", "expected"),
    [
        (
            9,
            Timing(0.21, 0.4, 0.05, 0.061),
            "9 tokens, TTFT 210 ms, 20.0 tokens per second, inter-token p95 61.0 ms",
        ),
        (1, Timing(0.05, 0.0, 0.0, 0.0), "1 token, TTFT 50.0 ms"),
        (0, None, "0 tokens"),
    ],
)
def test_an_answer_ends_with_who_gave_it_and_how_fast(
    count: int, timing: Timing | None, expected: str
) -> None:
    done = Done("stop", 5, count, (Segment("swarm", "smol", ROUTE, count),), timing)
    assert about(done, strips.LETTERS) == ["swarm: desk [0:10) -> attic [10:30)", expected]


def test_what_was_left_out_or_cut_is_said() -> None:
    done = Done("length", 5, 2, (), None, trimmed_messages=3)
    said = " ".join(about(done, strips.LETTERS))
    assert "3 oldest messages" in said
    assert "cut" in said
