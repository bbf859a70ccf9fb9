//! Iterative deepening with aspiration windows.
//!
//! Source of both: D. Slate, L. Atkin, "Chess 4.5", 1977.

use std::ops::ControlFlow;

use super::limit_check::Stopped;
use super::limits::Line;
use super::params::{Aspiration, FIRST_FRAMES, FRAMES_PER_PLY, MAX_PLY};
use super::path::{Frame, Node};
use super::state::Search;
use super::table::{Bound, Entry, Window};
use super::{Limits, Report};
use crate::game::{Ending, Evaluator, Game, History, Knowledge, MoveList, Searched};
use crate::score::{Depth, Meaning, Ply, Score};

struct RootMove<M> {
    mv: M,
    /// Index in the generated list.
    index: u8,
    /// Score in the last iteration that searched the move as one of the best; before, the evaluation of the root.
    score: Score,
}

/// Searches deeper each time, starting from the move order and scores of the previous iteration.
pub(super) fn deepen<G: Searched, E: Evaluator<G>, T: Knowledge<G>>(
    mut search: Search<G, E, T>,
    history: &History<G>,
    limits: Limits,
) -> Report<G> {
    let root = Node::root(history, search.evaluator);
    let list = root.position.legal_moves();
    let Some(&first) = list.first() else { return Report::of(None, Depth::ZERO, Score::loss_in(Ply(0))) };
    let lines = limits.lines.clamp(1, list.len());
    // Before any search, so that an immediate win is found however short the time.
    let won = Some(Ending::Win(root.position.turn()));
    let win = list.iter().copied().find(|&mv| root.position.play(mv).ending() == won);
    if win.is_some() && lines == 1 {
        return Report::of(win, Depth(1), Score::win_in(Ply(1)));
    }
    let score = root.evaluate(search.evaluator);
    let mut moves: Vec<RootMove<G::Move>> =
        (0u8..).zip(list.iter()).map(|(index, &mv)| RootMove { mv, index, score }).collect();
    let mut report = Report::of(win.or(Some(first)), Depth::ZERO, score);
    let mut frames = Vec::with_capacity(MAX_PLY);
    let frame = Frame::new(&root);
    let deepest = limits.depth.unwrap_or(Depth(MAX_PLY as i16));
    let mut depth = search.limits.next_depth(Depth::ZERO).min(deepest.max(Depth(1)));
    while depth <= deepest {
        frames.extend((frames.len()..frames_for(depth)).map(|_| frame.clone()));
        let result = (0..lines).try_for_each(|line| search.iteration(&root, &mut moves, line, depth, &mut frames));
        report.nodes = search.limits.nodes();
        if result.is_err() {
            // If the unfinished iteration has proved another move better, that move is already first.
            if report.best != Some(moves[0].mv) && (depth > Depth(1) || win.is_none()) {
                report.best = Some(moves[0].mv);
                report.principal_variation = vec![moves[0].mv];
            }
            break;
        }
        report.lines = moves[..lines]
            .iter()
            .map(|&RootMove { mv, score, .. }| Line { score, moves: search.principal_variation(&root, mv, depth) })
            .collect();
        report.depth = depth;
        report.score = report.lines[0].score;
        report.best = Some(moves[0].mv);
        report.principal_variation.clone_from(&report.lines[0].moves);
        let stop = search.limits.observer.iteration(&report) == ControlFlow::Break(());
        if stop || depth == deepest || is_decided(&report) {
            break;
        }
        search.limits.renew_time();
        depth = search.limits.next_depth(depth).min(deepest);
    }
    report
}

/// Returns `true` if no deeper search could find anything shorter for any line.
pub(super) fn is_decided<G: Game>(report: &Report<G>) -> bool {
    !report.lines.is_empty() && report.lines.iter().all(|line| is_final(line.score, report.depth))
}

