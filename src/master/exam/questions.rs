//! The questions of an exam: positions, games and thresholds.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::course::{Course, budget};
use super::drawn::{Question, drawn, game_seeds};
use super::mark::{ExamPart, question_name};
use crate::intake::agent::Agent;
use crate::league::League;
use kingline::game::{Color, Game, ParseError};
use kingline_players::files::read_text;
use kingline_players::protocol::turn_files::TurnRequest;

/// The terms of a grading, except the seed.
#[derive(Clone, Debug)]
pub(crate) struct GradingRules {
    /// Moves, games and points.
    pub(crate) course: Course,
    /// Rules, clock, and random turns before the games; the exam sets the time for each game.
    pub(crate) league: League,
    /// Positions to ask about; `None`: the seed determines them.
    pub(crate) positions: Option<Vec<Question>>,
    /// The opponent in the games, then those of the course's thresholds, in their order.
    pub(crate) opponents: Vec<Opponent>,
    /// Number of moves and games that run concurrently.
    pub(crate) jobs: NonZeroUsize,
}

/// An opponent in the games of an exam.
#[derive(Clone, Debug)]
pub(crate) struct Opponent {
    pub(crate) agent: Agent,
    /// True if it is the reference agent, which gets a seed for each game, so that a grading can be repeated, and the
    /// course's cost.
    pub(crate) is_reference: bool,
}

impl GradingRules {
    /// The exam that this seed determines.
    pub(crate) fn exam(&self, seed: u64) -> Exam {
        Exam::new(seed, &self.course, self.positions.as_deref())
    }
}

/// The questions of an exam: single moves, games and thresholds, in this order.
///
/// A question has an index among all questions. A threshold takes several games, so an answer has another index among
/// all answers: those of single moves and games have the same in both.
#[derive(Clone, Debug)]
pub struct Exam {
    /// The seed that determined it.
    pub(crate) seed: u64,
    /// The single moves.
    pub questions: Vec<Question>,
    /// The games.
    pub games: Vec<ExamGame>,
    /// All games of each threshold that may be played, in order.
    pub(crate) thresholds: Vec<Vec<ExamGame>>,
    pub(super) course: Course,
    asked: BTreeSet<usize>,
}

