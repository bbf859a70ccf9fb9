//! Terms of a course as plain data, so that a course can set its own: `master grade --course FILE`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::mark::{ExamPart, game_name, saved};
use crate::intake::agent::{Language, class_path, name_of};
use crate::league::agent_limits::AgentLimits;
use crate::league::clock_rules::{Allowance, ClockRules};
use crate::league::preparation::PreparationLimits;
use crate::league::{Format, League, usual_modules};
use kingline::game::{Color, ParseError};
use kingline_players::files::{folder_of, read_text};
use kingline_players::terminal::escaped_path;

/// A course of `master grade --course FILE`: an exam of single moves and of games against the reference agent, with the
/// rules of the games. Fields left out are as in the exam that comes with the program. All times are in seconds.
///
/// These are the values of [`Course::default`]. `samples/courses/course.schema.json` describes the format to editors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Course {
    /// Name shown in reports.
    pub name: String,
    /// The single moves.
    pub moves: CourseMoves,
    /// The games, in order.
    pub games: Vec<CourseGame>,
    /// Points for a won game. A drawn game goes to the side with more time left; if both have the same, each gets half.
    #[cfg_attr(feature = "schemas", schemars(extend("multipleOf" = 2)))]
    pub points_a_game: u32,
    /// Scores to reach against opponents of the staff's choice.
    pub thresholds: Vec<CourseThreshold>,
    /// Random turns before each game, an even number; 0 means the start position.
    #[cfg_attr(feature = "schemas", schemars(range(max = MOST_OPENING), extend("multipleOf" = 2)))]
    pub opening: u32,
    /// CPU seconds that the reference agent uses per game; `null`: as few as possible.
    #[cfg_attr(feature = "schemas", schemars(range(max = MOST_COST), extend("exclusiveMinimum" = 0)))]
    pub reference_cost: Option<f64>,
    /// The kind of time that counts: `cpu`, which is user and system time, `user` alone, or `wall`.
    pub clock: Allowance,
    /// Strictness of parsing answers.
    pub format: Format,
    /// Limits on resources other than time.
    pub limits: AgentLimits,
    /// Languages of submissions, with the commands that build and run them.
    pub submissions: Vec<Language>,
    /// Python modules beyond the standard library that agents may use.
    #[cfg_attr(feature = "schemas", schemars(inner(regex(pattern = "^[A-Za-z0-9_]+$"))))]
    pub modules: Vec<String>,
    /// Jars for submissions in Java.
    pub class_path: Vec<PathBuf>,
    /// Limits on a submission's files, its build and its `calibrate`.
    pub preparation: PreparationLimits,
}

/// The single moves of a course.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CourseMoves {
    /// Number of moves; they cycle through ten kinds of positions.
    #[cfg_attr(feature = "schemas", schemars(range(max = MOST_STEPS)))]
    pub count: usize,
    /// Time left for each move; `null`: a time that suits the kind of position, from 0.25 to 300.
    #[cfg_attr(feature = "schemas", schemars(range(max = MOST_SECONDS), extend("exclusiveMinimum" = 0)))]
    pub seconds: Option<f64>,
    /// Points for each move.
    pub points: u32,
}

/// A game in a course.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CourseGame {
    /// Time of each side.
    #[cfg_attr(feature = "schemas", schemars(range(max = MOST_SECONDS), extend("exclusiveMinimum" = 0)))]
    pub seconds: f64,
    /// The agent's side; `black` has the first move.
    pub side: Color,
}

/// A score to reach against an opponent, for all points or none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CourseThreshold {
    /// `reference`, or the path of an agent, relative to this file.
    pub opponent: PathBuf,
    /// Time of the agent in each game.
    #[cfg_attr(feature = "schemas", schemars(range(max = MOST_SECONDS), extend("exclusiveMinimum" = 0)))]
    pub seconds: f64,
    /// Time of the opponent in each game; null: that of the agent.
    #[cfg_attr(feature = "schemas", schemars(range(max = MOST_SECONDS), extend("exclusiveMinimum" = 0)))]
    pub opponent_seconds: Option<f64>,
    /// Maximum number of games. The agent has the first move in every other game, starting with the first.
    pub games: usize,
    /// Score to reach: a won game counts 1, half a game 0.5.
    #[cfg_attr(feature = "schemas", schemars(extend("exclusiveMinimum" = 0, "multipleOf" = 0.5)))]
    pub needed: f64,
    /// Points for reaching it.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1, max = MOST_POINTS)))]
    pub points: u32,
}

