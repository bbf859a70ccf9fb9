//! Columns that older stores lack, and a check of column names.

use std::path::Path;
use std::str;

use rusqlite::Connection;

use super::error::StoreError;

/// Checksum of a game, in the table `record`.
pub(super) const CHECKSUM: &str = "checksum";

/// Tables, each with a column that a later release added without changing the version of the store.
const ADDED: [(&str, &str); 2] = [("record", CHECKSUM), ("move", "peak")];

/// Tables that are read with `SELECT *`.
const TABLES: [&str; 3] = ["game", "record", "move"];

/// Returns true if the table has the column.
pub(super) fn has_column(connection: &Connection, table: &str, column: &str) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM pragma_table_info(?) WHERE name = ?")?;
    statement.exists((table, column))
}

/// Adds missing columns. A store can be read without them, and older programs ignore them.
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

/// Checks that column names are UTF-8. `rusqlite` panics on any other name.
pub(super) fn check_names(connection: &Connection, path: &Path) -> Result<(), StoreError> {
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
    for table in TABLES {
        if !is_utf8(table).map_err(|error| StoreError::database("open", path, error))? {
            let found = format!("a column of table {table} whose name is not UTF-8");
            return Err(StoreError::NotAStore(path.to_owned(), found));
        }
    }
    Ok(())
}
