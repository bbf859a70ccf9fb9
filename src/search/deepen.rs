use std::cell::Cell;
use std::ops::ControlFlow;

use super::params::{Aspiration, MAX_PLY, POLL_NODES};
use super::path::Path;
use super::state::{NO_LAST_PLY, Node, PlyBuffers, Search, Stopped};
use super::table::{Bound, Entry};
use super::window::Window;
use super::{Limits, Observer, Report, Searcher, TimeLimit};
use crate::game::{Evaluator, Game, History, Knowledge, MoveList, Outcome};
use crate::score::{Depth, Meaning, Ply, Score};

/// A move at the root.
struct RootMove<M> {
    mv: M,
    /// Place in the list as generated.
    index: u8,
}

/// Searches one ply deeper each time, from the order and the score that the last time gave.
pub(super) fn deepen<G: Game, E: Evaluator<G>, T: Knowledge<G>>(
    searcher: &mut Searcher<G, E, T>,
    history: &History<G>,
    limits: Limits,
    observer: &mut impl Observer<G>,
) -> Report<G> {
    let position = history.position();
    let (path, counters) = Path::new(history, MAX_PLY + 2);
    let node_limit = limits.nodes.unwrap_or(u64::MAX);
    let mut logarithms = [0.0; 64];
    for (value, logarithm) in logarithms.iter_mut().enumerate().skip(1) {
        // Rounded, so that no library's last digit changes a search.
        *logarithm = ((value as f32).ln() * 256.0).round() / 256.0;
    }
    let mut run = Search {
        evaluator: &searcher.evaluator,
        knowledge: &searcher.knowledge,
        params: &searcher.params,
        table: &mut searcher.table,
        order: &mut searcher.order,
        observer,
        path,
        nodes: 0,
        next_check: POLL_NODES.min(node_limit),
        node_limit,
        time_limit: limits.time,
        last_ply: limits.game_plies.map_or(NO_LAST_PLY, Ply),
        logarithms,
    };
    let root = Node {
        position,
        state: run.evaluator.start(&position),
        ply: Ply(0),
        counters,
        previous: None,
        evaluated: Cell::new(None),
    };
    let list = position.legal_moves();
    let mut moves: Vec<RootMove<G::Move>> =
        (0u8..).zip(list.iter()).map(|(index, &mv)| RootMove { mv, index }).collect();
    let Some(first) = moves.first() else { return Report::of(None, Depth::ZERO, Score::loss_in(Ply(0))) };
    if let Some(&mv) = list.iter().find(|&&mv| wins_at_once(&position, mv)) {
        return Report::of(Some(mv), Depth(1), Score::win_in(Ply(1)));
    }
    let mut report = Report::of(Some(first.mv), Depth::ZERO, root.evaluate(run.evaluator));
    let mut buffers = vec![PlyBuffers::new(); MAX_PLY];
    let deepest = limits.depth.unwrap_or(Depth(MAX_PLY as i16));
    let mut depth = Depth(1);
    while depth <= deepest {
        let result = run.iteration(&root, &mut moves, depth, report.score, &mut buffers);
        report.nodes = run.nodes;
        let Ok(score) = result else {
            // A better move that the unfinished iteration has proved stands first already.
            if report.best != Some(moves[0].mv) {
                report.best = Some(moves[0].mv);
                report.principal_variation = vec![moves[0].mv];
            }
            break;
        };
        report.depth = depth;
        report.score = score;
        report.best = Some(moves[0].mv);
        report.principal_variation = run.principal_variation(&root, moves[0].mv, depth);
        // Nothing shorter is left to be found: no nearer end of the game, or, where tables have decided
        // it, no nearer zeroing turn. Until then a deeper search may find one, or the end itself.
        let found = match score.meaning() {
            Meaning::Estimate(_) => false,
            Meaning::WinIn(plies) | Meaning::LossIn(plies) => i32::from(plies) <= i32::from(depth.0),
            Meaning::TableWin(plies) | Meaning::TableLoss(plies) => i32::from(plies) <= i32::from(depth.0),
        };
        if run.observer.iteration(&report) == ControlFlow::Break(()) || found {
            break;
        }
        run.time_limit = run.observer.time_limit().map(TimeLimit::started).or(run.time_limit);
        depth = depth + 1;
    }
    report
}