/// Name of the reference agent as an opponent.
pub(super) const REFERENCE: &str = "reference";

/// Times of the nine default games, one per line.
const BUILT_IN_BUDGETS: &str = include_str!("../samples/grading/budgets.txt");

/// Bounds that keep a typo from wasting a night.
const MOST_STEPS: usize = 1000;
const MOST_SECONDS: f64 = 1e6;
const MOST_OPENING: u32 = 20;
/// Keeps a threshold from outweighing everything else.
const MOST_POINTS: u32 = 1_000_000;
/// Maximum value for `reference --cost`.
const MOST_COST: f64 = 1e4;

impl Default for Course {
    /// The default exam: ten moves and nine games, quick enough to run at home.
    fn default() -> Course {
        Course {
            name: "kingline".to_owned(),
            moves: CourseMoves::default(),
            games: alternating(&seconds(BUILT_IN_BUDGETS).unwrap_or_default()),
            points_a_game: 10,
            thresholds: Vec::new(),
            opening: 0,
            reference_cost: None,
            clock: Allowance::Cpu,
            format: Format::Strict,
            limits: AgentLimits::default(),
            submissions: Language::usual(),
            modules: usual_modules(),
            class_path: Vec::new(),
            preparation: PreparationLimits::default(),
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
    /// The file cannot be read or is not a course; the error gives the place and what was expected.
    pub(crate) fn read(path: &Path) -> Result<Course> {
        let read = || -> Result<Course> {
            let mut course: Course = serde_json::from_str(&read_text(path)?)?;
            for threshold in course.thresholds.iter_mut().filter(|threshold| threshold.is_path()) {
                threshold.opponent = folder_of(path).join(&threshold.opponent);
            }
            for jar in &mut course.class_path {
                *jar = std::path::absolute(folder_of(path).join(&*jar))?;
            }
            course.checked()
        };
        read().with_context(|| path.display().to_string())
    }

    pub(crate) fn with_budgets(mut self, path: &Path) -> Result<Course> {
        let read = || -> Result<Vec<f64>> {
            let times = seconds(&read_text(path)?)?;
            let (found, expected) = (times.len(), self.games.len());
            ensure!(found == expected, "{found} budgets, expected {expected}, one per line");
            Ok(times)
        };
        let times = read().with_context(|| path.display().to_string())?;
        self.games.iter_mut().zip(times).for_each(|(game, seconds)| game.seconds = seconds);
        self.checked()
    }

    fn checked(self) -> Result<Course> {
        let bouts = self.thresholds.iter().map(|threshold| threshold.games);
        let steps = bouts.fold(self.moves.count.saturating_add(self.games.len()), usize::saturating_add);
        ensure!((1..=MOST_STEPS).contains(&steps), "{steps} moves and games, expected 1 to {MOST_STEPS}");
        let games = self.games.iter().enumerate();
        let games = games.map(|(number, game)| (format!("games[{number}].seconds"), Some(game.seconds)));
        let thresholds = self.thresholds.iter().enumerate().flat_map(|(number, threshold)| {
            let name = |field: &str| format!("thresholds[{number}].{field}");
            [(name("seconds"), Some(threshold.seconds)), (name("opponent_seconds"), threshold.opponent_seconds)]
        });
        let others =
            [("moves.seconds".to_owned(), self.moves.seconds), ("reference_cost".to_owned(), self.reference_cost)];
        for (field, time) in games.chain(thresholds).chain(others) {
            let time = time.unwrap_or(1.0);
            ensure!(
                time > 0.0 && time <= MOST_SECONDS,
                "{field}: found {time} seconds, expected a number above 0, at most {MOST_SECONDS}"
            );
        }
        for (number, threshold) in self.thresholds.iter().enumerate() {
            threshold.check().with_context(|| format!("thresholds[{number}]"))?;
        }
        if let Some(cost) = self.reference_cost {
            ensure!(cost <= MOST_COST, "reference_cost is {cost}, expected at most {MOST_COST}");
        }
        let (points, opening) = (self.points_a_game, self.opening);
        ensure!(
            points.is_multiple_of(2),
            "points_a_game is {points}, expected an even number, since a drawn game is worth half"
        );
        ensure!(
            opening <= MOST_OPENING && opening.is_multiple_of(2),
            "opening is {opening}, expected an even number up to {MOST_OPENING}"
        );
        ensure!(self.of() > 0, "the exam has no points");
        self.limits.check()?;
        self.preparation.check()?;
        class_path::check(&self.class_path).context("class_path")?;
        Ok(self)
    }

    /// Maximum number of points.
    pub(crate) fn of(&self) -> u32 {
        let thresholds = self.thresholds.iter().map(|threshold| threshold.points);
        let all = [self.moves.count as u32 * self.moves.points, self.games.len() as u32 * self.points_a_game];
        all.into_iter().chain(thresholds).sum()
    }

    pub(crate) fn saved_games(&self) -> impl Iterator<Item = String> {
        let games = (1..=self.games.len()).map(|number| game_name(ExamPart::Game, number, 1));
        let bouts = (1..).zip(&self.thresholds).flat_map(|(number, threshold)| {
            (1..=threshold.games).map(move |game| game_name(ExamPart::Threshold, number, game))
        });
        games.chain(bouts).map(|game| saved(&game))
    }

    /// The league for its games: checkers.
    pub(crate) fn league(&self) -> Result<League> {
        let league = League::named("checkers").context("no league for checkers")?;
        let (limits, submissions, preparation) = (self.limits, self.submissions.clone(), self.preparation);
        let (opening, format, modules) = (self.opening, self.format, self.modules.clone());
        let clock = ClockRules { counts: self.clock, ..league.clock };
        let class_path = self.class_path.clone();
        Ok(League { clock, opening, format, limits, submissions, modules, class_path, preparation, ..league })
    }
}

impl CourseThreshold {
    /// Opponent and times, for people: `homework, 300 s against 0.1 s`.
    pub(super) fn title(&self) -> String {
        let name = name_of(&self.opponent);
        let times = match self.opponent_seconds {
            Some(other) if other != self.seconds => format!("{} s against {other} s", self.seconds),
            _ => format!("{} s", self.seconds),
        };
        format!("{}, {times}", escaped_path(Path::new(&name)))
    }

    pub(crate) fn is_reference(&self) -> bool {
        self.opponent == Path::new(REFERENCE)
    }

    fn is_path(&self) -> bool {
        !self.is_reference() && !self.opponent.as_os_str().is_empty()
    }

    pub(super) fn budgets(&self) -> [Duration; 2] {
        [self.seconds, self.opponent_seconds.unwrap_or(self.seconds)].map(budget)
    }

    /// The score to reach, in halves of a game.
    pub(super) fn needed_halves(&self) -> u32 {
        (self.needed * 2.0) as u32
    }

    fn check(&self) -> Result<()> {
        let CourseThreshold { opponent, games, needed, points, .. } = self;
        ensure!(!opponent.as_os_str().is_empty(), "opponent is empty, expected \"{REFERENCE}\" or a path");
        ensure!(*games > 0, "games is 0, expected at least 1");
        ensure!(
            *needed > 0.0 && *needed <= *games as f64 && (needed * 2.0).fract() == 0.0,
            "needed is {needed}, expected a multiple of 0.5 above 0, at most {games}, the number of games"
        );
        ensure!(*points > 0, "points is 0, expected at least 1");
        ensure!(*points <= MOST_POINTS, "points is {points}, expected at most {MOST_POINTS}");
        Ok(())
    }
}

/// Games with these times; the agent moves first in every other game, starting with the first (§3).
fn alternating(seconds: &[f64]) -> Vec<CourseGame> {
    seconds.iter().zip(Color::ALL.into_iter().cycle()).map(|(&seconds, side)| CourseGame { seconds, side }).collect()
}

pub(super) fn budget(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Parses times in seconds, one per line. Skips blank lines and lines that start with `#`.
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
    fn the_default_course_has_a_hundred_points() {
        let course = Course::default().checked().unwrap();
        assert_eq!((course.of(), course.games.len(), course.moves.count), (100, 9, 10));
        let first = course.games.iter().filter(|game| game.side == Color::Black).count();
        assert_eq!(first, 5);
        let text = serde_json::to_string(&course).unwrap();
        assert_eq!(serde_json::from_str::<Course>(&text).unwrap(), course);
    }

    #[test]
    fn courses_in_samples_can_be_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/courses");
        for name in ["real.json", "quick.json"] {
            assert_eq!(Course::read(&folder.join(name)).unwrap().of(), 100, "{name}");
        }
    }

    #[test]
    fn typing_errors_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("course.json");
        for (text, expected) in [
            ("{\"game\": []}", "unknown field `game`"),
            ("{\"games\": [{\"seconds\": 0, \"side\": \"black\"}]}", "found 0 seconds, expected a number above 0"),
            ("{\"games\": [{\"seconds\": 1, \"side\": \"red\"}]}", "unknown variant `red`"),
            ("{\"games\": [{\"seconds\": -1, \"side\": \"black\"}]}", "games[0].seconds: found -1 seconds"),
            ("{\"moves\": {\"seconds\": 1e9}}", "moves.seconds: found 1000000000 seconds"),
            ("{\"moves\": {\"count\": 0}, \"games\": []}", "0 moves and games"),
            ("{\"moves\": {\"count\": 4000000000}}", "expected 1 to 1000"),
            ("{\"clock\": \"system\"}", "unknown variant `system`, expected one of `cpu`, `user`, `wall`"),
            ("{\"points_a_game\": 3}", "points_a_game is 3, expected an even number"),
            ("{\"opening\": 1}", "opening is 1"),
            ("{\"reference_cost\": -1}", "found -1 seconds"),
            ("{\"reference_cost\": 20000}", "reference_cost is 20000, expected at most 10000"),
            ("{\"moves\": {\"points\": 0}, \"points_a_game\": 0}", "the exam has no points"),
            ("{\"limits\": {\"files\": 0}}", "limits.files is 0, expected at least 8"),
            ("{\"preparation\": {\"build\": {\"memory\": 1024}}}", "preparation.build.memory is 1024 bytes"),
            ("{", "EOF"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = format!("{:#}", Course::read(&path).unwrap_err());
            assert!(error.contains(expected) && error.contains("course.json"), "{text}: {error}");
        }
    }

    #[test]
    fn times_are_read_line_by_line() {
        assert_eq!(seconds("# s\n\n 0.5 \n2\n").unwrap(), [0.5, 2.0]);
        for text in ["1\nmany\n", "0\n", "nan\n", "1e9\n"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn thresholds_that_cannot_be_met_are_refused_with_their_field() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("course.json");
        let read = |fields: &str| {
            std::fs::write(&path, format!("{{\"thresholds\": [{fields}]}}")).unwrap();
            Course::read(&path)
        };
        let right = "{\"opponent\": \"staff/old\", \"seconds\": 9, \"games\": 2, \"needed\": 1.5, \"points\": 5}";
        let course = read(right).unwrap();
        assert_eq!((course.of(), &course.thresholds[0].opponent), (105, &folder.path().join("staff/old")));
        assert_eq!(read(&right.replace("staff/old", REFERENCE)).unwrap().thresholds[0].opponent, Path::new(REFERENCE));
        for (old, new, expected) in [
            ("\"opponent\": \"staff/old\", ", "", "missing field `opponent`"),
            ("staff/old", "", "thresholds[0]: opponent is empty"),
            ("\"seconds\": 9", "\"seconds\": 0", "thresholds[0].seconds: found 0 seconds"),
            (
                "\"seconds\"",
                "\"opponent_seconds\": -2, \"seconds\"",
                "thresholds[0].opponent_seconds: found -2 seconds",
            ),
            (
                "1.5",
                "2.5",
                "thresholds[0]: needed is 2.5, expected a multiple of 0.5 above 0, at most 2, the number of games",
            ),
            ("1.5", "0", "thresholds[0]: needed is 0"),
            ("1.5", "1.2", "thresholds[0]: needed is 1.2"),
            ("\"games\": 2", "\"games\": 0", "thresholds[0]: games is 0"),
            ("\"games\": 2", "\"games\": 2000", "2019 moves and games, expected 1 to 1000"),
            ("\"points\": 5", "\"points\": 0", "thresholds[0]: points is 0"),
            ("\"points\"", "\"point\"", "unknown field `point`"),
        ] {
            let error = format!("{:#}", read(&right.replacen(old, new, 1)).unwrap_err());
            assert!(error.contains(expected) && error.contains("course.json"), "{new}: {error}");
        }
    }
}
