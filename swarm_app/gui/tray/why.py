"""Whether this computer contributes and why not, in the user's language. Pure."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale

from swarm_app.gui.tongue import tr
from swarm_app.localapi.view import ContributionView

OWNER = "owner"


def reason(code: str) -> str:
    """What stands against contributing; "" for the owner's own word, and for codes of a later version."""
    return {
        "active": tr("somebody uses this computer"),
        "full-screen": tr("a program fills the screen"),
        "battery": tr("this computer runs on battery"),
        "metered": tr("the network is paid by volume"),
        "schedule": tr("it is outside the times that you set"),
    }.get(code, "")


def sentence(told: ContributionView) -> str:
    """One line: ``Paused until 18:30, as you asked``, ``Paused: this computer runs on battery``."""
    why = ", ".join(text for one in told["reasons"] if (text := reason(one["code"])))
    until = "" if told["until"] is None else clock(told["until"])
    if told["state"] == "paused" and told["by_owner"]:
        return tr("Paused until {time}, as you asked", time=until) if until else tr("Paused, as you asked")
    if told["state"] == "paused":
        return (
            tr("Paused until {time}: {why}", time=until, why=why) if until else tr("Paused: {why}", why=why)
        )
    if told["state"] == "gentle":
        return tr("Contributing gently: {why}", why=why)
    if told["by_owner"] and why:
        return tr("Contributing, as you asked, although {why}", why=why)
    return tr("Contributing")


def clock(epoch: float) -> str:
    """The time of day as this language writes it; with the date where it is not today."""
    at = QDateTime.fromSecsSinceEpoch(round(epoch))
    short = QLocale.FormatType.ShortFormat
    if at.date() == QDateTime.currentDateTime().date():
        return QLocale().toString(at.time(), short)
    return QLocale().toString(at, short)
