//! Texts about a search.

use std::time::Duration;

use kingline::checkers::Position;
use kingline::game::{Game, Value};
use kingline::search::Report;

/// Describes an iteration, after this time: depth, score, nodes, time, speed, and the expected play.
pub fn iteration(position: &Position, report: &Report<Position>, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let speed = report.nodes as f64 / seconds.max(1e-6) / 1e6;
    let line = position.line(&report.principal_variation);
    let Report { depth, score, nodes, .. } = report;
    format!("depth {}  score {score}  nodes {nodes}  time {seconds:.2} s  {speed:.2} Mnps  pv {line}", depth.0)
}

/// Lists the moves with their scores, the best first.
pub fn all_scores(position: &Position, report: &Report<Position>) -> String {
    let moves = report.lines.iter().filter_map(|line| {
        let first = line.moves.first()?;
        Some(format!("{} {}", position.notation(*first), line.score))
    });
    format!("depth {}  {}", report.depth.0, moves.collect::<Vec<_>>().join(", "))
}

/// Describes a value from the endgame tables.
pub fn value(value: Value) -> String {
    match value {
        Value::Draw => "draw".to_owned(),
        Value::Win(plies) => format!("win, a capture or crowning within {plies} plies"),
        Value::Loss(plies) => format!("loss, a capture or crowning within {plies} plies"),
    }
}

#[cfg(test)]
mod tests {
    use kingline::evaluate::checkers::Evaluation;
    use kingline::search::{Limits, Searcher};

    use super::*;

    #[test]
    fn texts_have_depth_score_nodes_time_and_moves() {
        let start = Position::start();
        let limits = Limits::depth(3).lines(9);
        let report = Searcher::new(Evaluation::default()).search(start, limits, &mut ());
        let text = iteration(&start, &report, Duration::from_millis(1500));
        let expected = format!("depth 3  score {}  nodes {}  time 1.50 s  0.00 Mnps  pv ", report.score, report.nodes);
        assert!(text.starts_with(&expected) && text[expected.len()..].contains('-'), "{text}");
        let text = all_scores(&start, &report);
        assert!(text.starts_with("depth 3  ") && text.matches(", ").count() == 6, "{text}");
        assert!(text.contains("9-14 ") && text.contains("12-16 "), "{text}");
    }
}
