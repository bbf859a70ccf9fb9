//! Positions and games that make up an exam.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::course::Course;
use super::questions::{Question, drawn, game_seeds};
use kingline::files::read_text;
use kingline::game::{Color, Game};
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
        let games =
            games.map(|(game, seed)| ExamGame { side: game.side.color(), budget: game.budget(), seed }).collect();
        Exam { questions, games, points_a_move: course.moves.points, points_a_game: course.points_a_game }
    }

    /// Number of single moves and games.
    pub fn steps(&self) -> usize {
        self.questions.len() + self.games.len()
    }

    /// Maximum number of points.
    pub fn of(&self) -> u32 {
        self.questions.len() as u32 * self.points_a_move + self.games.len() as u32 * self.points_a_game
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
}
