"""Every number of the judgement of peers, in presets, each with its formula.

How long a peer can be lost without being found out, with this computer well (score 0, no lag):

    in an answer, on its way      step_floor + heartbeat_floor + suspicion_min       `usual_detection_s`
    in an answer, at worst        step_cap + heartbeat_cap + suspicion_max           `worst_detection_s`
    nobody asks anything of it    heartbeat_every + heartbeat_idle + suspicion_max   `idle_detection_s`

Own doubt multiplies each timeout by up to ``1 + max_score`` and adds twice the lateness of this process to
each; after a wake or a move, `grace_s` comes before.
"""

from __future__ import annotations

from dataclasses import dataclass

from swarm_app.availability.policy import Policy


@dataclass(frozen=True, slots=True)
class Constants:
    """Seconds unless said otherwise. Take a preset: HOME_LAN, OVER_INTERNET, TEST."""

    # ------------------------------------------------------------ a late step asks

    step_floor_s: float
    """A decode step is never called late before this: what a busy computer with a healthy peer may take
    (scheduling on a loaded core, a garbage collection). Being early costs one heartbeat of about 1 ms."""
    step_cap_s: float
    """A step is asked about after this at the latest, however slow the peer usually is and however many
    tokens the step has: asking is cheap, and a sleeper in a long prefill must be found too."""
    step_spread: float
    """k of median + k * 1.4826 * MAD (1.4826 * MAD estimates the standard deviation of a normal
    distribution without minding outliers). At 6 a step of a steady peer is late by chance about never."""
    ask_slack: float
    """A step is not late before this many times the usual, however steady the peer was: where half of the
    samples are equal, the MAD is 0 and says nothing."""
    slow_slack: float
    """A living peer is not called slow before this many times the usual: that costs more than asking."""
    step_unknown_s: float
    """Taken as usual for a step of a peer that nobody has timed and that announced nothing."""

    # ------------------------------------------------------------ a heartbeat without an answer

    heartbeat_floor_s: float
    """Shortest wait for a heartbeat in an answer. On a network: a retransmission (200 ms on Linux) or a
    radio that dozes for three beacons (307 ms) must fit into heartbeat_floor + suspicion_min."""
    heartbeat_cap_s: float
    """Longest wait for it; bounds the detection time where round trips are long or vary."""
    heartbeat_spread: float
    """k of median + k * 1.4826 * MAD over recent round trips; TCP takes srtt + 4 * rttvar (RFC 6298)."""
    heartbeat_slack: float
    """At least this many times the median round trip, for the same reason as `ask_slack`."""
    heartbeat_idle_s: float
    """Wait for a heartbeat that no answer depends on: nothing is urgent, so nothing is risked."""
    heartbeat_every_s: float
    """A peer of which nothing was heard for this long is asked."""
    ask_again_s: float
    """A peer in doubt, or late in a step, is asked again after this."""
    ask_lost_s: float
    """A peer that was given up is asked again after this, doubling up to `ask_lost_cap_s`."""
    ask_lost_cap_s: float
    """A peer that comes back without announcing itself is found within this."""

    # ------------------------------------------------------------ suspicion

    suspicion_min_s: float
    """From the first missed heartbeat to giving the peer up, when nobody else can be asked, or enough
    others have confirmed. A late answer within it clears the peer."""
    suspicion_max_s: float
    """The same while others have been asked and have not answered, or say that they reach the peer: at least
    their heartbeat_floor and two ways, so that a second opinion can be in time."""
    enough_opinions: int
    """K of the suspicion formula, at most; a household has few others to ask."""

    # ------------------------------------------------------------ own doubt

    max_score: int
    """Timeouts are multiplied by 1 + score. Lifeguard stops at 8; a person who waits for an answer does
    not: (1 + max_score) * usual detection must stay below the 3 s in which "no route" is to be said."""
    lag_half_life_s: float
    """Twice the largest lateness of this process's own timers is added to each timeout, and halves this
    often."""
    wake_gap_s: float
    """A tick that comes later than promised by more than this means that this process did not run, and is
    judged as a wake. Less is lag, and added to the timeouts."""
    grace_s: float
    """After a wake or a move, the longest time without judging anybody: what Wi-Fi takes to associate
    and get an address. One answered heartbeat ends it at once."""
    pardon_s: float
    """A peer given up this shortly before a wake or a move was noticed is taken back: signals come late."""

    # ------------------------------------------------------------ goodnight, and coming back

    drain_s: float
    """After a goodnight a peer still answers and old records of it still arrive: they do not call it back
    until this has passed (one look at the roll and one DHT wait)."""
    probation_s: float
    """A peer that was given up must be available for this long before new work goes to it; doubles
    with each further loss."""
    probation_cap_s: float
    """The longest probation: however often a peer was lost, it is tried again."""
    forgive_s: float
    """One loss is forgotten for each such time that a peer stays available."""
    outpaced_s: float
    """A peer that an answer left because it was slow gets no new work for this long, doubling like
    `probation_s`: what makes a computer slow lasts, and trying it again costs an answer half a second."""
    refused_s: float
    """A peer that refused work (no room) is not offered more for this long."""
    forget_s: float
    """A peer that is unreachable or left and does not announce itself is forgotten after this."""
    forget_asleep_s: float
    """A sleeper is listed for this long: it said that it would be back."""

    # ------------------------------------------------------------ stragglers

    policy: Policy
    """What is done about a peer that lives and is late, unless an option says otherwise."""
    straggler_s: float
    """Never call a living peer slow before it is late by this: a hiccup costs less than a move. A peer with
    which the answer has lost a move's time already has had its hiccup (see `verdict.Regret`)."""
    hedge_share: float
    """A second peer is started when the step is late by this share of what moving costs. Its work is lost
    when the first answers after all, but nobody waits for it (Dean and Barroso 2013, "The Tail at Scale");
    so the share is small, and keeps only long histories from being fed for nothing."""
    reroute_share: float
    """The answer moves when the step is late by this share of what moving costs. At 1 the whole wait is at
    most twice what was possible (ski rental: Karlin, Manasse, Rudolph, Sleator 1988)."""
    regret_margin: float
    """A step counts as lost time only beyond 1 + this times what the best other peer is predicted to take:
    predictions are made of that peer's idle hours."""
    regret_floor_s: float
    """Nor does it below this, which any busy computer may take for a step now and then."""
    step_limit_s: float
    """A living peer that is computing one step is waited for no longer than this."""

    def usual_detection_s(self) -> float:
        """Seconds from sending a decode step to giving up a peer that fell silent, on a quick peer."""
        return self.step_floor_s + self.heartbeat_floor_s + self.suspicion_min_s

    def worst_detection_s(self, *, score: int = 0, late_s: float = 0.0) -> float:
        """The same for any step to any peer, with this computer's own `score`, its timers `late_s` late."""
        base_s = self.step_cap_s + self.heartbeat_cap_s + self.suspicion_max_s
        return base_s * (1 + min(score, self.max_score)) + 3 * 2 * min(late_s, self.wake_gap_s)

    def idle_detection_s(self, *, score: int = 0, late_s: float = 0.0) -> float:
        """Seconds from the last sign of life of a peer that nobody works with to giving it up."""
        base_s = self.heartbeat_idle_s + self.suspicion_max_s
        doubt_s = base_s * (1 + min(score, self.max_score)) + 2 * 2 * min(late_s, self.wake_gap_s)
        return self.heartbeat_every_s + doubt_s


