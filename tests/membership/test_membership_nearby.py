"""Six digits: the same on both screens, unless somebody is in the middle."""

from __future__ import annotations

import pytest

from swarm_app.membership.errors import Forged, Malformed, NotAllowed
from swarm_app.membership.links import Endpoint, Link
from swarm_app.membership.nearby import Host, Seeker, read_welcome, welcome
from swarm_app.membership.refusals import refuse
from tests.membership.swarms import NOW_S, TinySwarm


def meet(channels: tuple[bytes, bytes] = (b"c", b"c")) -> tuple[Seeker, Host]:
    seeker, host = Seeker("phone", channel=channels[0]), Host("home", "desk", channel=channels[1])
    host.meet(seeker.reveal(host.greet(seeker.knock())))
    return seeker, host


def test_both_screens_show_the_same_digits() -> None:
    seeker, host = meet()
    assert seeker.digits == host.digits
    assert len(host.digits) == 6
    assert (seeker.swarm_name, seeker.host_name, host.name) == ("home", "desk", "phone")
    assert len({meet()[0].digits for _ in range(20)}) > 15


def test_somebody_in_the_middle_shows_other_digits() -> None:
    pairs = [meet((b"to the middle", b"from the middle")) for _ in range(20)]
    assert any(seeker.digits != host.digits for seeker, host in pairs)


def test_the_nonce_cannot_be_chosen_after_the_greeting() -> None:
    seeker, other = Seeker("phone", channel=b"c"), Seeker("phone", channel=b"c")
    host = Host("home", "desk", channel=b"c")
    greeting = host.greet(seeker.knock())
    other.knock()
    with pytest.raises(Forged):
        host.meet(other.reveal(greeting))


def test_a_welcome_is_a_link_or_a_refusal() -> None:
    link = Link.make(TinySwarm().id, NOW_S, [Endpoint("10.0.0.1", 1)])
    assert read_welcome(welcome(link)) == link.text()
    with pytest.raises(NotAllowed):
        read_welcome(refuse(NotAllowed("No.")))
    with pytest.raises(Malformed):
        read_welcome(b"")
