"""The chats of this computer's user, in SQLite (``history.sqlite`` of the profile, 0600).

State owned: that file. Callers: `swarm_app.node.chats`, from one thread.

Messages form a tree: an edited question or another answer stands beside the old one, under the same parent,
so that nothing is ever overwritten. A chat's `leaf` is the end of the branch that is shown.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from swarm_app.domain.errors import BadRequest, DiskFull, HistoryUnusable, NoSuchChat

Role = Literal["user", "assistant"]
MAX_CHATS_LISTED = 1000
SNIPPET_CHARACTERS = 80
TRIGRAM = 3
"""The index finds words from this length on; shorter ones are looked for in every text."""

_SCHEMA = """
CREATE TABLE chats(
    id TEXT PRIMARY KEY, title TEXT NOT NULL, created_at REAL NOT NULL, changed_at REAL NOT NULL,
    system TEXT NOT NULL, sampling TEXT NOT NULL, leaf INTEGER);
CREATE TABLE messages(
    id INTEGER PRIMARY KEY AUTOINCREMENT, chat TEXT NOT NULL REFERENCES chats(id) ON DELETE CASCADE,
    parent INTEGER, role TEXT NOT NULL, text TEXT NOT NULL, state TEXT NOT NULL, created_at REAL NOT NULL,
    about TEXT NOT NULL);
CREATE INDEX messages_of_parent ON messages(chat, parent);
CREATE TABLE attachments(
    message INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE, number INTEGER NOT NULL,
    name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY(message, number));
