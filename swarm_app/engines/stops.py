"""Stop strings: text is held back only while it may still become one."""

from __future__ import annotations

from collections.abc import Iterable


class _Matcher:
    """How much of one stop string the text's end matches (Knuth, Morris and Pratt 1977)."""

    __slots__ = ("_failure", "length", "matched", "word")

    def __init__(self, word: str) -> None:
        self.word = word
        self.length = len(word)
        self.matched = 0
        self._failure = [0] * len(word)
        border = 0
        for i in range(1, len(word)):
            while border and word[i] != word[border]:
                border = self._failure[border - 1]
            if word[i] == word[border]:
                border += 1
            self._failure[i] = border

    def feed(self, char: str) -> bool:
        """Take one character; True when the text now ends with the stop string."""
        matched = self.matched
        while matched and self.word[matched] != char:
            matched = self._failure[matched - 1]
        if self.word[matched] == char:
            matched += 1
        self.matched = matched
        return matched == self.length


class StopFilter:
    """Passes text on up to the first stop string, which is swallowed.

    First means: the one that is complete first, character by character; of two complete at the same
    character, the longer. So the result does not depend on how the text was cut into pieces. Empty
    stop strings are ignored. At most the longest stop string less one character is held back.
    """

    def __init__(self, stops: Iterable[str]) -> None:
        self._matchers = [_Matcher(word) for word in dict.fromkeys(stops) if word]
        self._held = ""
        self.stopped = False
        """True once a stop string was met; everything after is swallowed."""

    def feed(self, text: str) -> str:
        """What may be shown now of the text so far."""
        if self.stopped:
            return ""
        if not self._matchers:
            return text
        pending = self._held + text
        for position in range(len(self._held), len(pending)):
            char = pending[position]
            longest = 0
            for matcher in self._matchers:
                if matcher.feed(char):
                    longest = max(longest, matcher.length)
            if longest:
                self.stopped = True
                self._held = ""
                return pending[: position + 1 - longest]
        hold = max(matcher.matched for matcher in self._matchers)
        shown = len(pending) - hold
        self._held = pending[shown:]
        return pending[:shown]

    def finish(self) -> str:
        """The answer is over: what was held back was no stop string after all."""
        held, self._held = self._held, ""
        return held
