//! playdata.txt: what the agent remembers of a game from turn to turn.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::charges::{Charges, ChargesText};
use super::read_if_there;
use crate::files::write_whole;
use kingline::checkers::{Move, Position};
use kingline::game::{Ending, Game, History, Progress, Rules};
use kingline::score::Score;

/// Knowledge of the game beyond the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Playdata {
    /// Known positions since the last capture or crowning.
    pub history: History<Position>,
    /// CPU time of the agent's earlier turns: what it has read, and what the clock has shown beyond that.
    pub spent: Duration,
    /// Score of the agent's last turn, from the agent's view; `None` before its first turn.
    pub score: Option<Score>,
    /// Charges for the agent's turns.
    pub charges: Charges,
}

/// State of a game that `homework` keeps from turn to turn, in playdata.txt.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "Playdata"))]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaydataText {
    /// Version of the format.
    version: u32,
    /// Positions in PDN since the last capture or crowning, up to the one after the agent's last turn.
    positions: Vec<String>,
    /// Turns in a row without a capture or a crowning.
    quiet_turns: u16,
    /// CPU seconds of the agent's earlier turns.
    spent_seconds: f64,
    /// Score of the agent's last turn, in hundredths of a man, from its view; null before its first turn.
    score: Option<i16>,
    #[serde(default)]
    charges: ChargesText,
}

const VERSION: u32 = 1;

fn under_course(position: Position) -> History<Position> {
    History::new(position).under(Rules::Course)
}

impl Playdata {
    /// Playdata for a game with no known history.
    pub fn fresh(position: Position) -> Playdata {
        Playdata { history: under_course(position), spent: Duration::ZERO, score: None, charges: Charges::default() }
    }

    /// Loads the playdata.txt of the game that led to `position`. Ignores a file that is missing, damaged or from
    /// another game; in the last two cases, adds the reason to `warnings`.
    pub fn load(path: &Path, position: Position, warnings: &mut Vec<String>) -> Playdata {
        let Some(text) = read_if_there(path, warnings) else { return Playdata::fresh(position) };
        Playdata::parse(&text, position).unwrap_or_else(|error| {
            warnings.push(format!("{} is ignored: {error:#}", path.display()));
            Playdata::fresh(position)
        })
    }

    /// Reads the text of a playdata file, then plays the opponent's turn that leads to `position`.
    ///
    /// # Errors
    /// The text is damaged, or no legal turn leads from its last position to `position`.
    pub fn parse(text: &str, position: Position) -> Result<Playdata> {
        let stored: PlaydataText = serde_json::from_str(text).context("not the JSON that a turn writes")?;
        anyhow::ensure!(stored.version == VERSION, "version {}, expected {VERSION}", stored.version);
        let mut positions = stored.positions.iter();
        let first = positions.next().context("no position, expected at least one")?;
        let mut history = under_course(first.parse().context("its first position")?);
        for (index, text) in (1..).zip(positions) {
            let next: Position = text.parse().with_context(|| format!("its position {}", index + 1))?;
            let mv = turn_between(&history.position(), &next)
                .filter(|&mv| history.position().progress(mv) != Progress::Zeroing)
                .with_context(|| format!("no quiet turn leads from its position {index} to the next"))?;
            history.play(mv);
        }
        let counted = history.quiet_turns();
        anyhow::ensure!(stored.quiet_turns == counted, "{} quiet turns, expected {counted}", stored.quiet_turns);
        let spent = Duration::try_from_secs_f64(stored.spent_seconds).context("its spent_seconds")?;
        let charges = Charges::from_text(stored.charges).context("its charges, expected times in seconds")?;
        let mv = turn_between(&history.position(), &position)
            .context("from another game: no legal turn leads from its last position to the board")?;
        history.play(mv);
        if matches!(history.ending(), Some(Ending::Draw(_))) {
            // The game would be drawn, but a turn is requested, so the history is from another game.
            history = under_course(position);
        }
        Ok(Playdata { history, spent, score: stored.score.map(Score::from_value), charges })
    }

    /// Learns what the agent's last turn cost from the time that is left now.
    pub fn learn(&mut self, left: Duration) {
        self.spent = self.spent.saturating_add(self.charges.learn(left));
    }

    /// Playdata after the agent's turn, which took `time`.
    #[must_use]
    pub fn after(mut self, mv: Move, score: Option<Score>, time: Duration) -> Playdata {
        self.history.play(mv);
        self.spent = self.spent.saturating_add(time);
        self.score = score.or(self.score);
        self
    }

    /// Writes playdata.txt.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        write_whole(path, self.to_json()?.as_bytes())
    }

    /// Text of playdata.txt.
    ///
    /// # Errors
    /// Never: playdata can always be written as JSON.
    pub fn to_json(&self) -> Result<String> {
        let stored = PlaydataText {
            version: VERSION,
            positions: self.history.positions().iter().map(ToString::to_string).collect(),
            quiet_turns: self.history.quiet_turns(),
            spent_seconds: self.spent.as_secs_f64(),
            score: self.score.map(Score::value),
            charges: self.charges.to_text(),
        };
        Ok(serde_json::to_string_pretty(&stored)? + "\n")
    }
}

/// Legal turn that leads from one position to the other.
fn turn_between(from: &Position, to: &Position) -> Option<Move> {
    let list = from.legal_moves();
    list.iter().copied().find(|&mv| from.play(mv) == *to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(position: &Position, text: &str) -> Position {
        position.play(position.parse_move(text).unwrap())
    }

    #[test]
    fn playdata_round_trips_through_its_text() {
        let start = Position::start();
        let mv = start.parse_move("11-15").unwrap();
        let after = Playdata::fresh(start).after(mv, None, Duration::from_millis(4));
        let board = played(&start.play(mv), "23-19");
        let carried = Playdata::parse(&after.to_json().unwrap(), board).unwrap();
        assert_eq!(carried.history.positions(), [start, start.play(mv), board]);
        assert_eq!(carried.spent, Duration::from_millis(4));
    }

    #[test]
    fn text_that_does_not_lead_to_the_board_is_refused() {
        let start = Position::start();
        let mv = start.parse_move("11-15").unwrap();
        let text = Playdata::fresh(start).after(mv, None, Duration::ZERO).to_json().unwrap();
        let board = played(&start.play(mv), "23-19");
        let error = |text: &str, board| format!("{:#}", Playdata::parse(text, board).unwrap_err());
        for board in [start, played(&board, "8-11")] {
            assert!(error(&text, board).starts_with("from another game: "), "{board}");
        }
        for (old, new, message) in [
            ("\"version\": 1", "\"version\": 2", "version 2, expected 1"),
            ("\"quiet_turns\": 1", "\"quiet_turns\": 2", "2 quiet turns, expected 1"),
            ("B:W", "B;W", "its first position: found "),
            ("\"spent_seconds\": 0.0", "\"spent_seconds\": -1.0", "its spent_seconds: "),
            ("\"unread\": 0.0", "\"unread\": 2e9", "its charges, expected times"),
            ("}", "", "not the JSON that a turn writes: "),
        ] {
            assert!(text.contains(old), "{old} in {text}");
            let error = error(&text.replacen(old, new, 1), board);
            assert!(error.starts_with(message), "{error}");
        }
    }
}
