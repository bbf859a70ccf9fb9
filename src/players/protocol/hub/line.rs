use std::fmt;
use std::time::Duration;

use kingline::game::{Game, ParseError};
use kingline::score::{Meaning, Score};
use kingline::search::Report;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) word: String,
    /// Names and values of the arguments, in their order. An argument without `=` has an empty value.
    arguments: Vec<(String, String)>,
}

impl Line {
    /// Splits a line.
    pub(super) fn split(text: &str) -> Result<Line, ParseError> {
        let wrong = |expected: &str| ParseError::new(text, expected);
        let mut parts = parts(text).ok_or_else(|| wrong("a second quotation mark"))?.into_iter();
        match parts.next() {
            Some((word, None)) => {
                let arguments = parts.map(|(name, value)| (name, value.unwrap_or_default())).collect();
                Ok(Line { word, arguments })
            }
            _ => Err(wrong("a command, like go think")),
        }
    }

    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().map(|(name, _)| name.as_str())
    }
}

/// Names, each with the value after its `=`; `None` if a quotation does not end.
fn parts(text: &str) -> Option<Vec<(String, Option<String>)>> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|letter: char| letter.is_whitespace() || letter == '=').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let (value, after) = match after.strip_prefix('=') {
            None => (None, after),
            Some(after) => {
                let (value, after) = value(after)?;
                (Some(value.to_owned()), after)
            }
        };
        parts.push((name.to_owned(), value));
        rest = after.trim_start();
    }
    Some(parts)
}

/// The value at the start of a text, without quotation marks, and the text after it.
fn value(text: &str) -> Option<(&str, &str)> {
    match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"'),
        None => Some(text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))),
    }
}

/// A value as it stands in a line: in quotation marks if it needs them. Quotation marks in it become apostrophes, and line
/// ends blanks, since the protocol has no way to write them.
pub(crate) fn quoted(value: &str) -> String {
    let plain = value.replace('"', "'").replace(char::is_control, " ");
    if plain.is_empty() || plain.contains([' ', '=']) { format!("\"{plain}\"") } else { plain }
}

/// A finished iteration: `info depth=9 score=0.12 nodes=4321 time=0.01 nps=0.43 pv="11-15 23-19"`.
///
/// Estimates are in units of the evaluation, hundredths behind the point, below 90 either way. A decided game is 100 less
/// a hundredth for each ply to its end, or to the next zeroing turn, with a minus if it is lost. `nps` is in millions.
pub(crate) struct Info<'a, G: Game> {
    pub(crate) report: &'a Report<G>,
    pub(crate) time: Duration,
    /// Writes a move.
    pub(crate) notation: fn(G::Move) -> String,
}

/// The end of a search: `done move=11-15 ponder=23-19`.
pub(crate) struct Done<M> {
    /// The move; `None` if there is no legal one.
    pub(crate) best: Option<M>,
    pub(crate) answer: Option<M>,
    /// Writes a move.
    pub(crate) notation: fn(M) -> String,
}

const WON: f64 = 100.0;
/// Largest estimate: a win in 1000 plies, the longest, has a larger score.
const MOST: f64 = 89.99;

impl<G: Game> fmt::Display for Info<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Info { report, time, notation } = self;
        let seconds = time.as_secs_f64();
        let speed = report.nodes as f64 / seconds.max(1e-6) / 1e6;
        write!(f, "info depth={} score={:.2} nodes={}", report.depth.0, in_units(report.score), report.nodes)?;
        write!(f, " time={seconds:.2} nps={speed:.2}")?;
        let line: Vec<String> = report.principal_variation.iter().map(|&mv| notation(mv)).collect();
        write!(f, " pv=\"{}\"", line.join(" "))
    }
}

impl<M: Copy> fmt::Display for Done<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("done")?;
        for (name, mv) in [("move", self.best), ("ponder", self.best.and(self.answer))] {
            if let Some(mv) = mv {
                write!(f, " {name}={}", (self.notation)(mv))?;
            }
        }
        Ok(())
    }
}

