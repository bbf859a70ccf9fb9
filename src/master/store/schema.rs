//! What are the tables, and is a file a store of this version?

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::{StoreError, checksum};
use crate::master::league::League;
use crate::master::schedule::TournamentRules;

/// Marks a file as a store: "klng". In the header of the file, where the command `file` and SQLite see it.
const APPLICATION: i64 = 0x6b6c_6e67;
/// The version of these tables.
const VERSION: i64 = 1;

/// How long to wait for a reader.
const PATIENCE: Duration = Duration::from_secs(60);

/// What standings need of a game is in `game`, in a few dozen bytes, so that they are read fast; everything else is in
/// `record` and `move`. A row per move takes less room than JSON (some 30 bytes), and can be queried in SQL. Times are
/// microseconds.
const TABLES: &str = "
    CREATE TABLE tournament (
        league TEXT NOT NULL,             -- JSON
        seed INTEGER NOT NULL,            -- 64 bits, as a signed number
        games INTEGER NOT NULL,           -- of two agents that meet
        kingline TEXT NOT NULL            -- the version that made the store
    ) STRICT;
    CREATE TABLE agent (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        hash TEXT NOT NULL,               -- of its files
        title TEXT,                       -- what it calls itself
        present INTEGER NOT NULL,         -- 1: takes part; 0: is gone, or its files have changed
        UNIQUE (name, hash)
    ) STRICT;
    CREATE TABLE game (
        id INTEGER PRIMARY KEY,
        round INTEGER NOT NULL,
        black INTEGER NOT NULL REFERENCES agent,
        white INTEGER NOT NULL REFERENCES agent,
        opening INTEGER NOT NULL,         -- which one between these two in this round
        seed INTEGER NOT NULL,            -- 64 bits, as a signed number
        winner INTEGER,                   -- 0 Black, 1 White
        black_points INTEGER,             -- 2 for a won game; NULL: counts for neither side
        white_points INTEGER,
        reason TEXT NOT NULL,             -- failed: has to be played again
        black_faults INTEGER NOT NULL,
        white_faults INTEGER NOT NULL,
        black_timeouts INTEGER NOT NULL,  -- among the faults
        white_timeouts INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        black_spent INTEGER NOT NULL,     -- by the clock that counts
        white_spent INTEGER NOT NULL,
        UNIQUE (round, black, white, opening)
    ) STRICT;
    CREATE TABLE record (
        game INTEGER PRIMARY KEY REFERENCES game,
        start TEXT NOT NULL,              -- the position before the opening
        opening TEXT NOT NULL,            -- the referee's moves, JSON
        verdict TEXT NOT NULL,            -- JSON
        black_budget INTEGER,
        white_budget INTEGER,
        black_left INTEGER,
        white_left INTEGER,
        tier TEXT NOT NULL,               -- how time was measured and agents were held
        kingline TEXT NOT NULL,           -- the version that played it
        checksum TEXT                     -- of all rows of the game; NULL: none was written
    ) STRICT;
    CREATE TABLE move (
        game INTEGER NOT NULL REFERENCES game,
        turn INTEGER NOT NULL,            -- from 0, without the opening
        side INTEGER NOT NULL,            -- 0 Black, 1 White
        move TEXT,                        -- NULL: there was none
        referee INTEGER NOT NULL,         -- 1: chosen by the referee, for an agent at fault
        cpu INTEGER NOT NULL,
        wall INTEGER NOT NULL,
        left INTEGER,
        fault TEXT,                       -- JSON
        notes TEXT,                       -- JSON
        peak TEXT,                        -- what it used at most, JSON
        PRIMARY KEY (game, turn)
    ) STRICT, WITHOUT ROWID;
";

/// A path that SQLite cannot take for anything but a file.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, StoreError> {
    std::path::absolute(path).map_err(|error| StoreError::File(path.to_owned(), error))
}