impl<G: Game> Report<G> {
    /// Report without nodes, with this move alone as the principal variation.
    fn of(best: Option<G::Move>, depth: Depth, score: Score) -> Report<G> {
        let principal_variation: Vec<_> = best.into_iter().collect();
        let lines =
            if depth == Depth::ZERO { Vec::new() } else { vec![Line { score, moves: principal_variation.clone() }] };
        Report { best, depth, score, principal_variation, lines, nodes: 0 }
    }
}

/// Number of frames for an iteration to this depth, so that a short search touches little memory. A line that is still
/// longer ends with a static evaluation.
fn frames_for(depth: Depth) -> usize {
    (FIRST_FRAMES + FRAMES_PER_PLY * depth.0 as usize).min(MAX_PLY)
}

/// Returns `true` if a deeper search could find nothing shorter: no nearer end of the game or, where endgame tables
/// have decided it, no nearer zeroing turn.
fn is_final(score: Score, depth: Depth) -> bool {
    match score.meaning() {
        Meaning::Estimate(_) => false,
        Meaning::WinIn(plies) | Meaning::LossIn(plies) | Meaning::TableWin(plies) | Meaning::TableLoss(plies) => {
            i32::from(plies) <= i32::from(depth.0)
        }
    }
}

impl<G: Searched, E: Evaluator<G>, T: Knowledge<G>> Search<'_, G, E, T> {
    /// Runs one iteration for the best of the moves that the first `line` lines leave. Puts it, with its score, where
    /// it belongs among these.
    fn iteration(
        &mut self,
        root: &Node<G, E::State>,
        moves: &mut [RootMove<G::Move>],
        line: usize,
        depth: Depth,
        frames: &mut [Frame<G, E::State>],
    ) -> Result<(), Stopped> {
        let rest = &mut moves[line..];
        let last = rest[0].score;
        let aspiration = self.params.aspiration.filter(|asp| depth >= asp.from_depth && !last.is_decided());
        let mut margin = aspiration.map_or(0, |aspiration| aspiration.margin);
        let mut window = aspiration.map_or(Window::FULL, |_| Window::around(last, margin));
        loop {
            let score = self.root_value(root, rest, depth, window, frames)?;
            if line == 0 {
                let entry = Entry { score, bound: Bound::of(score, window), depth, best: rest[0].index };
                self.table.store(self.path.key(root), root.ply, entry);
            }
            margin = Aspiration::wider(margin);
            if score <= window.alpha && window.alpha > Window::FULL.alpha {
                window.alpha =
                    if score.is_decided() { Window::FULL.alpha } else { last.plus(-margin).min(score.plus(-1)) };
            } else if score >= window.beta && window.beta < Window::FULL.beta {
                window.beta = if score.is_decided() { Window::FULL.beta } else { last.plus(margin).max(score.plus(1)) };
            } else {
                rest[0].score = score;
                moves[..=line].sort_by_key(|mv| std::cmp::Reverse(mv.score));
                return Ok(());
            }
        }
    }

    /// Value of the best of these moves within a window. A move that turns out best is put first at once.
    fn root_value(
        &mut self,
        root: &Node<G, E::State>,
        moves: &mut [RootMove<G::Move>],
        depth: Depth,
        mut window: Window,
        frames: &mut [Frame<G, E::State>],
    ) -> Result<Score, Stopped> {
        let mut best = -Score::INFINITE;
        let mut child = root.clone();
        for number in 0..moves.len() {
            let score = self.move_value(root, &mut child, moves[number].mv, number, depth - 1, window, frames)?;
            if score > best {
                best = score;
                if score > window.alpha {
                    window.alpha = score;
                    moves[..=number].rotate_right(1);
                }
                if window.is_empty() {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// Expected play from `first` on, as far as the table knows it.
    fn principal_variation(&self, root: &Node<G, E::State>, first: G::Move, depth: Depth) -> Vec<G::Move> {
        let mut line = vec![first];
        let (mut node, mut child) = (root.clone(), root.clone());
        root.play(first, self.evaluator, &mut node);
        let mut list = MoveList::new();
        let goes_on = |node: &Node<G, E::State>| node.position.outcome().is_none() && self.path.plies_left(node) > 0;
        while line.len() < depth.0 as usize && goes_on(&node) {
            let Some(entry) = self.table.probe(self.path.key(&node), node.ply) else { break };
            list.clear();
            node.position.moves(&mut list);
            let Some(&mv) = list.get(usize::from(entry.best)) else { break };
            line.push(mv);
            node.play(mv, self.evaluator, &mut child);
            std::mem::swap(&mut node, &mut child);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkers::Position;
    use crate::evaluate::checkers::Evaluation;
    use crate::search::{Limits, Params, Searcher};

    fn search(text: &str, params: Params, limits: Limits) -> Report<Position> {
        let position: Position = text.parse().expect("a position");
        let searcher = Searcher::new(Evaluation::default()).with_params(params);
        searcher.with_table_limit(1 << 20).search(position, limits, &mut ())
    }

    #[test]
    fn the_line_ends_where_the_game_does() {
        let start: Position = "W:WK10,K15:BK2".parse().expect("a position");
        let mut searcher = Searcher::new(Evaluation::default()).with_table_limit(1 << 20);
        let limits = |game_plies| Limits { game_plies: Some(game_plies), ..Limits::depth(6) };
        // Searches of finished games leave entries in the table: no line may continue there.
        for first in start.legal_moves() {
            let after = start.play(first);
            for second in after.legal_moves() {
                searcher.search(after.play(second), limits(0), &mut ());
            }
            searcher.search(after, limits(0), &mut ());
        }
        for game_plies in 1..4 {
            let report = searcher.search(start, limits(game_plies), &mut ());
            assert!(report.principal_variation.len() <= usize::from(game_plies), "{report:?}");
        }
    }

    #[test]
    fn a_score_is_final_when_no_deeper_search_could_find_a_nearer_end() {
        let estimate = Score::estimate(300);
        assert!(!is_final(estimate, Depth(200)));
        for score in
            [Score::win_in(Ply(7)), Score::loss_in(Ply(7)), Score::table_win(Ply(3), 4), -Score::table_win(Ply(3), 4)]
        {
            assert_eq!([6, 7].map(|depth| is_final(score, Depth(depth))), [false, true], "{score}");
        }
    }

    #[test]
    fn a_root_decided_at_once_is_not_searched() {
        let lost = search("B:W18:B", Params::default(), Limits::default());
        assert_eq!((lost.best, lost.score, lost.nodes), (None, Score::loss_in(Ply(0)), 0));
        let won = search("W:W22,32:B18", Params::default(), Limits::nodes(0));
        assert_eq!((won.score, won.depth, won.nodes), (Score::win_in(Ply(1)), Depth(1), 0));
        assert_eq!(won.principal_variation, Vec::from_iter(won.best));
    }

    #[test]
    fn a_proved_win_ends_the_iterations() {
        let report = search("W:WK10,K15:BK2", Params::default(), Limits::default());
        assert_eq!((report.score, report.depth), (Score::win_in(Ply(3)), Depth(3)));
    }

    #[test]
    fn a_window_that_fails_is_widened_until_it_holds_the_score() {
        let text = "B:W13,18,21,26,28,32:B3,4,7,11,12,20";
        let full = search(text, Params::exact(), Limits::depth(7));
        for margin in [0, 1, 5] {
            let narrow = Aspiration { from_depth: Depth(1), margin };
            let params = Params { aspiration: Some(narrow), ..Params::exact() };
            assert_eq!(search(text, params, Limits::depth(7)).score, full.score, "{margin}");
        }
        assert!((0..i16::MAX).all(|margin| Aspiration::wider(margin) > margin));
    }
}