HOME_LAN = Constants(
    step_floor_s=0.2,
    step_cap_s=1.0,
    step_spread=6.0,
    ask_slack=2.0,
    slow_slack=3.0,
    step_unknown_s=0.5,
    heartbeat_floor_s=0.3,
    heartbeat_cap_s=0.8,
    heartbeat_spread=6.0,
    heartbeat_slack=4.0,
    heartbeat_idle_s=2.0,
    heartbeat_every_s=2.0,
    ask_again_s=0.5,
    ask_lost_s=1.0,
    ask_lost_cap_s=5.0,
    suspicion_min_s=0.25,
    suspicion_max_s=0.6,
    enough_opinions=2,
    max_score=2,
    lag_half_life_s=5.0,
    wake_gap_s=2.0,
    grace_s=6.0,
    pardon_s=5.0,
    drain_s=3.0,
    probation_s=2.0,
    probation_cap_s=300.0,
    forgive_s=120.0,
    outpaced_s=30.0,
    refused_s=2.0,
    forget_s=60.0,
    forget_asleep_s=24 * 3600.0,
    policy=Policy.HEDGE,
    straggler_s=0.1,
    hedge_share=0.1,
    reroute_share=1.0,
    regret_margin=1.0,
    regret_floor_s=0.1,
    step_limit_s=300.0,
)
"""Computers of one home, wired or on Wi-Fi. A loss is found in 0.75 s as a rule, in 2.4 s at worst, in 4.6 s
when nothing is asked of the peer."""