/// A game to play.
#[derive(Clone, Copy, Debug)]
pub struct ExamGame {
    /// The agent's side.
    pub side: Color,
    /// The time of the agent.
    pub budget: Duration,
    /// The opponent's index in `GradingRules::opponents`.
    pub opponent: usize,
    /// The time of the opponent.
    pub opponent_budget: Duration,
    /// Seed for its opening and the opponent's choices, so that no two exams share a game.
    pub seed: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Asked<'a> {
    Move(&'a Question),
    /// A game against the opponent of the exam, or of a threshold.
    Game(&'a ExamGame),
}

/// File with the times of the games, inside a folder of positions.
pub(crate) const BUDGETS: &str = "budgets.txt";

impl Exam {
    /// The exam that this seed produces for a course. `positions` replaces its single moves.
    pub fn new(seed: u64, course: &Course, positions: Option<&[Question]>) -> Exam {
        let questions = positions.map_or_else(|| drawn(seed, &course.moves), <[Question]>::to_vec);
        let bouts: usize = course.thresholds.iter().map(|threshold| threshold.games).sum();
        let mut seeds = game_seeds(seed, course.games.len() + bouts).into_iter();
        let mut game = |side, [budget, opponent_budget]: [Duration; 2], opponent| ExamGame {
            side,
            budget,
            opponent,
            opponent_budget,
            seed: seeds.next().unwrap_or_default(),
        };
        let games: Vec<_> = course.games.iter().map(|own| game(own.side, [budget(own.seconds); 2], 0)).collect();
        let thresholds = (1..).zip(&course.thresholds).map(|(opponent, threshold)| {
            let sides = Color::ALL.into_iter().cycle().take(threshold.games);
            sides.map(|side| game(side, threshold.budgets(), opponent)).collect()
        });
        let thresholds: Vec<Vec<ExamGame>> = thresholds.collect();
        let asked = (0..questions.len() + games.len() + thresholds.len()).collect();
        Exam { seed, questions, games, thresholds, course: course.clone(), asked }
    }

    /// The same exam, of which only these questions are asked.
    ///
    /// # Errors
    /// A name is not that of a question. The error lists the names.
    pub(crate) fn only(self, names: &[String]) -> Result<Exam, ParseError> {
        let asked = names.iter().map(|name| self.find(name)).collect::<Result<BTreeSet<usize>, ParseError>>()?;
        Ok(Exam { asked, ..self })
    }

    pub(super) fn asked(&self) -> &BTreeSet<usize> {
        &self.asked
    }

    pub(crate) fn steps(&self) -> usize {
        self.asked.len()
    }

    /// Number of questions of a part that are asked.
    pub(crate) fn steps_of(&self, part: ExamPart) -> usize {
        self.asked.iter().filter(|&&question| self.part(question).0 == part).count()
    }

    /// Maximum number of points.
    pub(crate) fn of(&self) -> u32 {
        self.asked.iter().map(|&question| self.most_points(question)).sum()
    }

    /// The part that a question belongs to, and its index within that part.
    pub(super) fn part(&self, question: usize) -> (ExamPart, usize) {
        let (moves, games) = (self.questions.len(), self.games.len());
        if question < moves {
            (ExamPart::Move, question)
        } else if question < moves + games {
            (ExamPart::Game, question - moves)
        } else {
            (ExamPart::Threshold, question - moves - games)
        }
    }

    pub(super) fn most_points(&self, question: usize) -> u32 {
        match self.part(question) {
            (ExamPart::Move, _) => self.course.moves.points,
            (ExamPart::Game, _) => self.course.points_a_game,
            (ExamPart::Threshold, threshold) => self.course.thresholds[threshold].points,
        }
    }

    /// A question's position, side and time, or opponent.
    pub(super) fn title(&self, question: usize) -> String {
        match self.part(question) {
            (ExamPart::Move, index) => self.questions[index].name.clone(),
            (ExamPart::Game, index) => {
                let ExamGame { side, budget, .. } = self.games[index];
                format!("{side}, {} s", budget.as_secs_f64())
            }
            (ExamPart::Threshold, index) => self.course.thresholds[index].title(),
        }
    }

    /// Name of a question, as in the columns of a gradebook.
    pub(super) fn name(&self, question: usize) -> String {
        let (part, within) = self.part(question);
        question_name(part, within + 1, &self.title(question))
    }

    /// Name of a question without its title: `move 3`.
    pub(crate) fn short_name(&self, question: usize) -> String {
        let (part, within) = self.part(question);
        format!("{} {}", part.word(), within + 1)
    }

    /// Index of a question by its name, or by the part of it before the colon: `move 3`. Letter case does not matter.
    ///
    /// # Errors
    /// There is none with this name. The error lists the names.
    pub(crate) fn find(&self, name: &str) -> Result<usize, ParseError> {
        let wanted = name.trim().to_lowercase();
        let all = 0..self.questions.len() + self.games.len() + self.thresholds.len();
        let names: Vec<String> = all.map(|question| self.name(question)).collect();
        let is_meant = |name: &String| {
            let name = name.to_lowercase();
            name == wanted || name.split(':').next() == Some(&wanted)
        };
        let found = names.iter().position(is_meant);
        found.ok_or_else(|| ParseError::new(name, format!("a question:\n  {}", names.join("\n  "))))
    }

    /// Indexes of the answers to a question.
    pub(crate) fn answers_to(&self, question: usize) -> Range<usize> {
        match self.part(question) {
            (ExamPart::Move | ExamPart::Game, _) => question..question + 1,
            (ExamPart::Threshold, index) => {
                let before: usize = self.thresholds[..index].iter().map(Vec::len).sum();
                let first = self.questions.len() + self.games.len() + before;
                first..first + self.thresholds[index].len()
            }
        }
    }

    /// Returns the question of the answer with this index; `None` if there is no such answer.
    pub(crate) fn asked_by(&self, answer: usize) -> Option<Asked<'_>> {
        let games = self.games.iter().chain(self.thresholds.iter().flatten());
        self.questions.iter().map(Asked::Move).chain(games.map(Asked::Game)).nth(answer)
    }
}

/// Reads the positions in a folder, one for each single move of the course: all files `*.txt` except [`BUDGETS`],
/// sorted by name.
pub(crate) fn questions_in(folder: &Path, course: &Course) -> Result<Vec<Question>> {
    let list = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<PathBuf>>>();
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
    use crate::exam::{CourseMoves, CourseThreshold};
    use kingline_players::protocol::turn_files::Mode;

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
            assert!(error.contains("\n  move 10: 10 a jump in 0.25 s\n  game 1: Black, "), "{error}");
        }
        let exam = exam.only(&["game 2".to_owned(), "move 1".to_owned()]).unwrap();
        assert_eq!((exam.steps(), exam.of()), (2, 11));
    }

    #[test]
    fn thresholds_come_after_the_games_and_change_none_of_them() {
        let threshold = |games| CourseThreshold {
            opponent: "staff/old".into(),
            seconds: 9.0,
            opponent_seconds: Some(0.1),
            games,
            needed: 1.5,
            points: 7,
        };
        let plain = Exam::new(7, &Course::default(), None);
        let course = Course { thresholds: vec![threshold(2), threshold(3)], ..Course::default() };
        let exam = Exam::new(7, &course, None);
        let seeds = |exam: &Exam| exam.games.iter().map(|game| game.seed).collect::<Vec<u64>>();
        assert_eq!((seeds(&exam), exam.steps(), exam.of()), (seeds(&plain), 21, 114));
        assert_eq!((exam.answers_to(18), exam.answers_to(19), exam.answers_to(20)), (18..19, 19..21, 21..24));
        let opponents: Vec<usize> = (0..25)
            .filter_map(|answer| match exam.asked_by(answer) {
                Some(Asked::Game(game)) => Some(game.opponent),
                _ => None,
            })
            .collect();
        assert_eq!(opponents, [&[0; 9][..], &[1, 1, 2, 2, 2]].concat());
        assert_eq!(exam.name(20), "threshold 2: old, 9 s against 0.1 s");
        let sides: Vec<Color> = exam.thresholds[1].iter().map(|game| game.side).collect();
        assert_eq!(sides, [Color::Black, Color::White, Color::Black]);
    }
}
