//! Lines of the program.

use std::fmt;
use std::time::Duration;

use super::board::write_move;
use super::line::quoted;
use crate::checkers::{Move, Position};
use crate::score::{Meaning, Score};
use crate::search::Report;

/// A line of the program.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Name and version of the program.
    Id,
    /// A parameter with its present value.
    Parameter(Parameter),
    /// All parameters have been told; the program waits for their values.
    Wait,
    /// The program can play.
    Ready,
    /// A sign of life.
    Pong,
    /// A finished iteration, and the time since the search began.
    Info(Report<Position>, Duration),
    /// The search is over: its move, and the answer that it expects. No move if none is legal.
    Done(Option<Move>, Option<Move>),
    /// A line was not understood, or could not be followed.
    Error(String),
}

/// A parameter of the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its present value.
    pub value: String,
    /// Its values.
    pub kind: ParameterKind,
}

/// Values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// Any text.
    Text,
    /// A whole number from the first to the last.
    Number(u64, u64),
    /// One of some words.
    OneOf(&'static [&'static str]),
}

/// Score of a won game in men; a win in some plies is less by a hundredth for each.
const WON: f64 = 100.0;

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Id => {
                let version = env!("CARGO_PKG_VERSION");
                write!(f, "id name=kingline version={version}")
            }
            Answer::Parameter(parameter) => write!(f, "param {parameter}"),
            Answer::Wait => f.write_str("wait"),
            Answer::Ready => f.write_str("ready"),
            Answer::Pong => f.write_str("pong"),
            Answer::Info(report, time) => write_info(f, report, time.as_secs_f64()),
            Answer::Done(None, _) => f.write_str("done"),
            Answer::Done(Some(best), None) => write!(f, "done move={}", write_move(*best)),
            Answer::Done(Some(best), Some(answer)) => {
                write!(f, "done move={} ponder={}", write_move(*best), write_move(*answer))
            }
            Answer::Error(message) => write!(f, "error message={}", quoted(message)),
        }
    }
}

fn write_info(f: &mut fmt::Formatter<'_>, report: &Report<Position>, seconds: f64) -> fmt::Result {
    let speed = report.nodes as f64 / seconds.max(1e-6) / 1e6;
    write!(f, "info depth={} score={:.2} nodes={}", report.depth.0, in_men(report.score), report.nodes)?;
    write!(f, " time={seconds:.2} nps={speed:.2}")?;
    let line: Vec<String> = report.principal_variation.iter().map(|&mv| write_move(mv)).collect();
    write!(f, " pv=\"{}\"", line.join(" "))
}

/// A score as Hub has it: men, and about 100 for a decided game.
fn in_men(score: Score) -> f64 {
    match score.meaning() {
        Meaning::Estimate(value) => f64::from(value) / 100.0,
        Meaning::WinIn(plies) | Meaning::TableWin(plies) => WON - f64::from(plies) / 100.0,
        Meaning::LossIn(plies) | Meaning::TableLoss(plies) => f64::from(plies) / 100.0 - WON,
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter { name, value, kind } = self;
        write!(f, "name={name} value={}", quoted(value))?;
        match kind {
            ParameterKind::Text => f.write_str(" type=string"),
            ParameterKind::Number(least, most) => write!(f, " type=int min={least} max={most}"),
            ParameterKind::OneOf(values) => write!(f, " type=enum values=\"{}\"", values.join(" ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Ply;

    #[test]
    fn parameters_say_their_values() {
        let parameter = |kind, value: &str| Parameter { name: "p", value: value.to_owned(), kind }.to_string();
        assert_eq!(parameter(ParameterKind::Text, ""), "name=p value=\"\" type=string");
        assert_eq!(parameter(ParameterKind::Number(1, 9), "2"), "name=p value=2 type=int min=1 max=9");
        let one_of = ParameterKind::OneOf(&["english"]);
        assert_eq!(parameter(one_of, "english"), "name=p value=english type=enum values=\"english\"");
    }

    #[test]
    fn decided_games_score_about_a_hundred() {
        assert_eq!(in_men(Score::estimate(35)), 0.35);
        assert_eq!(in_men(Score::win_in(Ply(7))), 99.93);
        assert_eq!(in_men(Score::loss_in(Ply(2))), -99.98);
    }

    #[test]
    fn errors_stay_in_one_line() {
        let error = Answer::Error("found \"x\",\nexpected y".to_owned());
        assert_eq!(error.to_string(), "error message=\"found 'x', expected y\"");
    }
}
