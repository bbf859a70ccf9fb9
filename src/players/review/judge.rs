use super::chances::{Exact, Worth};
use super::game::Reviewed;
use super::reviewed::Mark;
use super::settings::{LINE_PLIES, LINES, TABLE_BYTES, WIN_AGAINST_ESTIMATE};
use kingline::game::{History, Knowledge, Value};
use kingline::score::Score;
use kingline::search::{Limits, Prover, Searcher};

#[derive(Clone, Copy, Debug)]
pub(super) struct Judgment {
    /// Worth of the position for the mover, if it plays its best.
    pub(super) before: Worth,
    /// Worth after the move, for the mover.
    pub(super) after: Worth,
    /// Chances lost, 0 to 1.
    pub(super) loss: f64,
    pub(super) mark: Option<Mark>,
}

/// Judges the moves of a game, given the findings about the position before each, and the worth of the last position for
/// its side to move.
///
/// First, certain knowledge moves forward: after the proved move of a win the opponent has lost, whatever its own search
/// finds. Then later findings correct earlier ones: a move is worth what the position after it turned out to be worth,
/// unless the worth before it is certain. So the best move never loses anything, and a fault that only a later search
/// sees falls on the last move before it that was not the best.
pub(super) fn judge<G: Reviewed>(played: &[G::Move], mut findings: Vec<Findings<G>>, last: Worth) -> Vec<Judgment> {
    let mut known = None;
    for (mv, findings) in played.iter().zip(&mut findings) {
        known = pass_on(mv, findings, known);
    }
    let last = if last.exact.is_some() { last } else { known.unwrap_or(last) };
    let mut next = last;
    let mut judgments: Vec<Judgment> = played
        .iter()
        .zip(&findings)
        .rev()
        .map(|(mv, findings)| {
            let judgment = judge_move(mv, findings, next.for_opponent());
            next = judgment.before;
            judgment
        })
        .collect();
    judgments.reverse();
    judgments
}

/// Enters a certain worth of a position, known from the move before, into its findings. Returns the certain worth of the
/// next position for its side to move, if there is one.
fn pass_on<G: Reviewed>(mv: &G::Move, findings: &mut Findings<G>, known: Option<Worth>) -> Option<Worth> {
    if let (Some(best), Some(known)) = (findings.first_mut(), known) {
        if best.worth.exact.is_none() {
            best.estimate = Some(best.worth.chances);
            best.worth = known;
        } else {
            best.worth = best.worth.or_shorter(known);
        }
    }
    let lost =
        findings.first().map(|best| best.worth).or(known).filter(|worth| worth.exact.is_some() && worth.chances == 0.0);
    let of_move = findings.iter().find(|line| line.moves.first() == Some(mv)).map(|line| line.worth);
    let after = of_move.filter(|worth| worth.exact.is_some()).or(lost).or(known.filter(|_| findings.is_empty()))?;
    Some(after.plies_later(1).for_opponent())
}

fn judge_move<G: Reviewed>(mv: &G::Move, findings: &Findings<G>, after: Worth) -> Judgment {
    let as_good = |before, after, mark| Judgment { before, after, loss: 0.0, mark };
    let Some(best) = findings.first() else { return as_good(after.plies_later(-1), after, Some(Mark::Forced)) };
    let others = &findings[1..];
    let is_certain = best.worth.exact.is_some();
    if best.moves.first() == Some(mv) || others.is_empty() && !is_certain {
        let is_only = others.first().is_some_and(|second| loss(best, second.worth) >= Mark::BLUNDER);
        let mark = is_only.then_some(Mark::OnlyMove);
        if !is_certain {
            return as_good(after.plies_later(-1), after, mark);
        }
        let after = if after.exact.is_some() { after } else { best.worth.plies_later(1) };
        return as_good(best.worth, after, mark);
    }
    if !is_certain && best.worth.chances <= after.chances {
        return as_good(after.plies_later(-1), after, None);
    }
    let loss = loss(best, after);
    Judgment { before: best.worth, after, loss, mark: Mark::of_loss(loss) }
}

/// Chances lost by a move of this worth instead of the best one.
fn loss<G: Reviewed>(best: &JudgedLine<G>, after: Worth) -> f64 {
    let chances = match (best.worth.exact, after.exact) {
        // An estimate after a certain win says little: the move may win as well.
        (Some(_), None) => best.estimate.unwrap_or(1.0).min(WIN_AGAINST_ESTIMATE).min(best.worth.chances),
        _ => best.worth.chances,
    };
    ((chances - after.chances).max(0.0) * 1e4).round() / 1e4
}

