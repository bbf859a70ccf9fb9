//! Tables of a store, and the check that a file is a store of this version.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, str};

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::{Part, StoreError, StoredAgent};
use crate::league::League;
use crate::tournament::schedule::TournamentRules;
use crate::tournament::shard::Shard;

/// Application ID in the file header, which SQLite and the command `file` recognize: "klng".
const APPLICATION: i64 = 0x6b6c_6e67;
const VERSION: i64 = 2;

/// Tables that are read with `SELECT *`.
const READ_WHOLE: [&str; 3] = ["game", "record", "move"];

/// Maximum time to wait for a reader.
const PATIENCE: Duration = Duration::from_secs(60);

/// `game` contains the few dozen bytes per game that standings need, so that they load fast; `record` and `move`
/// contain everything else. A row per move (about 30 bytes) is smaller than JSON, and SQL can query it. Times are in
/// microseconds.
const TABLES: &str = "
    CREATE TABLE tournament (
        league TEXT NOT NULL,             -- JSON
        seed INTEGER NOT NULL,            -- 64 bits, as a signed number
        games INTEGER NOT NULL,           -- of two agents that meet
        kingline TEXT NOT NULL,           -- the version that made the store
        shard TEXT,                       -- 3/10, in the results of a shard
        complete INTEGER                  -- in the results of a shard, 1: all its games are there
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
        started INTEGER,                  -- when the game began, in seconds from the start of 1970, UTC
        kingline TEXT NOT NULL,           -- the version that played it
        checksum TEXT                     -- of all rows of the game
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

/// Returns an absolute path, which SQLite always treats as a file name.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, StoreError> {
    std::path::absolute(path).map_err(|error| StoreError::File(path.to_owned(), error))
}

/// Connects to a file that is a store of this version. Leaves any other file unchanged.
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
        APPLICATION if version == VERSION => check_names(&connection, path).map(|()| connection),
        APPLICATION => Err(StoreError::OtherVersion(path.to_owned(), version, VERSION)),
        _ if about.len() == 0 => Err(StoreError::NotAStore(path.to_owned(), "an empty file".to_owned())),
        _ => Err(StoreError::NotAStore(path.to_owned(), "an SQLite file with other tables".to_owned())),
    }
}

/// Checks that column names are UTF-8. `rusqlite` panics on any other name.
fn check_names(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let is_utf8 = |table: &str| -> rusqlite::Result<bool> {
        let mut statement = connection.prepare_cached("SELECT CAST(name AS BLOB) FROM pragma_table_info(?)")?;
        let mut rows = statement.query((table,))?;
        while let Some(row) = rows.next()? {
            if str::from_utf8(row.get_ref(0)?.as_bytes()?).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    };
    for table in READ_WHOLE {
        if !is_utf8(table).map_err(|error| StoreError::database("open", path, error))? {
            let found = format!("a column of table {table} whose name is not UTF-8");
            return Err(StoreError::NotAStore(path.to_owned(), found));
        }
    }
    Ok(())
}

/// Creates the tables in an empty file, with the agents that take part in a shard if these are its results.
pub(super) fn create(
    path: &Path,
    league: &League,
    rules: &TournamentRules,
    shard: Option<(Shard, &[StoredAgent])>,
) -> Result<Connection, StoreError> {
    let mut connection = open(path)?;
    let fill = |connection: &mut Connection| {
        let transaction = connection.transaction()?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.execute_batch(TABLES)?;
        let text =
            serde_json::to_string(league).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        transaction.execute(
            "INSERT INTO tournament (league, seed, games, kingline, shard, complete) VALUES (?, ?, ?, ?, ?, ?)",
            (
                text,
                rules.seed.cast_signed(),
                rules.games,
                env!("CARGO_PKG_VERSION"),
                shard.map(|(shard, _)| shard.to_string()),
                shard.map(|_| false),
            ),
        )?;
        for StoredAgent { name, hash, .. } in shard.map_or(&[][..], |(_, agents)| agents) {
            transaction.execute("INSERT INTO agent (name, hash, present) VALUES (?, ?, 1)", (name, hash))?;
        }
        transaction.commit()
    };
    fill(&mut connection).map_err(|error| StoreError::database("make", path, error))?;
    Ok(connection)
}

/// Reads the rules that a store was made with and, if it has the results of a shard, which one.
pub(super) fn rules(
    connection: &Connection,
    path: &Path,
) -> Result<(League, TournamentRules, Option<Part>), StoreError> {
    let row = connection.query_row("SELECT league, seed, games, shard, complete FROM tournament", (), |row| {
        let shard: Option<String> = row.get(3)?;
        Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get(2)?, shard, row.get::<_, Option<bool>>(4)?))
    });
    let row = row.optional().map_err(|error| StoreError::database("read", path, error))?;
    let refuse = |found: String| StoreError::NotAStore(path.to_owned(), found);
    let (league, seed, games, shard, complete) = row.ok_or_else(|| refuse("no tournament rules".to_owned()))?;
    let league: League =
        serde_json::from_str(&league).map_err(|error| refuse(format!("a league that cannot be read: {error}")))?;
    let shard = shard.map(|text| text.parse()).transpose().map_err(|error| refuse(format!("a shard: {error}")))?;
    let part = shard.map(|shard| Part { shard, is_complete: complete == Some(true) });
    let rules = TournamentRules { pairing: league.pairing, games, seed: seed.cast_unsigned() };
    Ok((league, rules, part))
}

/// Opens a connection with a rollback journal instead of a write-ahead log. The store is a single file, even after
/// SIGKILL, and can be on a network or read-only file system. With EXTRA, the journal is on disk before the file
/// changes, the file is on disk before the journal is deleted, and the deletion is on disk before a game counts as
/// recorded, so a power cut loses no recorded game. The few waits for the disk are short compared with a game.
pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    let opened = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let set = |connection: Connection| {
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "synchronous", "EXTRA")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Ok(connection)
    };
    opened.and_then(set).map_err(|error| StoreError::database("open", path, error))
}
