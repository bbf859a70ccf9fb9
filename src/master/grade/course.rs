//! How does a course grade? Plain data, so that each can have its own: `master grade --course FILE`.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::files::read_text;
use crate::game::{Color, ParseError};
use crate::master::agent::Language;
use crate::master::agent_limits::AgentLimits;
use crate::master::league::{Format, League};

/// An exam of single moves and of games against the reference agent, and the customs of its games. All times are seconds.
///
/// What a file leaves out is as in [`Course::default`]. `samples/courses/course.schema.json` describes it to editors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Course {
    /// What it is called in reports.
    pub name: String,
    /// What the agent is asked for, each on its own.
    pub moves: CourseMoves,
    /// The games, in order.
    pub games: Vec<CourseGame>,
    /// The points of a won game; a drawn one goes to the side with more time left, and if both have the same, each has half.
    pub points_a_game: u32,
    /// Random turns before each game, an even number; 0: the start position.
    pub opening: u32,
    /// CPU seconds that a game costs the reference agent; `null`: as few as it needs.
    pub reference_cost: Option<f64>,
    /// How strictly answers are read.
    pub format: Format,
    /// What agents may use besides time.
    pub limits: AgentLimits,
    /// What is handed in as source, and how it is built and run.
    pub submissions: Vec<Language>,
}

/// The single moves of a course.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CourseMoves {
    /// How many; there are ten kinds of positions, which follow each other.
    pub count: usize,
    /// The time left in each; `null`: as much as the kind of position has, from 0.01 to 300.
    pub seconds: Option<f64>,
    /// The points of each.
    pub points: u32,
}

/// A game of a course.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseGame {
    /// The time of each side.
    pub seconds: f64,
    /// The agent's side; `black` has the first move.
    pub side: CourseSide,
}

/// A side, as it is written in a course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CourseSide {
    /// The first mover.
    Black,
    /// The second mover.
    White,
}

/// The times of the nine games that come with the program, a line each.
const BUILT_IN_BUDGETS: &str = include_str!("../../../samples/grading/budgets.txt");

/// Bounds that keep slips of the pen from costing a night.
const MOST_STEPS: usize = 1000;
const MOST_SECONDS: f64 = 1e6;
const MOST_OPENING: u32 = 20;
/// What `reference --cost` takes.
const MOST_COST: f64 = 1e4;

impl Default for Course {
    /// The exam that comes with the program: ten moves and nine games, quick enough for home.
    fn default() -> Course {
        Course {
            name: "kingline".to_owned(),
            moves: CourseMoves::default(),
            games: alternating(&seconds(BUILT_IN_BUDGETS).unwrap_or_default()),
            points_a_game: 10,
            opening: 4,
            reference_cost: None,
            format: Format::Strict,
            limits: AgentLimits::default(),
            submissions: Language::usual(),
        }
    }
}

impl Default for CourseMoves {
    fn default() -> CourseMoves {
        CourseMoves { count: 10, seconds: None, points: 1 }
    }
}

impl Course {
    /// Reads a course from a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a course: where, and what was expected.
    pub fn read(path: &Path) -> Result<Course> {
        let read = || -> Result<Course> {
            let course: Course = serde_json::from_str(&read_text(path)?)?;
            course.checked()
        };
        read().with_context(|| path.display().to_string())
    }

    /// With other times of the games.
    ///
    /// # Errors
    /// A line is no time, or there is not one for each game.
    pub fn with_budgets(mut self, path: &Path) -> Result<Course> {
        let read = || -> Result<Vec<f64>> {
            let times = seconds(&read_text(path)?)?;
            let (found, expected) = (times.len(), self.games.len());
            ensure!(found == expected, "{found} budgets, expected {expected}, a line each");
            Ok(times)
        };
        let times = read().with_context(|| path.display().to_string())?;
        self.games.iter_mut().zip(times).for_each(|(game, seconds)| game.seconds = seconds);
        self.checked()
    }

    fn checked(self) -> Result<Course> {
        let steps = self.moves.count + self.games.len();
        ensure!((1..=MOST_STEPS).contains(&steps), "{steps} moves and games, expected 1 to {MOST_STEPS}");
        let times = self.games.iter().map(|game| game.seconds).chain(self.moves.seconds).chain(self.reference_cost);
        for time in times {
            ensure!(
                time > 0.0 && time <= MOST_SECONDS,
                "found {time} seconds, expected a number above 0, at most {MOST_SECONDS}"
            );
        }
        if let Some(cost) = self.reference_cost {
            ensure!(cost <= MOST_COST, "reference_cost is {cost}, expected at most {MOST_COST}");
        }
        let (points, opening) = (self.points_a_game, self.opening);
        ensure!(
            points.is_multiple_of(2),
            "points_a_game is {points}, expected an even number: a drawn game may halve it"
        );
        ensure!(
            opening <= MOST_OPENING && opening.is_multiple_of(2),
            "opening is {opening}, expected an even number up to {MOST_OPENING}"
        );
        ensure!(self.of() > 0, "there are no points to be had");
        Ok(self)
    }

