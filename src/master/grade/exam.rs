//! Which positions and budgets is an agent graded by?

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::questions::{drawn, game_seeds};
use crate::files::read_text;
use crate::game::{Game, ParseError};
use crate::protocol::turn_files::TurnRequest;

/// What an agent is asked for in a grading.
#[derive(Clone, Debug)]
pub struct Exam {
    /// The single moves: [`Exam::QUESTIONS`].
    pub questions: Vec<Question>,
    /// The time of each side in the games: [`Exam::GAMES`]. The agent has the first move in every other game, the first
    /// one included.
    pub budgets: Vec<Duration>,
    /// The games' own seeds, of their openings and of the opponent: no two exams share a game.
    pub seeds: [u64; Exam::GAMES],
}

/// A single move to ask for.
#[derive(Clone, Debug)]
pub struct Question {
    /// What it is about; of a file the name, without the extension.
    pub name: String,
    /// The content of input.txt.
    pub request: TurnRequest,
}

/// The name of the file with the budgets in a folder of positions.
const BUDGETS: &str = "budgets.txt";

/// The budgets that come with the program.
const BUILT_IN_BUDGETS: &str = include_str!("../../../samples/grading/budgets.txt");

impl Exam {
    /// The number of single moves.
    pub const QUESTIONS: usize = 10;
    /// The number of games.
    pub const GAMES: usize = 9;

    /// The exam of a seed. `positions` replaces its positions by those of a folder; `budgets` the budgets that come with
    /// the program by those of a file. A `budgets.txt` in the folder counts as `budgets`.
    ///
    /// # Errors
    /// Which file cannot be used, and why.
    pub fn new(seed: u64, positions: Option<&Path>, budgets: Option<&Path>) -> Result<Exam> {
        let questions = match positions {
            Some(folder) => questions(folder)?,
            None => drawn(seed),
        };
        let found = questions.len();
        ensure!(found == Exam::QUESTIONS, "{found} positions, expected {}", Exam::QUESTIONS);
        let beside = positions.map(|folder| folder.join(BUDGETS)).filter(|path| path.exists());
        let budgets = match budgets.map(Path::to_owned).or(beside) {
            Some(path) => {
                let text = read_text(&path).with_context(|| path.display().to_string())?;
                seconds(&text).with_context(|| path.display().to_string())?
            }
            None => seconds(BUILT_IN_BUDGETS)?,
        };
        Ok(Exam { questions, budgets, seeds: game_seeds(seed) })
    }
}

/// The positions in a folder: its files `*.txt` except [`BUDGETS`], by name.
fn questions(folder: &Path) -> Result<Vec<Question>> {
    let list = || -> std::io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder)? {
            paths.push(entry?.path());
        }
        Ok(paths)
    };
    let mut paths = list().with_context(|| folder.display().to_string())?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "txt") && !path.ends_with(BUDGETS));
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        question(&name, &read_text(path)?).with_context(|| path.display().to_string())
    };
    paths.iter().map(read).collect()
}

fn question(name: &str, text: &str) -> Result<Question> {
    let request = TurnRequest::parse(text)?;
    let list = request.position.legal_moves();
    let turn = request.position.turn();
    ensure!(!list.is_empty(), "{turn} has no legal move, expected a position in which it has one");
    Ok(Question { name: name.to_owned(), request })
}

/// Parses budgets: seconds, one per line; blank lines and lines that start with `#` are skipped.
fn seconds(text: &str) -> Result<Vec<Duration>> {
    let mut budgets = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let seconds = line.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
        let budget = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        budgets.push(
            budget
                .ok_or_else(|| ParseError::new(line, "seconds, a number above 0"))
                .with_context(|| format!("line {number}"))?,
        );
    }
    let found = budgets.len();
    ensure!(found == Exam::GAMES, "{found} budgets, expected {}, a line each", Exam::GAMES);
    Ok(budgets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::turn_files::Mode;

    #[test]
    fn the_embedded_budgets_equal_those_in_samples_and_positions_can_be_read_from_there() {
        let built_in = Exam::new(7, None, None).unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/grading");
        let read = Exam::new(7, Some(&folder), None).unwrap();
        assert_eq!(built_in.budgets, read.budgets);
        assert!(read.questions.iter().all(|question| question.request.mode == Mode::Single));
        assert_eq!(read.questions[0].name, "01-steps");
        let mut budgets = built_in.budgets.clone();
        budgets.dedup();
        assert_eq!(budgets.len(), Exam::GAMES, "all differ");
    }

    #[test]
    fn budgets_have_nine_lines() {
        assert_eq!(seconds(&"# s\n\n 0.5 \n".repeat(9)).unwrap(), [Duration::from_millis(500); 9]);
        for (text, expected) in
            [("1\n2\n", "2 budgets, expected 9"), ("1\nmany\n", "line 2"), ("0\n", "line 1"), ("nan\n", "line 1")]
        {
            let error = format!("{:#}", seconds(text).unwrap_err());
            assert!(error.contains(expected), "{error}");
        }
    }
}
