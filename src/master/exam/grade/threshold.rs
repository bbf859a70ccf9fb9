//! Thresholds: scores to reach in games against an opponent that the staff choose, for all points or none.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::ExamGame;
use super::answered::Answered;
use crate::intake::agent::name_of;
use crate::league::DrawRule;
use crate::record::GameRecord;
use kingline::game::Color;
use kingline_players::terminal::escaped_path;

/// A score to reach against an opponent, for all points or none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseThreshold {
    /// [`REFERENCE`], or the path of an agent; relative to the course's file there, and then to the current folder.
    pub opponent: PathBuf,
    /// Time of the agent in each game.
    pub seconds: f64,
    /// Time of the opponent in each game; `None`: that of the agent.
    #[serde(default)]
    pub opponent_seconds: Option<f64>,
    /// Maximum number of games. The agent has the first move in every other game, starting with the first.
    pub games: usize,
    /// Score to reach: a won game counts 1, half a game 0.5.
    pub needed: f64,
    /// Points for reaching it.
    pub points: u32,
}

/// A score to reach in games against one opponent.
#[derive(Clone, Debug)]
pub struct ExamThreshold {
    /// Opponent and times, for people.
    pub title: String,
    /// All games that may be played, in order.
    pub games: Vec<ExamGame>,
    /// The score to reach, in halves of a game.
    pub needed: u32,
    /// Points for reaching it.
    pub points: u32,
}

/// Name of the reference agent as an opponent.
pub const REFERENCE: &str = "reference";

/// Bound that keeps a typo from outweighing everything else.
const MOST_POINTS: u32 = 1_000_000;

impl CourseThreshold {
    /// Opponent and times: `homework, 300 s against 0.1 s`.
    fn title(&self) -> String {
        let name = name_of(&self.opponent);
        let times = match self.opponent_seconds {
            Some(other) if other != self.seconds => format!("{} s against {other} s", self.seconds),
            _ => format!("{} s", self.seconds),
        };
        format!("{}, {times}", escaped_path(Path::new(&name)))
    }

    /// True if the opponent is the reference agent.
    pub fn is_reference(&self) -> bool {
        self.opponent == Path::new(REFERENCE)
    }

    pub(super) fn is_path(&self) -> bool {
        !self.is_reference() && !self.opponent.as_os_str().is_empty()
    }

    /// Times of the agent and of the opponent in each game.
    pub fn budgets(&self) -> [Duration; 2] {
        let both = [self.seconds, self.opponent_seconds.unwrap_or(self.seconds)];
        both.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }

    /// The score to reach in halves of a game.
    fn needed_halves(&self) -> u32 {
        (self.needed * 2.0) as u32
    }

    pub(super) fn check(&self) -> Result<()> {
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

impl ExamGame {
    /// Points for a drawn game: it goes to the side with more time left, if both began with the same.
    pub(super) fn draws(&self) -> DrawRule {
        if self.budget == self.opponent_budget { DrawRule::MoreTimeLeft } else { DrawRule::Halves }
    }

    /// Half points of the agent in a game.
    pub(super) fn halves(&self, record: &GameRecord) -> u32 {
        record.verdict.half_points(self.draws()).unwrap_or_default()[self.side.index()]
    }
}

impl ExamThreshold {
    /// A course's threshold; its games take the next of these seeds.
    pub(super) fn new(threshold: &CourseThreshold, seeds: &mut impl Iterator<Item = u64>) -> ExamThreshold {
        let [budget, opponent_budget] = threshold.budgets();
        let sides = [Color::Black, Color::White].into_iter().cycle().take(threshold.games);
        let games = sides.zip(seeds).map(|(side, seed)| ExamGame { side, budget, opponent_budget, seed });
        let (games, needed, points) = (games.collect(), threshold.needed_halves(), threshold.points);
        ExamThreshold { title: threshold.title(), games, needed, points }
    }

    /// The games played, in order.
    pub(super) fn played<'a>(
        &'a self,
        given: &'a [&'a Answered],
    ) -> impl Iterator<Item = (&'a ExamGame, &'a GameRecord)> {
        self.games.iter().zip(given).filter_map(|(game, answer)| match answer {
            Answered::Game(answer) => Some((game, &answer.record)),
            Answered::Move(_) => None,
        })
    }

    /// Score in halves of a game.
    pub(super) fn score(&self, given: &[&Answered]) -> u32 {
        self.played(given).map(|(game, record)| game.halves(record)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::grade::Course;
    use crate::record::{Draw, EndReason, GameVerdict};

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

    #[test]
    fn a_drawn_game_counts_half_if_the_times_at_the_start_differ() {
        let drawn = EndReason::Drawn { draw: Draw::Repetition, more_time: Some(Color::Black) };
        let mut record =
            GameRecord::failed(&Course::default().league().unwrap(), Default::default(), 0, String::new(), failure());
        record.verdict = GameVerdict { winner: None, reason: drawn };
        let [one, other] = [1, 2].map(Duration::from_secs);
        for (side, opponent_budget, halves) in
            [(Color::Black, one, 2), (Color::White, one, 0), (Color::Black, other, 1), (Color::White, other, 1)]
        {
            let game = ExamGame { side, budget: one, opponent_budget, seed: 0 };
            assert_eq!(game.halves(&record), halves, "{game:?}");
        }
    }

    fn failure() -> anyhow::Error {
        anyhow::anyhow!("replaced")
    }
}
