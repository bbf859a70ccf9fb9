"""A book in a database, in a journal mode with shared memory."""
import sqlite3

import moves

book = sqlite3.connect("book.db")
assert book.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
book.execute("CREATE TABLE IF NOT EXISTS turn (text TEXT)")
with book:
    book.execute("INSERT INTO turn VALUES (?)", (moves.turn(*moves.read()),))
(text,) = book.execute("SELECT text FROM turn ORDER BY rowid DESC LIMIT 1").fetchone()
book.close()
moves.write(text)