impl<G: Game> Report<G> {
    /// A report of no nodes, with this move alone as the principal variation.
    fn of(best: Option<G::Move>, depth: Depth, score: Score) -> Report<G> {
        Report { best, depth, score, principal_variation: best.into_iter().collect(), nodes: 0 }
    }
}

/// Whether `mv` ends the game in favour of the side that makes it: seen before any search, so that
/// it is found however short the time.
fn wins_at_once<G: Game>(position: &G, mv: G::Move) -> bool {
    let after = position.play(mv);
    match after.outcome() {
        Some(outcome) => outcome == Outcome::Win(position.turn()),
        None => after.legal_moves().is_empty(),
    }
}

impl<G: Game, E: Evaluator<G>, T: Knowledge<G>, O: Observer<G>> Search<'_, G, E, T, O> {
    /// One iteration: the value of the root, its best move first in `moves`.
    fn iteration(
        &mut self,
        root: &Node<G, E::State>,
        moves: &mut [RootMove<G::Move>],
        depth: Depth,
        last: Score,
        buffers: &mut [PlyBuffers<G>],
    ) -> Result<Score, Stopped> {
        let aspiration = self.params.aspiration.filter(|asp| depth >= asp.from_depth && !last.is_decided());
        let mut margin = aspiration.map_or(0, |aspiration| aspiration.margin);
        let mut window = aspiration.map_or(Window::FULL, |_| Window::around(last, margin));
        loop {
            let score = self.root_value(root, moves, depth, window, buffers)?;
            margin = Aspiration::wider(margin);
            if score <= window.alpha && window.alpha > Window::FULL.alpha {
                window.alpha =
                    if score.is_decided() { Window::FULL.alpha } else { last.plus(-margin).min(score.plus(-1)) };
            } else if score >= window.beta && window.beta < Window::FULL.beta {
                window.beta = if score.is_decided() { Window::FULL.beta } else { last.plus(margin).max(score.plus(1)) };
            } else {
                return Ok(score);
            }
        }
    }

    /// The value of the root within a window. A move that turns out best is put first at once.
    fn root_value(
        &mut self,
        root: &Node<G, E::State>,
        moves: &mut [RootMove<G::Move>],
        depth: Depth,
        mut window: Window,
        buffers: &mut [PlyBuffers<G>],
    ) -> Result<Score, Stopped> {
        let floor = window.alpha;
        let mut best = -Score::INFINITE;
        for number in 0..moves.len() {
            let child = root.child(moves[number].mv, self.evaluator);
            self.enter(&child)?;
            let score = match self.terminal_value(&child) {
                Some(score) => -score,
                None if number == 0 => -self.value(&child, depth - 1, -window, buffers)?,
                None => {
                    let less = self.late_reduction(root, moves[number].mv, depth, number);
                    self.late_value(&child, depth - 1, less, window, buffers)?
                }
            };
            self.leave();
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
        let bound = match () {
            () if best >= window.beta => Bound::Lower,
            () if best > floor => Bound::Exact,
            () => Bound::Upper,
        };
        let entry = Entry { score: best, bound, depth, best: moves[0].index };
        self.table.store(self.key(root), root.ply, entry);
        Ok(best)
    }

    /// The expected play after `first`, as far as the table knows it.
    fn principal_variation(&self, root: &Node<G, E::State>, first: G::Move, depth: Depth) -> Vec<G::Move> {
        let mut line = vec![first];
        let mut node = root.child(first, self.evaluator);
        let mut list = MoveList::new();
        while line.len() < depth.0 as usize && node.position.outcome().is_none() {
            let Some(entry) = self.table.probe(self.key(&node), node.ply) else { break };
            list.clear();
            node.position.moves(&mut list);
            let Some(&mv) = list.get(usize::from(entry.best)) else { break };
            line.push(mv);
            node = node.child(mv, self.evaluator);
        }
        line
    }
}
