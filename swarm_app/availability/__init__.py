"""Purpose: pure judgement of who is there: peers' states, suspicion, deadlines, and this node's own doubt.

A loss is found in three steps, each with a number from `constants`: a step that is late asks for a
heartbeat (`deadlines`), a heartbeat without an answer makes the peer suspect (`health`), and a suspicion
that runs out gives it up (`suspicion`). This computer's own health (`selfhealth`) stretches every one of
those times and suspends all of them after a wake or a move. `household` holds all peers together, `verdict`
says what to do about a late step, and `trust` when work goes back to a peer that was given up.

State owned: none; time is a number that the caller passes in (monotonic seconds). Callers: `engines`, `node`.
"""
