//! Positions and games that make up an exam.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::course::Course;
use super::mark::question_name;
use super::questions::{Question, drawn, game_seeds};
use kingline::files::read_text;
use kingline::game::{Color, Game, ParseError};
use kingline::protocol::turn_files::TurnRequest;

/// The single moves and games of an exam.
#[derive(Clone, Debug)]
pub struct Exam {
    /// The single moves.
    pub questions: Vec<Question>,
    /// The games.
    pub games: Vec<ExamGame>,
    /// Points for a legal move.
    pub points_a_move: u32,
    /// Points for a won game.
    pub points_a_game: u32,
    /// Indexes of the moves and games that are asked: the single moves have the lowest.
    asked: BTreeSet<usize>,
}

/// A game to play.
#[derive(Clone, Copy, Debug)]
pub struct ExamGame {
    /// The agent's side.
    pub side: Color,
    /// The time of each side.
    pub budget: Duration,
    /// Seed for its opening and the opponent's choices, so that no two exams share a game.
    pub seed: u64,
}

/// File with the times of the games, inside a folder of positions.
pub const BUDGETS: &str = "budgets.txt";

impl Exam {
    /// The exam that this seed produces for a course. `positions` replaces its single moves.
    pub fn new(seed: u64, course: &Course, positions: Option<&[Question]>) -> Exam {
        let questions = positions.map_or_else(|| drawn(seed, &course.moves), <[Question]>::to_vec);
        let games = course.games.iter().zip(game_seeds(seed, course.games.len()));
        let games: Vec<ExamGame> =
            games.map(|(game, seed)| ExamGame { side: game.side.color(), budget: game.budget(), seed }).collect();
        let asked = (0..questions.len() + games.len()).collect();
        let (points_a_move, points_a_game) = (course.moves.points, course.points_a_game);
        Exam { questions, games, points_a_move, points_a_game, asked }
    }

    /// The same exam, of which only these questions are asked.
    ///
    /// # Errors
    /// A name is not that of a question; see [`find`](Self::find).
    pub fn only(self, names: &[String]) -> Result<Exam, ParseError> {
        let asked = names.iter().map(|name| self.find(name)).collect::<Result<BTreeSet<usize>, ParseError>>()?;
        Ok(Exam { asked, ..self })
    }

    /// Indexes of the moves and games that are asked.
    pub(super) fn asked(&self) -> &BTreeSet<usize> {
        &self.asked
    }

    /// Number of single moves and games that are asked.
    pub fn steps(&self) -> usize {
        self.asked.len()
    }

    /// Maximum number of points.
    pub fn of(&self) -> u32 {
        self.asked.iter().map(|&index| self.most_points(self.part(index).0)).sum()
    }

    /// Name of a move or game by its index, as in the columns of a gradebook.
    pub(super) fn name(&self, index: usize) -> String {
        let (part, within) = self.part(index);
        question_name(part, within + 1, &self.title(part, within))
    }

    /// Index of a move or game by its name, or by the part of it before the colon: `move 3`. Letter case does not matter.
    ///
    /// # Errors
    /// There is none with this name. The error lists the names.
    pub(super) fn find(&self, name: &str) -> Result<usize, ParseError> {
        let wanted = name.trim().to_lowercase();
        let names: Vec<String> = (0..self.questions.len() + self.games.len()).map(|index| self.name(index)).collect();
        let is_meant = |name: &String| {
            let name = name.to_lowercase();
            name == wanted || name.split(':').next() == Some(&wanted)
        };
        let found = names.iter().position(is_meant);
        found.ok_or_else(|| ParseError::new(name, format!("a question:\n  {}", names.join("\n  "))))
    }
}

/// Reads the positions in a folder, one for each single move of the course: all files `*.txt` except [`BUDGETS`],
/// sorted by name.
///
/// # Errors
/// A file cannot be read or has no position with a legal move, or the number of files differs from the course's.
pub fn questions_in(folder: &Path, course: &Course) -> Result<Vec<Question>> {
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
    let (found, expected) = (paths.len(), course.moves.count);
    ensure!(found == expected, "{}: {found} positions, expected {expected}", folder.display());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::grade::CourseMoves;
    use kingline::protocol::turn_files::Mode;

    #[test]
    fn positions_can_be_read_from_samples() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/grading");
        let questions = questions_in(&folder, &Course::default()).unwrap();
        let read = Exam::new(7, &Course::default(), Some(&questions));
        assert!(read.questions.iter().all(|question| question.request.mode == Mode::Single));
        assert_eq!((read.questions[0].name.as_str(), read.steps(), read.of()), ("01-steps", 19, 100));
        let more = Course { moves: CourseMoves { count: 11, ..CourseMoves::default() }, ..Course::default() };
        let error = format!("{:#}", questions_in(&folder, &more).unwrap_err());
        assert!(error.contains("10 positions, expected 11"), "{error}");
    }

    #[test]
    fn a_course_sets_the_number_of_moves_and_their_time() {
        let moves = CourseMoves { count: 12, seconds: Some(300.0), points: 2 };
        let exam = Exam::new(7, &Course { moves, ..Course::default() }, None);
        assert_eq!((exam.questions.len(), exam.of()), (12, 114));
        assert!(exam.questions.iter().all(|question| question.request.left == Duration::from_secs(300)));
        assert_eq!(exam.questions[10].name, "11 steps");
    }
    #[test]
    fn questions_are_found_by_their_names() {
        let exam = Exam::new(7, &Course::default(), None);
        assert_eq!((exam.name(2), exam.name(11)), ("move 3: 03 three jumps".into(), "game 2: White, 240 s".into()));
        for (name, index) in [("move 1", 0), (" Game 2 ", 11), ("move 3: 03 three jumps", 2), ("game 9", 18)] {
            assert_eq!(exam.find(name).unwrap(), index, "{name}");
        }
        for name in ["", "move", "move 0", "move 11", "game 10", "3"] {
            let error = exam.find(name).unwrap_err().to_string();
            assert!(error.contains("\n  move 10: 10 no time\n  game 1: Black, "), "{error}");
        }
        let exam = exam.only(&["game 2".to_owned(), "move 1".to_owned()]).unwrap();
        assert_eq!((exam.steps(), exam.of()), (2, 11));
    }
}