/// Findings about a position: the best moves, the best first, two if the search got that far. None if there was nothing
/// to choose.
pub(super) type Findings<G> = Vec<JudgedLine<G>>;

/// A move with its worth and the expected play after it.
#[derive(Clone, Debug)]
pub(super) struct JudgedLine<G: Reviewed> {
    pub(super) worth: Worth,
    /// Chances by the search alone, where a proof made the worth certain.
    pub(super) estimate: Option<f64>,
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
    let known = knowledge.probe(&position, history.quiet_turns(), history.rules());
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

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::game::Game;
    use kingline::loa::{Move, Position};

    fn estimate(chances: f64) -> Worth {
        Worth { chances, score: Some(0.0), exact: None }
    }

    /// Findings with these moves, by their index in the list of moves of the start.
    fn found(lines: &[(usize, Worth)]) -> Findings<Position<8>> {
        let line = |&(index, worth): &(usize, Worth)| JudgedLine { worth, estimate: None, moves: vec![mv(index)] };
        lines.iter().map(line).collect()
    }

    fn mv(index: usize) -> Move {
        Position::<8>::start().legal_moves()[index]
    }

    /// Judges moves given by their indices; the last worth is the opponent's of the last mover.
    fn judged(played: &[usize], findings: &[Findings<Position<8>>], last: Worth) -> Vec<Judgment> {
        let moves: Vec<Move> = played.iter().map(|&index| mv(index)).collect();
        judge::<Position<8>>(&moves, findings.to_vec(), last)
    }

    #[test]
    fn a_move_loses_what_the_next_position_is_worth_less() {
        let findings = [found(&[(0, estimate(0.7)), (1, estimate(0.6))])];
        let [judgment] = judged(&[1], &findings, estimate(0.52))[..] else { panic!("one move") };
        assert_eq!((judgment.loss, judgment.mark), (0.22, Some(Mark::Blunder)));
        let better = judged(&[1], &findings, estimate(0.2))[0];
        assert_eq!(
            (better.before.chances, better.loss, better.mark),
            (0.8, 0.0, None),
            "later findings correct earlier ones"
        );
    }

    #[test]
    fn the_best_move_loses_nothing_and_the_fault_falls_on_an_earlier_move() {
        let findings = [
            found(&[(0, estimate(0.6)), (1, estimate(0.55))]),
            found(&[(0, estimate(0.5)), (1, estimate(0.4))]),
            found(&[(2, estimate(0.5)), (1, estimate(0.2))]),
        ];
        // Every position seemed even, but in the end the first side has lost.
        let judgments = judged(&[1, 0, 2], &findings, Worth::certain(Exact::WonIn(3)));
        let marks: Vec<Option<Mark>> = judgments.iter().map(|judgment| judgment.mark).collect();
        assert_eq!(marks, [Some(Mark::Blunder), None, Some(Mark::OnlyMove)]);
        assert_eq!(judgments[0].loss, 0.6);
    }

    #[test]
    fn certain_wins_pass_on_from_move_to_move() {
        let findings = [
            found(&[(0, Worth::certain(Exact::WonIn(9))), (1, estimate(0.9))]),
            found(&[(0, estimate(0.1)), (1, estimate(0.05))]),
            found(&[]),
        ];
        let judgments = judged(&[0, 1, 3], &findings, estimate(0.2));
        let exact: Vec<Option<Exact>> = judgments.iter().map(|judgment| judgment.before.exact).collect();
        assert_eq!(exact, [Some(Exact::WonIn(9)), Some(Exact::LostIn(8)), Some(Exact::WonIn(7))]);
        assert!(judgments.iter().all(|judgment| judgment.loss == 0.0), "{judgments:?}");
        assert_eq!(judgments[2].mark, Some(Mark::Forced));
    }

    #[test]
    fn an_estimate_after_a_certain_win_is_compared_with_an_estimate() {
        let mut findings = [found(&[(0, Worth::certain(Exact::WonIn(9)))])];
        assert_eq!(judged(&[1], &findings, estimate(0.12))[0].loss, 0.07);
        findings[0][0].estimate = Some(0.85);
        assert_eq!(judged(&[1], &findings, estimate(0.12))[0].loss, 0.0);
        assert_eq!(judged(&[1], &findings, Worth::certain(Exact::IsDrawn))[0].loss, 0.5);
    }
}