/// A connection to a file that is a store of this version. Any other file stays as it is.
pub(super) fn connect(path: &Path) -> Result<Connection, StoreError> {
    let about = fs::metadata(path).map_err(|error| StoreError::File(path.to_owned(), error))?;
    if !about.is_file() {
        return Err(StoreError::NotAStore(path.to_owned(), "a folder or a device".to_owned()));
    }
    let connection = open(path)?;
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let failed = |error| StoreError::database("open", path, error);
    let version = number("user_version").map_err(failed)?;
    match number("application_id").map_err(failed)? {
        APPLICATION if version == VERSION => Ok(connection),
        APPLICATION => Err(StoreError::OtherVersion(path.to_owned(), version, VERSION)),
        _ if about.len() == 0 => Err(StoreError::NotAStore(path.to_owned(), "an empty file".to_owned())),
        _ => Err(StoreError::NotAStore(path.to_owned(), "an SQLite file with other tables".to_owned())),
    }
}

/// Makes an empty file a store.
pub(super) fn create(path: &Path, league: &League, rules: &TournamentRules) -> Result<Connection, StoreError> {
    let mut connection = open(path)?;
    let fill = |connection: &mut Connection| {
        let transaction = connection.transaction()?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.execute_batch(TABLES)?;
        let text =
            serde_json::to_string(league).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        transaction.execute(
            "INSERT INTO tournament (league, seed, games, kingline) VALUES (?, ?, ?, ?)",
            (text, rules.seed.cast_signed(), rules.games, env!("CARGO_PKG_VERSION")),
        )?;
        transaction.commit()
    };
    fill(&mut connection).map_err(|error| StoreError::database("make", path, error))?;
    Ok(connection)
}

/// Columns that stores of this version did not have at first: tables and names.
const ADDED: [(&str, &str); 2] = [("record", checksum::COLUMN), ("move", "peak")];

/// Whether a table of this store has a column.
pub(super) fn has_column(connection: &Connection, table: &str, column: &str) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM pragma_table_info(?) WHERE name = ?")?;
    statement.exists((table, column))
}

/// Adds what stores of this version did not have at first. They can be read without it, and older programs do not mind it.
pub(super) fn complete(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let complete = || {
        for (table, column) in ADDED {
            if !has_column(connection, table, column)? {
                connection.execute_batch(&format!("ALTER TABLE {table} ADD COLUMN {column} TEXT"))?;
            }
        }
        Ok(())
    };
    complete().map_err(|error| StoreError::database("write to", path, error))
}

/// The rules that a store was made with.
pub(super) fn rules(connection: &Connection, path: &Path) -> Result<(League, TournamentRules), StoreError> {
    let row = connection.query_row("SELECT league, seed, games FROM tournament", (), |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get(2)?))
    });
    let row = row.optional().map_err(|error| StoreError::database("read", path, error))?;
    let nothing = || StoreError::NotAStore(path.to_owned(), "no rules of a tournament".to_owned());
    let (league, seed, games) = row.ok_or_else(nothing)?;
    let league: League = serde_json::from_str(&league)
        .map_err(|error| StoreError::NotAStore(path.to_owned(), format!("a league that cannot be read: {error}")))?;
    let rules = TournamentRules { pairing: league.pairing, games, seed: seed.cast_unsigned() };
    Ok((league, rules))
}

/// With a rollback journal, not a write-ahead log: there is only the one file, even after SIGKILL; it can lie on a
/// network file system, or be read where nothing can be written. EXTRA waits until the journal is on disk before the
/// file changes, the file before the journal is deleted, and the deletion before a game counts as recorded: a power cut
/// loses nothing that was recorded. That is a few waits for the disk per game, which takes far longer to play.
fn open(path: &Path) -> Result<Connection, StoreError> {
    let opened = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let set = |connection: Connection| {
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "synchronous", "EXTRA")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Ok(connection)
    };
    opened.and_then(set).map_err(|error| StoreError::database("open", path, error))
}
