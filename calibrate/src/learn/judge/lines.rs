//! Positions and results, from lines or from game files.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use kingline::game::LineError;

use crate::learn::file::FORMAT;
use crate::learn::game::Learned;
use crate::learn::game_records;
use kingline_players::exit::BadInput;

/// Position, and the result of its game.
pub(super) struct Judged<G> {
    pub(super) position: G,
    /// Points of the side to move: 0, 0.5 or 1.
    pub(super) points: f64,
}

/// Reads all lines of a file, or all positions of a game file.
///
/// # Errors
/// Fails if the file cannot be read, is empty, or has games of another kind. A [`LineError`] names the line and what is
/// wrong with it.
pub(super) fn read<G: Learned>(path: &Path) -> Result<Vec<Judged<G>>> {
    let name = path.display();
    let failed = || format!("cannot read {name}");
    let mut file = BufReader::new(File::open(path).with_context(failed)?);
    if file.fill_buf().with_context(failed)?.starts_with(FORMAT.as_bytes()) {
        return judged_games(path);
    }
    let mut judged = Vec::new();
    let mut bytes = Vec::new();
    while file.read_until(b'\n', &mut bytes).with_context(failed)? > 0 {
        let text = String::from_utf8_lossy(&bytes);
        judged.push(judged_line(judged.len() + 1, text.trim_end()).with_context(|| name.to_string())?);
        bytes.clear();
    }
    let empty = "found an empty file, expected lines with a position, a semicolon and a result";
    ensure!(!judged.is_empty(), BadInput::new(format!("{name}: {empty}")));
    Ok(judged)
}

fn judged_games<G: Learned>(path: &Path) -> Result<Vec<Judged<G>>> {
    let records = game_records::<G>(path)?;
    let judged: Vec<_> = records
        .iter()
        .filter_map(|record| {
            let position = G::unpack(record.turn, record.pieces)?;
            Some(Judged { position, points: record.result.points().into() })
        })
        .collect();
    ensure!(!judged.is_empty(), BadInput::new(format!("{}: found no complete game", path.display())));
    Ok(judged)
}

fn judged_line<G: Learned>(line: usize, text: &str) -> Result<Judged<G>, LineError> {
    let wrong = |expected: &str| match text {
        "" => LineError::missing(line, "a blank line", expected),
        text => LineError::new(line, text, expected),
    };
    let (position, result) = text.split_once(';').ok_or_else(|| wrong("a position, a semicolon and a result"))?;
    let points = match result {
        "0" => 0.0,
        "0.5" => 0.5,
        "1" => 1.0,
        _ => return Err(LineError::new(line, result, "1, 0.5 or 0, the result for the side to move")),
    };
    let position = position.parse().map_err(|error| LineError { line, error })?;
    Ok(Judged { position, points })
}
