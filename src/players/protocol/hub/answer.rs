//! Lines of the program.

use std::fmt;
use std::time::Duration;

use super::board::write_move;
use super::line::quoted;
use crate::protocol::info::{Done, Info};
use kingline::checkers::{Move, Position};
use kingline::search::Report;

/// A line of the program.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Name and version of the program.
    Id,
    /// A parameter with its present value.
    Parameter(Parameter),
    /// All parameters have been listed; the program waits for their values.
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
            Answer::Info(report, time) => Info { report, time: *time, notation: write_move }.fmt(f),
            &Answer::Done(best, answer) => Done { best, answer, notation: write_move }.fmt(f),
            Answer::Error(message) => write!(f, "error message={}", quoted(message)),
        }
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

    #[test]
    fn parameters_list_their_values() {
        let parameter = |kind, value: &str| Parameter { name: "p", value: value.to_owned(), kind }.to_string();
        assert_eq!(parameter(ParameterKind::Text, ""), "name=p value=\"\" type=string");
        assert_eq!(parameter(ParameterKind::Number(1, 9), "2"), "name=p value=2 type=int min=1 max=9");
        let one_of = ParameterKind::OneOf(&["english"]);
        assert_eq!(parameter(one_of, "english"), "name=p value=english type=enum values=\"english\"");
    }

    #[test]
    fn errors_stay_in_one_line() {
        let error = Answer::Error("found \"x\",\nexpected y".to_owned());
        assert_eq!(error.to_string(), "error message=\"found 'x', expected y\"");
    }
}
