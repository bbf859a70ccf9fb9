use std::fmt;

use kingline::game::{Game, Value};
use kingline::score::{Ply, Score};
use kingline::search::{Proof, Report};

/// Move that a player makes, with the reason for it.
#[derive(Clone, Debug)]
pub struct Choice<G: Game> {
    /// Legal move.
    pub best: G::Move,
    /// Reason for the move.
    pub why: Why<G>,
}

/// Reason for a move.
#[derive(Clone, Debug)]
pub enum Why<G: Game> {
    /// No other move is legal.
    OnlyMove,
    /// The endgame tables contain the position; this is its value for the side to move.
    Known(Value),
    /// The position is solved: the side to move wins in at most this number of plies.
    Solved(Ply),
    /// The position is solved: the side to move loses in at most this number of plies, and this move holds out longest.
    Lost(Ply),
    /// The position is solved: after this move the other side does not win.
    Held,
    /// The proof-number solver found a forced win.
    Proved(Proof<G>),
    /// The search preferred the move. Its nodes include those of a solver that ran before it.
    Searched(Report<G>),
}

impl<G: Game> Why<G> {
    /// Score of the position for the side to move; `None` for the only legal move, which is not searched.
    pub fn score(&self) -> Option<Score> {
        match self {
            Why::OnlyMove => None,
            Why::Known(value) => Some(value.score(Ply(0))),
            Why::Solved(plies) => Some(Score::win_in(*plies)),
            Why::Lost(plies) => Some(Score::loss_in(*plies)),
            Why::Held => Some(Score::DRAW),
            Why::Proved(proof) => proof.score,
            Why::Searched(report) => Some(report.score),
        }
    }

    /// Number of visited positions.
    pub fn nodes(&self) -> u64 {
        match self {
            Why::OnlyMove | Why::Known(_) | Why::Solved(_) | Why::Lost(_) | Why::Held => 0,
            Why::Proved(proof) => proof.nodes,
            Why::Searched(report) => report.nodes,
        }
    }
}

impl<G: Game> Choice<G> {
    /// Move and reason in words: `b1-b3: +0.35; depth 12, 98765 nodes`.
    pub fn in_words(&self, position: &G) -> String {
        format!("{}: {}", position.notation(self.best), self.why)
    }
}

impl<G: Game> fmt::Display for Why<G> {
    /// Writes `the only move`, `by the endgame tables: won, 33 plies to ...`, `proved: wins in at most 49 plies`,
    /// `proved: loses in at most 48 plies`, `proved: does not lose`, `proved: win in 7, 1234 nodes`,
    /// `+0.35; depth 12, 98765 nodes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::OnlyMove => f.write_str("the only move"),
            Why::Known(value) => write!(f, "by the endgame tables: {value}"),
            Why::Solved(Ply(1)) => f.write_str("proved: wins at once"),
            Why::Solved(Ply(plies)) => write!(f, "proved: wins in at most {plies} plies"),
            Why::Lost(Ply(plies)) => write!(f, "proved: loses in at most {plies} plies"),
            Why::Held => f.write_str("proved: does not lose"),
            Why::Proved(Proof { score: Some(score), nodes, .. }) => write!(f, "proved: {score}, {nodes} nodes"),
            Why::Proved(Proof { nodes, .. }) => write!(f, "not decided, {nodes} nodes"),
            Why::Searched(report) => write!(f, "{}; depth {}, {} nodes", report.score, report.depth.0, report.nodes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::checkers::Position;
    use kingline::score::Depth;

    #[test]
    fn every_reason_has_words_a_score_and_nodes() {
        let win = Score::win_in(Ply(7));
        let proof = Proof { score: Some(win), line: Vec::new(), nodes: 1234 };
        let report = Report {
            best: None,
            depth: Depth(12),
            score: Score::estimate(35),
            principal_variation: Vec::new(),
            lines: Vec::new(),
            nodes: 98765,
        };
        let tables = "by the endgame tables";
        let won = format!("{tables}: won, 33 plies to the next capture, crowning or end");
        let [draw, lost] = [Value::Draw, Value::Loss(4)].map(|value| format!("{tables}: {value}"));
        for (why, words, score, nodes) in [
            (Why::<Position>::OnlyMove, "the only move", None, 0),
            (Why::Known(Value::Win(33)), &*won, Some(Score::table_win(Ply(0), 33)), 0),
            (Why::Known(Value::Draw), &*draw, Some(Score::DRAW), 0),
            (Why::Known(Value::Loss(4)), &*lost, Some(Score::table_loss(Ply(0), 4)), 0),
            (Why::Solved(Ply(49)), "proved: wins in at most 49 plies", Some(Score::win_in(Ply(49))), 0),
            (Why::Solved(Ply(1)), "proved: wins at once", Some(Score::win_in(Ply(1))), 0),
            (Why::Lost(Ply(48)), "proved: loses in at most 48 plies", Some(Score::loss_in(Ply(48))), 0),
            (Why::Held, "proved: does not lose", Some(Score::DRAW), 0),
            (Why::Proved(proof), "proved: win in 7, 1234 nodes", Some(win), 1234),
            (Why::Searched(report), "+0.35; depth 12, 98765 nodes", Some(Score::estimate(35)), 98765),
        ] {
            assert_eq!((why.to_string().as_str(), why.score(), why.nodes()), (words, score, nodes));
        }
    }
}
