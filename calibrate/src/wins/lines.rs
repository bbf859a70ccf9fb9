//! Files of won positions: a position with its side to move, which wins, and the number of plies that the known proof
//! takes at most.
//!
//! ```text
//! -bbb-b--/w------w/... black;13
//! ```

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use kingline::game::LineError;
use kingline::loa::Position;

use kingline_players::exit::BadInput;

/// Won position on either board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Won {
    Large(Win<8>),
    Small(Win<6>),
}

/// Won position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Win<const N: usize> {
    /// The side to move wins.
    pub(super) position: Position<N>,
    /// Largest number of plies to the win by the known proof.
    pub(super) plies: u16,
}

impl<const N: usize> fmt::Display for Win<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};{}", self.position, self.plies)
    }
}

/// Reads all lines of a file.
///
/// # Errors
/// Fails if the file cannot be read or has no lines. A [`LineError`] names the line and what is wrong with it.
pub(super) fn read(path: &Path) -> Result<Vec<Won>> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let won: Result<Vec<Won>, LineError> = (1..).zip(text.lines()).map(|(line, text)| won(line, text)).collect();
    let won = won.with_context(|| name.to_string())?;
    ensure!(!won.is_empty(), BadInput::new(format!("{name}: found an empty file, expected lines like POSITION;PLIES")));
    Ok(won)
}

fn won(line: usize, text: &str) -> Result<Won, LineError> {
    let wrong = |found: &str, expected: &str| match found {
        "" => LineError::missing(line, "a blank line", expected),
        found => LineError::new(line, found, expected),
    };
    let (position, plies) =
        text.split_once(';').ok_or_else(|| wrong(text, "a position, a semicolon and a number of plies"))?;
    let plies = plies.parse().map_err(|_| wrong(plies, "a number of plies"))?;
    // Rows are separated by slashes.
    if position.matches('/').count() == 5 {
        let position = position.parse().map_err(|error| LineError { line, error })?;
        Ok(Won::Small(Win { position, plies }))
    } else {
        let position = position.parse().map_err(|error| LineError { line, error })?;
        Ok(Won::Large(Win { position, plies }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip_and_errors_name_the_line() {
        let text = "-bb---/-----w/------/w-----/--b---/-----w black;7";
        let Won::Small(win) = won(1, text).unwrap() else { panic!("a small board") };
        assert_eq!(win.to_string(), text);
        let error = |text| won(3, text).unwrap_err().to_string();
        assert!(error("").contains("a blank line"), "{}", error(""));
        assert!(error("-bb---/ black;x").contains('x'));
        assert!(error("nothing").contains("expected a position, a semicolon"));
        assert!(error("-bb black;3").starts_with("line 3"), "{}", error("-bb black;3"));
    }
}
