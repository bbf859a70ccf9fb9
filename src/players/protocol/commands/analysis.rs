//! Lines of an analysis. They have the form of Hub, in which no test script finds a move, a dump or a result.

use std::time::Duration;

use crate::protocol::info::{Done, Info};
use kingline::loa::{Move, Position};
use kingline::search::Report;

/// Line about a finished iteration, and the time since the analysis began:
/// `info depth=9 score=0.12 nodes=43210 time=0.05 nps=0.86 pv="b1-b3 a2-c2"`.
pub(crate) fn iteration(report: &Report<Position<8>>, time: Duration) -> String {
    Info { report, time, notation: |mv| mv.to_string() }.to_string() + "\n"
}

/// Line at the end, with the best move and the expected answer: `done move=b1-b3 ponder=a2-c2`.
pub(crate) fn analyzed(best: Option<Move>, answer: Option<Move>) -> String {
    Done { best, answer, notation: |mv| mv.to_string() }.to_string() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::commands::grammar::{GRAMMAR_2015, GRAMMAR_2020, Line, LineParser};
    use kingline::game::Game;
    use kingline::score::{Depth, Ply, Score};

    #[test]
    fn scripts_pass_over_the_lines() {
        let moves = Position::<8>::start().legal_moves()[..3].to_vec();
        let scores = [Score::estimate(-35), Score::win_in(Ply(7)), Score::loss_in(Ply(2))];
        let reports = scores.map(|score| Report {
            best: Some(moves[0]),
            depth: Depth(9),
            score,
            principal_variation: moves.clone(),
            lines: Vec::new(),
            nodes: 1,
        });
        let lines = reports.iter().map(|report| iteration(report, Duration::from_secs(1)));
        for line in lines.chain([analyzed(Some(moves[0]), Some(moves[1])), analyzed(None, None)]) {
            for grammar in [&GRAMMAR_2020, &GRAMMAR_2015] {
                assert_eq!(LineParser::new(grammar).parse_line(&format!("b> {line}")), Line::Ignored, "{line}");
            }
            assert!(!line.contains(['*', '>']) && line.ends_with('\n'), "{line}");
        }
    }
}