OVER_INTERNET = Constants(
    step_floor_s=0.6,
    step_cap_s=3.0,
    step_spread=6.0,
    ask_slack=2.0,
    slow_slack=3.0,
    step_unknown_s=1.5,
    heartbeat_floor_s=1.0,
    heartbeat_cap_s=3.0,
    heartbeat_spread=6.0,
    heartbeat_slack=4.0,
    heartbeat_idle_s=6.0,
    heartbeat_every_s=5.0,
    ask_again_s=1.5,
    ask_lost_s=3.0,
    ask_lost_cap_s=30.0,
    suspicion_min_s=1.0,
    suspicion_max_s=3.0,
    enough_opinions=2,
    max_score=2,
    lag_half_life_s=5.0,
    wake_gap_s=3.0,
    grace_s=10.0,
    pardon_s=10.0,
    drain_s=6.0,
    probation_s=10.0,
    probation_cap_s=900.0,
    forgive_s=600.0,
    outpaced_s=120.0,
    refused_s=5.0,
    forget_s=180.0,
    forget_asleep_s=7 * 24 * 3600.0,
    policy=Policy.HEDGE,
    straggler_s=1.0,
    hedge_share=0.25,
    reroute_share=1.0,
    regret_margin=1.0,
    regret_floor_s=0.3,
    step_limit_s=300.0,
)
"""Peers behind home lines: a lost packet and its retransmission after 1 s must fit. 2.6 s, 9 s and 14 s."""

TEST = Constants(
    step_floor_s=0.1,
    step_cap_s=0.4,
    step_spread=6.0,
    ask_slack=2.0,
    slow_slack=3.0,
    step_unknown_s=0.2,
    heartbeat_floor_s=0.2,
    heartbeat_cap_s=0.4,
    heartbeat_spread=6.0,
    heartbeat_slack=4.0,
    heartbeat_idle_s=0.5,
    heartbeat_every_s=0.5,
    ask_again_s=0.2,
    ask_lost_s=0.3,
    ask_lost_cap_s=1.0,
    suspicion_min_s=0.1,
    suspicion_max_s=0.3,
    enough_opinions=2,
    max_score=2,
    lag_half_life_s=2.0,
    wake_gap_s=1.0,
    grace_s=1.0,
    pardon_s=1.0,
    drain_s=0.5,
    probation_s=0.5,
    probation_cap_s=4.0,
    forgive_s=5.0,
    outpaced_s=2.0,
    refused_s=0.5,
    forget_s=5.0,
    forget_asleep_s=600.0,
    policy=Policy.HEDGE,
    straggler_s=0.1,
    hedge_share=0.1,
    reroute_share=1.0,
    regret_margin=1.0,
    regret_floor_s=0.05,
    step_limit_s=60.0,
)
"""Loopback, where a test waits for the slow ends of the above: 0.4 s, 1.1 s and 1.3 s."""

PRESETS: dict[str, Constants] = {"home_lan": HOME_LAN, "over_internet": OVER_INTERNET, "test": TEST}
