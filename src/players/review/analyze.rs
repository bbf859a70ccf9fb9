//! One position, as the engine sees it.

use super::game::Reviewed;
use super::settings::{LINE_PLIES, LINES, TABLE_BYTES};
use super::worth::{Exact, Worth};
use kingline::game::{History, Knowledge, Value};
use kingline::score::Score;
use kingline::search::{Limits, Prover, Searcher};

/// Findings about a position: the best moves, the best first, two if the search got that far. None if there was nothing
/// to choose.
pub(super) type Findings<G> = Vec<JudgedLine<G>>;

/// A move with its worth and the expected play after it.
#[derive(Clone, Debug)]
pub(super) struct JudgedLine<G: Reviewed> {
    /// Worth for the mover.
    pub(super) worth: Worth,
    /// Chances by the search alone, where a proof made the worth certain.
    pub(super) estimate: Option<f64>,
    /// The move and the play after it.
    pub(super) moves: Vec<G::Move>,
}

/// Searches the current position of a game. Every position has memory of its own, so that the findings depend on it, its
/// past and `nodes` alone.
pub(super) fn analyze<G: Reviewed>(history: &History<G>, nodes: u64) -> Findings<G> {
    let position = history.position();
    if position.legal_moves().len() < 2 {
        return Vec::new();
    }
    let evaluation = G::Evaluation::default();
    let for_solver = (nodes as f64 * G::SOLVER_PART) as u64;
    let proof = (for_solver > 0).then(|| {
        let mut prover = Prover::new(evaluation.clone()).with_table_limit(TABLE_BYTES);
        prover.prove(history, Limits::nodes(for_solver), &mut ())
    });
    let spent = proof.as_ref().map_or(0, |proof| proof.nodes);
    let knowledge = G::knowledge();
    let known = knowledge.probe(&position, history.quiet_turns());
    let mut searcher = Searcher::new(evaluation).with_table_limit(TABLE_BYTES).with_knowledge(knowledge);
    let report = searcher.search(history, Limits::nodes(nodes.saturating_sub(spent)).lines(LINES), &mut ());

    let worth = |score: Score| match score {
        Score::DRAW if known == Some(Value::Draw) => Worth::certain(Exact::Drawn),
        score => Worth::of(score, |score| position.chances(score).points()).of_game::<G>(),
    };
    let mut lines: Findings<G> = report
        .lines
        .iter()
        .map(|line| JudgedLine { worth: worth(line.score), estimate: None, moves: line.moves.clone() })
        .collect();
    if lines.is_empty() {
        // No iteration was completed.
        let moves: Vec<G::Move> = report.best.into_iter().collect();
        lines.push(JudgedLine { worth: worth(report.score), estimate: None, moves });
    }
    if let Some(proof) = proof
        && let Some(score) = proof.score
    {
        merge(&mut lines, Worth::of(score, |_| 0.0), proof.line);
    }
    if let (Some(Value::Loss(plies)), None) = (known, G::QUIET_LIMIT) {
        merge(&mut lines, Worth::certain(Exact::LostIn(plies)), Vec::new());
    }
    lines.iter_mut().for_each(|line| line.moves.truncate(LINE_PLIES));
    lines
}

/// Adds a proof to the findings of a search that did not see it.
fn merge<G: Reviewed>(lines: &mut Findings<G>, proved: Worth, line: Vec<G::Move>) {
    if lines[0].worth.exact.is_some() {
        return;
    }
    let estimate = Some(lines[0].worth.chances);
    if !proved.is_won() {
        // All moves lose; the search tells which one makes it hardest.
        lines.truncate(1);
        lines[0].worth = proved;
        lines[0].estimate = estimate;
        return;
    }
    lines.retain(|other| other.moves.first() != line.first());
    lines.insert(0, JudgedLine { worth: proved, estimate, moves: line });
    lines.truncate(LINES);
}