CREATE VIRTUAL TABLE found USING fts5(text, content='messages', content_rowid='id', tokenize='trigram');
CREATE TRIGGER messages_added AFTER INSERT ON messages BEGIN
    INSERT INTO found(rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER messages_gone AFTER DELETE ON messages BEGIN
    INSERT INTO found(found, rowid, text) VALUES ('delete', old.id, old.text);
END;
CREATE TRIGGER messages_changed AFTER UPDATE OF text ON messages BEGIN
    INSERT INTO found(found, rowid, text) VALUES ('delete', old.id, old.text);
    INSERT INTO found(rowid, text) VALUES (new.id, new.text);
END;
PRAGMA user_version = 1;
"""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@dataclass(frozen=True, slots=True)
class ChatRecord:
    """`sampling` holds the fields of chatview.SamplingView that the user has chosen."""

    id: str
    title: str
    created_at: float
    changed_at: float
    system: str
    sampling: dict[str, Any]
    leaf: int | None


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """`about`: what is known of an answer (``answer``) and of its failure (``error``)."""

    id: int
    parent: int | None
    role: Role
    text: str
    state: str
    created_at: float
    about: dict[str, Any]
    attachments: tuple[tuple[str, int], ...]
    """Names and lengths in characters."""
    versions: tuple[int, ...]


class History:
    """Opens the file, making it when missing; one that is damaged is put aside and `put_aside` names it.

    Methods raise NoSuchChat, DiskFull, or HistoryUnusable.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.put_aside: Path | None = None
        with _translated(path):
            try:
                self._db = self._open()
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode not in _DAMAGED:
                    raise
                self.put_aside = self._put_aside()
                self._db = self._open()

    def _open(self) -> sqlite3.Connection:
        # Made first, so that nobody else can ever read it; SQLite gives its side files the same mode.
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA secure_delete = ON")  # what somebody deletes is overwritten
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                db.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
            elif version != 1:
                raise HistoryUnusable(
                    f"The chats in {self._path} are of a newer Homeswarm.", remedy="Update Homeswarm."
                )
            # Whoever was at work when the node ended is not any more.
            db.execute("UPDATE messages SET state = 'interrupted' WHERE state = 'running'")
        except BaseException:
            db.close()
            raise
        return db

    def _put_aside(self) -> Path:
        aside = self._path.with_name(f"history-damaged-{time.strftime('%Y%m%d-%H%M%S')}.sqlite")
        os.replace(self._path, aside)
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        return aside

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """One transaction."""
        with _translated(self._path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # a full disk may have ended it already
                    self._db.execute("ROLLBACK")
                raise

    # ------------------------------------------------ chats

    def chats(self, query: str) -> list[tuple[ChatRecord, str]]:
        """Chats with a snippet each, the latest first: all, or those whose title or messages have `query`."""
        words = query.strip()
        with _translated(self._path):
            if not words:
                rows = self._db.execute(
                    "SELECT * FROM chats ORDER BY changed_at DESC LIMIT ?", (MAX_CHATS_LISTED,)
                )
                return [(_chat(row), "") for row in rows]
            found: dict[str, str] = {}
            folded = words.casefold()
            if len(words) >= TRIGRAM:
                phrase = '"' + words.replace('"', '""') + '"'
                hits = self._db.execute(
                    "SELECT chat, messages.text FROM found JOIN messages ON messages.id = found.rowid"
                    " WHERE found MATCH ? ORDER BY messages.id DESC LIMIT 5000",
                    (phrase,),
                )
            else:
                hits = self._db.execute(
                    "SELECT chat, text FROM messages WHERE instr(lower(text), lower(?)) > 0"
                    " ORDER BY id DESC LIMIT 5000",
                    (words,),
                )
            for chat, text in hits:
                found.setdefault(chat, snippet(text, folded))
            records = [_chat(row) for row in self._db.execute("SELECT * FROM chats ORDER BY changed_at DESC")]
            return [
                (record, "" if folded in record.title.casefold() else found[record.id])
                for record in records
                if folded in record.title.casefold() or record.id in found
            ][:MAX_CHATS_LISTED]

    def create(self, title: str, system: str, sampling: dict[str, Any]) -> ChatRecord:
        now = time.time()
        record = ChatRecord(secrets.token_hex(8), title, now, now, system, sampling, None)
        with self._change() as db:
            db.execute(
                "INSERT INTO chats VALUES (?, ?, ?, ?, ?, ?, NULL)",
                (record.id, title, now, now, system, json.dumps(sampling)),
            )
        return record

    def chat(self, chat: str) -> ChatRecord:
        with _translated(self._path):
            row = self._db.execute("SELECT * FROM chats WHERE id = ?", (chat,)).fetchone()
        if row is None:
            raise NoSuchChat("This chat is not there any more.")
        return _chat(row)

    def change(
        self, chat: str, title: str | None, system: str | None, sampling: dict[str, Any] | None
    ) -> ChatRecord:
        """What is None stays."""
        old = self.chat(chat)
        with self._change() as db:
            db.execute(
                "UPDATE chats SET title = ?, system = ?, sampling = ? WHERE id = ?",
                (
                    old.title if title is None else title,
                    old.system if system is None else system,
                    json.dumps(old.sampling if sampling is None else sampling),
                    chat,
                ),
            )
        return self.chat(chat)

    def delete(self, chat: str) -> None:
        self.chat(chat)
        with self._change() as db:
            db.execute("DELETE FROM chats WHERE id = ?", (chat,))

    # ------------------------------------------------ messages

    def add(
        self,
        chat: str,
        parent: int | None,
        role: Role,
        text: str,
        *,
        state: str = "complete",
        attachments: Sequence[Attachment] = (),
        attachments_of: int | None = None,
    ) -> MessageRecord:
        """Add a message under `parent` and show its branch. `attachments_of`: a message to copy them from."""
        now = time.time()
        with self._change() as db:
            number = db.execute(
                "INSERT INTO messages(chat, parent, role, text, state, created_at, about)"
                " VALUES (?, ?, ?, ?, ?, ?, '{}')",
                (chat, parent, role, text, state, now),
            ).lastrowid
            assert number is not None
            if attachments_of is not None:
                db.execute(
                    "INSERT INTO attachments SELECT ?, number, name, text FROM attachments WHERE message = ?",
                    (number, attachments_of),
                )
            db.executemany(
                "INSERT INTO attachments VALUES"
                " (?, (SELECT count(*) FROM attachments WHERE message = ?), ?, ?)",
                [(number, number, one.name, one.text) for one in attachments],
            )
            db.execute("UPDATE chats SET leaf = ?, changed_at = ? WHERE id = ?", (number, now, chat))
        return self.message(chat, number)

    def message(self, chat: str, message: int) -> MessageRecord:
        with _translated(self._path):
            row = self._db.execute(
                "SELECT id, parent, role, text, state, created_at, about FROM messages"
                " WHERE chat = ? AND id = ?",
                (chat, message),
            ).fetchone()
            if row is None:
                raise BadRequest("This message is not there any more.", param="message")
            return self._message(chat, row)

    def update(self, message: int, text: str, state: str, about: dict[str, Any]) -> None:
        """Write an answer as far as it is; nothing happens where it has been deleted."""
        with self._change() as db:
            db.execute(
                "UPDATE messages SET text = ?, state = ?, about = ? WHERE id = ?",
                (text, state, json.dumps(about), message),
            )

    def branch(
        self, chat: ChatRecord, before: int | None = None, limit: int = -1
    ) -> tuple[list[MessageRecord], bool]:
        """The last `limit` messages of the shown branch, or of what stands before the message `before`; and
        whether there are older ones."""
        start = chat.leaf if before is None else self.message(chat.id, before).parent
        with _translated(self._path):
            rows = self._db.execute(
                "WITH RECURSIVE branch(id, depth) AS (SELECT ?, 1 UNION ALL"
                " SELECT messages.parent, depth + 1 FROM messages JOIN branch ON messages.id = branch.id"
                " WHERE messages.parent IS NOT NULL AND (? < 0 OR depth < ?))"
                " SELECT messages.id, parent, role, text, state, created_at, about FROM branch"
                " JOIN messages ON messages.id = branch.id ORDER BY depth DESC",
                (start, limit, limit),
            ).fetchall()
            messages = [self._message(chat.id, row) for row in rows]
        return messages, bool(messages) and messages[0].parent is not None

    def attachments(self, message: int) -> list[Attachment]:
        with _translated(self._path):
            rows = self._db.execute(
                "SELECT name, text FROM attachments WHERE message = ? ORDER BY number", (message,)
            )
            return [Attachment(*row) for row in rows]

    def show(self, chat: str, message: int) -> None:
        """Show the branch of this message, down to its latest end."""
        leaf = self.message(chat, message).id
        with _translated(self._path):
            while (
                below := self._db.execute(
                    "SELECT max(id) FROM messages WHERE chat = ? AND parent = ?", (chat, leaf)
                ).fetchone()[0]
            ) is not None:
                leaf = below
        with self._change() as db:
            db.execute("UPDATE chats SET leaf = ? WHERE id = ?", (leaf, chat))

    def everything(self, chat: str) -> list[MessageRecord]:
        """All messages of a chat, the branches that are not shown too, the oldest first."""
        with _translated(self._path):
            rows = self._db.execute(
                "SELECT id, parent, role, text, state, created_at, about FROM messages WHERE chat = ?"
                " ORDER BY id",
                (chat,),
            ).fetchall()
            return [self._message(chat, row) for row in rows]

    def _message(self, chat: str, row: tuple[Any, ...]) -> MessageRecord:
        number, parent, role, text, state, created_at, about = row
        versions = self._db.execute(
            "SELECT id FROM messages WHERE chat = ? AND parent IS ? ORDER BY id", (chat, parent)
        )
        attached = self._db.execute(
            "SELECT name, length(text) FROM attachments WHERE message = ? ORDER BY number", (number,)
        )
        return MessageRecord(
            number,
            parent,
            role,
            text,
            state,
            created_at,
            json.loads(about),
            tuple((name, characters) for name, characters in attached),
            tuple(one for (one,) in versions),
        )


def snippet(text: str, folded: str) -> str:
    """The words around the first place where `text` has `folded`, on one line."""
    at = max(text.casefold().find(folded), 0)
    start = max(0, at - SNIPPET_CHARACTERS // 3)
    words = " ".join(text[start : start + SNIPPET_CHARACTERS].split())
    return ("…" if start else "") + words + ("…" if start + SNIPPET_CHARACTERS < len(text) else "")


def _chat(row: tuple[Any, ...]) -> ChatRecord:
    chat, title, created_at, changed_at, system, sampling, leaf = row
    return ChatRecord(chat, title, created_at, changed_at, system, json.loads(sampling), leaf)


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        # An error of the module itself, not of the library, has no code.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            raise DiskFull(
                "The chat could not be saved: the disk is full.", remedy=f"Free some space at {path.parent}."
            ) from None
        if code in _DAMAGED:
            raise HistoryUnusable(
                f"The file with the chats, {path}, is damaged.",
                remedy="Restart the node: it puts the file aside and starts a new one.",
            ) from None
        raise HistoryUnusable(
            f"The file with the chats, {path}, cannot be used: {error}.",
            remedy="Look whether the folder can be written.",
        ) from None
    except OSError as error:
        raise HistoryUnusable(
            f"The file with the chats, {path}, cannot be used: {error.strerror}.",
            remedy="Look whether the folder can be written.",
        ) from None