    /// The most points there are.
    pub fn of(&self) -> u32 {
        self.moves.count as u32 * self.moves.points + self.games.len() as u32 * self.points_a_game
    }

    /// The league of its games: checkers.
    ///
    /// # Errors
    /// There is no such league.
    pub fn league(&self) -> Result<League> {
        let league = League::named("checkers").context("no league for checkers")?;
        let (limits, submissions) = (self.limits, self.submissions.clone());
        Ok(League { opening: self.opening, format: self.format, limits, submissions, ..league })
    }
}

impl CourseSide {
    /// As a color.
    pub fn color(self) -> Color {
        match self {
            CourseSide::Black => Color::Black,
            CourseSide::White => Color::White,
        }
    }
}

impl CourseGame {
    /// The time of each side.
    pub fn budget(&self) -> Duration {
        Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX)
    }
}

/// Games of these times; the agent has the first move in every other one, the first included (§3).
fn alternating(seconds: &[f64]) -> Vec<CourseGame> {
    let sides = [CourseSide::Black, CourseSide::White].into_iter().cycle();
    seconds.iter().zip(sides).map(|(&seconds, side)| CourseGame { seconds, side }).collect()
}

/// Parses times: seconds, one per line; blank lines and lines that start with `#` are skipped.
fn seconds(text: &str) -> Result<Vec<f64>> {
    let mut times = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let seconds = line.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && *seconds <= MOST_SECONDS);
        let seconds = seconds.ok_or_else(|| ParseError::new(line, "seconds, a number above 0"));
        times.push(seconds.with_context(|| format!("line {number}"))?);
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_course_that_comes_with_the_program_has_a_hundred_points() {
        let course = Course::default().checked().unwrap();
        assert_eq!((course.of(), course.games.len(), course.moves.count), (100, 9, 10));
        let first = course.games.iter().filter(|game| game.side == CourseSide::Black).count();
        assert_eq!(first, 5);
        let text = serde_json::to_string(&course).unwrap();
        assert_eq!(serde_json::from_str::<Course>(&text).unwrap(), course);
    }

    #[test]
    fn courses_in_samples_can_be_read_and_the_schema_names_their_fields() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/courses");
        for name in ["real.json", "quick.json"] {
            assert_eq!(Course::read(&folder.join(name)).unwrap().of(), 100, "{name}");
        }
        let schema: serde_json::Value =
            serde_json::from_str(&read_text(&folder.join("course.schema.json")).unwrap()).unwrap();
        let fields = serde_json::to_value(Course::default()).unwrap();
        let names = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&schema["properties"]), names(&fields));
        assert_eq!(names(&schema["properties"]["moves"]["properties"]), names(&fields["moves"]));
        assert_eq!(names(&schema["properties"]["games"]["items"]["properties"]), names(&fields["games"][0]));
        assert_eq!(names(&schema["properties"]["limits"]["properties"]), names(&fields["limits"]));
    }

    #[test]
    fn slips_of_the_pen_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("course.json");
        for (text, expected) in [
            ("{\"game\": []}", "unknown field `game`"),
            ("{\"games\": [{\"seconds\": 0, \"side\": \"black\"}]}", "found 0 seconds, expected a number above 0"),
            ("{\"games\": [{\"seconds\": 1, \"side\": \"red\"}]}", "unknown variant `red`"),
            ("{\"moves\": {\"count\": 0}, \"games\": []}", "0 moves and games"),
            ("{\"moves\": {\"count\": 4000000000}}", "expected 1 to 1000"),
            ("{\"points_a_game\": 3}", "points_a_game is 3, expected an even number"),
            ("{\"opening\": 1}", "opening is 1"),
            ("{\"reference_cost\": -1}", "found -1 seconds"),
            ("{\"reference_cost\": 20000}", "reference_cost is 20000, expected at most 10000"),
            ("{\"moves\": {\"points\": 0}, \"points_a_game\": 0}", "no points to be had"),
            ("{", "EOF"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = format!("{:#}", Course::read(&path).unwrap_err());
            assert!(error.contains(expected) && error.contains("course.json"), "{text}: {error}");
        }
    }

    #[test]
    fn times_stand_on_lines() {
        assert_eq!(seconds("# s\n\n 0.5 \n2\n").unwrap(), [0.5, 2.0]);
        for text in ["1\nmany\n", "0\n", "nan\n", "1e9\n"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
