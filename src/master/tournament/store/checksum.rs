//! Checksums that show whether a game has changed since it was recorded.
//!
//! SHA-256 over all rows of the game in a canonical form: each row's columns that have a value, sorted by name, with
//! their types and lengths. Agents are identified by name and hash, not by their numbers in this store. Columns without
//! a value are skipped, so that a later version can add columns.

use std::io::Write;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Result, Row, named_params};
use sha2::{Digest, Sha256};

use super::GameId;
use crate::hash::in_hex;

/// Writes the checksum of a game whose other rows are complete.
pub(super) fn write(connection: &Connection, id: GameId) -> Result<()> {
    let mut statement = connection.prepare_cached("UPDATE record SET checksum = :checksum WHERE game = :game")?;
    statement.execute(named_params! { ":checksum": of(connection, id)?, ":game": id.0 })?;
    Ok(())
}

/// Returns true if a game is as it was recorded, by its checksum.
pub(super) fn matches(connection: &Connection, id: GameId) -> Result<bool> {
    let mut statement = connection.prepare_cached("SELECT checksum FROM record WHERE game = ?")?;
    let written: Option<Option<String>> = statement.query_row((id.0,), |row| row.get(0)).optional()?;
    Ok(written.flatten() == Some(of(connection, id)?))
}

/// Columns that identify a row only within this store; the checksum omits them.
const PLACES: [&str; 4] = ["id", "game", "black", "white"];

/// Computes the checksum of a game as it is now.
fn of(connection: &Connection, GameId(id): GameId) -> Result<String> {
    let (mut hash, mut bytes) = (Sha256::new(), Vec::new());
    for query in [
        "SELECT black.name AS black_name, black.hash AS black_hash, white.name AS white_name, \
         white.hash AS white_hash FROM game JOIN agent AS black ON black.id = game.black \
         JOIN agent AS white ON white.id = game.white WHERE game.id = ?",
        "SELECT * FROM game WHERE id = ?",
        "SELECT * FROM record WHERE game = ?",
        "SELECT * FROM move WHERE game = ? ORDER BY turn",
    ] {
        let mut statement = connection.prepare_cached(query)?;
        let mut columns: Vec<(String, usize)> = statement.column_names().map(str::to_owned).zip(0..).collect();
        columns.retain(|(name, _)| name != "checksum" && !PLACES.contains(&name.as_str()));
        columns.sort();
        let mut rows = statement.query((id,))?;
        while let Some(row) = rows.next()? {
            bytes.clear();
            add(&mut bytes, row, &columns)?;
            hash.update(&bytes);
        }
    }
    Ok(in_hex(&hash.finalize()))
}

/// Adds a row. The length of a text or blob precedes it, so different rows give different bytes.
fn add(bytes: &mut Vec<u8>, row: &Row<'_>, columns: &[(String, usize)]) -> Result<()> {
    bytes.extend(b"row\n");
    for (name, column) in columns {
        // Writing to memory cannot fail.
        let _ = match row.get_ref(*column)? {
            ValueRef::Null => Ok(()),
            ValueRef::Integer(number) => writeln!(bytes, "{name} integer {number}"),
            ValueRef::Real(number) => writeln!(bytes, "{name} real {:016x}", number.to_bits()),
            ValueRef::Text(text) => write!(bytes, "{name} text {} ", text.len()).map(|()| bytes.extend(text)),
            ValueRef::Blob(blob) => write!(bytes, "{name} blob {} ", blob.len()).map(|()| bytes.extend(blob)),
        };
    }
    Ok(())
}