fn in_units(score: Score) -> f64 {
    match score.meaning() {
        Meaning::Estimate(value) => (f64::from(value) / 100.0).clamp(-MOST, MOST),
        Meaning::WinIn(plies) | Meaning::TableWin(plies) => WON - f64::from(plies) / 100.0,
        Meaning::LossIn(plies) | Meaning::TableLoss(plies) => f64::from(plies) / 100.0 - WON,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::commands::grammar::{self, GRAMMAR_2015, GRAMMAR_2020, LineParser};
    use kingline::loa::{Move, Position};
    use kingline::score::{Depth, Ply};

    #[test]
    fn lines_are_split_at_blanks_outside_quotations() {
        let line = Line::split("  pos  pos=Wbw moves=\"12-16 24-20\" x= y").unwrap();
        assert_eq!(line.word, "pos");
        assert_eq!(line.names().collect::<Vec<_>>(), ["pos", "moves", "x", "y"]);
        let values = ["pos", "moves", "x", "y", "z"].map(|name| line.value(name));
        assert_eq!(values, [Some("Wbw"), Some("12-16 24-20"), Some(""), Some(""), None]);
    }

    #[test]
    fn damaged_lines_are_refused() {
        for (line, expected) in
            [("", "a command"), ("pos=1", "a command"), ("pos moves=\"12-16", "a second quotation mark")]
        {
            let error = Line::split(line).unwrap_err().to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn values_survive_a_line() {
        for value in ["", "a", "12-16 24-20", "a=b"] {
            let line = Line::split(&format!("word name={}", quoted(value))).unwrap();
            assert_eq!(line.value("name"), Some(value));
        }
        assert_eq!(quoted("a \"b\"\nc"), "\"a 'b' c\"");
        assert_eq!(quoted("found \"x\",\nexpected y"), "\"found 'x', expected y\"");
    }

    #[test]
    fn iterations_and_moves_are_written_in_a_line() {
        let position = Position::<8>::start();
        let line = position.legal_moves()[..2].to_vec();
        let report = Report::<Position<8>> {
            best: Some(line[0]),
            depth: Depth(9),
            score: Score::estimate(-12),
            principal_variation: line.clone(),
            lines: Vec::new(),
            nodes: 500_000,
        };
        let info = Info { report: &report, time: Duration::from_millis(500), notation: |mv| mv.to_string() };
        let expected = "info depth=9 score=-0.12 nodes=500000 time=0.50 nps=1.00 pv=\"b1-h1 b1-b3\"";
        assert_eq!(info.to_string(), expected);
        let done = |best: Option<usize>, answer: Option<usize>| {
            let [best, answer] = [best, answer].map(|place| place.map(|place| line[place]));
            Done { best, answer, notation: |mv| mv.to_string() }.to_string()
        };
        assert_eq!(done(Some(0), Some(1)), "done move=b1-h1 ponder=b1-b3");
        assert_eq!(done(Some(0), None), "done move=b1-h1");
        assert_eq!(done(None, None), "done");
    }

    #[test]
    fn decided_games_score_about_a_hundred_and_estimates_less() {
        assert_eq!(in_units(Score::estimate(35)), 0.35);
        assert_eq!(in_units(Score::win_in(Ply(7))), 99.93);
        assert_eq!(in_units(Score::loss_in(Ply(2))), -99.98);
        assert!(in_units(Score::win_in(Ply(1000))) > in_units(Score::MAX_ESTIMATE));
        assert!(in_units(Score::loss_in(Ply(1000))) < in_units(-Score::MAX_ESTIMATE));
    }

    #[test]
    fn scripts_pass_over_the_lines() {
        let moves = Position::<8>::start().legal_moves()[..3].to_vec();
        let scores = [Score::estimate(-35), Score::win_in(Ply(7)), Score::loss_in(Ply(2))];
        let reports = scores.map(|score| Report::<Position<8>> {
            best: Some(moves[0]),
            depth: Depth(9),
            score,
            principal_variation: moves.clone(),
            lines: Vec::new(),
            nodes: 1,
        });
        let time = Duration::from_secs(1);
        let lines = reports.iter().map(|report| Info { report, time, notation: |mv: Move| mv.to_string() }.to_string());
        let done = |best, answer| Done { best, answer, notation: |mv: Move| mv.to_string() }.to_string();
        for line in lines.chain([done(Some(moves[0]), Some(moves[1])), done(None, None)]) {
            for grammar in [&GRAMMAR_2020, &GRAMMAR_2015] {
                assert_eq!(
                    LineParser::new(grammar).parse_line(&format!("b> {line}")),
                    grammar::Line::Ignored,
                    "{line}"
                );
            }
            assert!(!line.contains(['*', '>']), "{line}");
        }
    }
}
