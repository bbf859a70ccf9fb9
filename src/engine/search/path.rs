use std::cell::Cell;

use super::order::PlyBuffers;
use super::params::{COUNTED_LAST_PLIES, COUNTED_QUIET_TURNS, UNRULED_LIMIT};
use crate::game::{Evaluator, Game, History, Outcome, Progress, Rules};
use crate::score::{Ply, Score};

/// A position with what a search must know about the path to it. Shared by alpha-beta and the solver.
///
/// A node is large, so the search keeps one for each ply and overwrites it in place.
#[derive(Clone)]
pub(super) struct Node<G: Game, S> {
    pub(super) position: G,
    pub(super) state: S,
    pub(super) ply: Ply,
    pub(super) counters: Counters,
    /// Move that led here; none at the root and after a null move.
    pub(super) previous: Option<G::Move>,
    /// Evaluation of the position, once computed.
    evaluated: Cell<Option<Score>>,
}

/// Buffers of one ply, allocated once per search.
#[derive(Clone)]
pub(super) struct Frame<G: Game, S> {
    pub(super) moves: PlyBuffers<G>,
    pub(super) child: Node<G, S>,
}

impl<G: Game, S: Clone> Frame<G, S> {
    pub(super) fn new(root: &Node<G, S>) -> Frame<G, S> {
        Frame { moves: PlyBuffers::new(), child: root.clone() }
    }
}

/// Counters of the rules along the path to a node, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counters {
    /// Plies since the last zeroing turn, including those of the game before the root.
    pub(super) quiet_turns: u16,
    /// Plies since the last irreversible turn or the root; a repetition cannot lie farther back.
    pub(super) reversible: u16,
}

impl Counters {
    fn after(self, progress: Progress) -> Counters {
        match progress {
            Progress::Reversible => Counters { quiet_turns: self.quiet_turns + 1, reversible: self.reversible + 1 },
            Progress::Irreversible => Counters { quiet_turns: self.quiet_turns + 1, reversible: 0 },
            Progress::Zeroing => Counters { quiet_turns: 0, reversible: 0 },
        }
    }
}

impl<G: Game, S: Clone> Node<G, S> {
    pub(super) fn root(history: &History<G>, evaluator: &impl Evaluator<G, State = S>) -> Node<G, S> {
        let position = history.position();
        Node {
            position,
            state: evaluator.start(&position),
            ply: Ply(0),
            counters: Counters { quiet_turns: history.quiet_turns(), reversible: 0 },
            previous: None,
            evaluated: Cell::new(None),
        }
    }

    /// Makes `child` the node after `mv`, which must be legal.
    #[inline]
    pub(super) fn play(&self, mv: G::Move, evaluator: &impl Evaluator<G, State = S>, child: &mut Node<G, S>) {
        self.play_unevaluated(mv, child);
        evaluator.advance(&self.state, &self.position, mv, &child.position, &mut child.state);
    }

    /// Makes `child` the node after `mv`, except for its evaluator's state.
    #[inline]
    pub(super) fn play_unevaluated(&self, mv: G::Move, child: &mut Node<G, S>) {
        child.position = self.position.play(mv);
        child.ply = self.ply.next();
        child.counters = self.counters.after(self.position.progress(mv));
        child.previous = Some(mv);
        child.evaluated = Cell::new(None);
    }

    /// Makes `child` the node after the null move to `position`. No earlier position can recur after it.
    pub(super) fn pass(&self, position: G, evaluator: &impl Evaluator<G, State = S>, child: &mut Node<G, S>) {
        child.position = position;
        evaluator.passed(&self.state, &position, &mut child.state);
        child.ply = self.ply.next();
        child.counters = self.counters.after(Progress::Zeroing);
        child.previous = None;
        child.evaluated = Cell::new(None);
    }

    /// Returns the evaluation of the position, computed only once.
    #[inline]
    pub(super) fn evaluate(&self, evaluator: &impl Evaluator<G, State = S>) -> Score {
        if let Some(score) = self.evaluated.get() {
            return score;
        }
        let score = evaluator.evaluate(&self.state, &self.position);
        self.evaluated.set(Some(score));
        score
    }
}

pub(super) const NO_LAST_PLY: Ply = Ply(u16::MAX);
const NO_QUIET_LIMIT: u16 = u16::MAX;

/// Ending of the game at a node by the rules, for the side to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    Won,
    Lost,
    Drawn,
    /// The position repeats an earlier one, which counts as a draw. On another path it may not.
    Repeated,
}

/// Path from the root to the current node, with the part of the game before it that matters.
#[derive(Clone, Debug)]
pub(super) struct Path {
    /// Keys of the positions by ply, the root's first; entries beyond the end of the path are stale.
    keys: Vec<u64>,
    /// Keys of positions of the game, possibly including the root, whose next occurrence counts as a draw.
    spent: Vec<u64>,
    /// Part of every key; see [`ruled`] and [`of_proof`](Path::of_proof).
    salt: u64,
    /// Ply at which the game is drawn, or [`NO_LAST_PLY`].
    last_ply: Ply,
    rules: Rules,
    /// Number of quiet turns at which the game is drawn, or [`NO_QUIET_LIMIT`].
    quiet_limit: u16,
}

impl Path {
    /// Creates the path of a search. A position of the game counts as a draw at the occurrence set by the rules (§1),
    /// or by [`UNRULED_LIMIT`] if they have no repetition rule.
    pub(super) fn of_search<G: Game>(history: &History<G>, last_ply: Ply) -> Path {
        let spent = spent(history, G::REPETITION_LIMIT.unwrap_or(UNRULED_LIMIT));
        let (rules, quiet_limit, salt) = ruled(history);
        Path { keys: vec![history.position().key()], spent, salt, last_ply, rules, quiet_limit }
    }

    /// Creates the path of a proof. A return to the root counts as a draw, since the shortest win never needs one. The
    /// other spent positions of the game are part of every key, so that a proof stays valid in the next game.
    pub(super) fn of_proof<G: Game>(history: &History<G>, last_ply: Ply) -> Path {
        let root = history.position().key();
        let mut spent = G::REPETITION_LIMIT.map_or(Vec::new(), |limit| spent(history, limit));
        // Multiplied, because the keys of the four positions of a shuffle would cancel each other out.
        let (rules, quiet_limit, salt) = ruled(history);
        let salt = spent.iter().fold(salt, |salt, key| salt ^ key.wrapping_mul(0x9fb2_1c65_1e98_df25));
        spent.push(root);
        Path { keys: vec![root], spent, salt, last_ply, rules, quiet_limit }
    }

    /// Makes `node` the end of the path; its parent must be on the path.
    #[inline]
    pub(super) fn enter<G: Game, S>(&mut self, node: &Node<G, S>) {
        let key = node.position.key();
        match self.keys.get_mut(usize::from(node.ply.0)) {
            Some(place) => *place = key,
            None => self.keys.push(key),
        }
    }

    #[inline]
    pub(super) fn rules(&self) -> Rules {
        self.rules
    }

    pub(super) fn is_endless(&self) -> bool {
        self.last_ply == NO_LAST_PLY
    }

    /// Number of plies until the game is drawn by its length or its quiet turns.
    #[inline]
    pub(super) fn plies_left<G: Game, S>(&self, node: &Node<G, S>) -> u16 {
        let quiet = self.quiet_limit.saturating_sub(node.counters.quiet_turns);
        quiet.min(self.last_ply.0.saturating_sub(node.ply.0))
    }

    /// Returns how the rules end the game at a node, if they do; its parent must be on the path.
    #[inline(always)]
    pub(super) fn ruling<G: Game, S>(&self, node: &Node<G, S>) -> Option<Ruling> {
        match node.position.outcome() {
            Some(Outcome::Win(winner)) if winner == node.position.turn() => return Some(Ruling::Won),
            Some(Outcome::Win(_)) => return Some(Ruling::Lost),
            Some(Outcome::Draw) => return Some(Ruling::Drawn),
            None => {}
        }
        if self.is_repetition(node) {
            return Some(Ruling::Repeated);
        }
        let is_last = node.ply >= self.last_ply;
        if is_last || G::QUIET_LIMIT.is_some() && node.counters.quiet_turns >= self.quiet_limit {
            return Some(at_limit(&node.position));
        }
        None
    }

    /// Returns `true` if the position repeats one below the root, or is spent in the game. Below the root a single
    /// repetition counts: a side that can repeat once can repeat again, and makes no progress even if the rules allow
    /// it.
    #[inline]
    fn is_repetition<G: Game, S>(&self, node: &Node<G, S>) -> bool {
        let (ply, reversible) = (usize::from(node.ply.0), usize::from(node.counters.reversible));
        // A position cannot recur in fewer than four plies, nor with the other side to move.
        if reversible < 4 && reversible != ply {
            return false;
        }
        let key = node.position.key();
        let below_root = reversible.min(ply - 1);
        let mut back = 4;
        while back <= below_root {
            if self.keys[ply - back] == key {
                return true;
            }
            back += 2;
        }
        reversible == ply && self.spent.contains(&key)
    }

    /// Key of a node in a table. It includes the count of quiet turns once that is high, and the number of remaining
    /// plies once that is low, since a draw is then near.
    #[inline]
    pub(super) fn key<G: Game, S>(&self, node: &Node<G, S>) -> u64 {
        let mut key = node.position.key() ^ self.salt;
        if self.counts_quiet_turns(node) {
            key ^= u64::from(node.counters.quiet_turns).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        if self.counts_plies(node) {
            let plies_left = self.last_ply.0 - node.ply.0;
            key ^= u64::from(plies_left + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        key
    }

    /// Returns `true` if the key contains everything that can make the game drawn below the node.
    #[inline]
    pub(super) fn key_has_draws<G: Game, S>(&self, node: &Node<G, S>) -> bool {
        (self.is_endless() || self.counts_plies(node))
            && (!self.limits_quiet_turns::<G>() || self.counts_quiet_turns(node))
    }

    #[inline]
    fn counts_plies<G: Game, S>(&self, node: &Node<G, S>) -> bool {
        self.last_ply.0 - node.ply.0 <= COUNTED_LAST_PLIES
    }

    #[inline]
    fn limits_quiet_turns<G: Game>(&self) -> bool {
        G::QUIET_LIMIT.is_some() && self.quiet_limit != NO_QUIET_LIMIT
    }

    #[inline]
    fn counts_quiet_turns<G: Game, S>(&self, node: &Node<G, S>) -> bool {
        self.limits_quiet_turns::<G>() && node.counters.quiet_turns >= COUNTED_QUIET_TURNS
    }
}

/// Returns the rules of a game, their limit of quiet turns, and a part of every key that differs from rules to rules if
/// they matter in this game.
fn ruled<G: Game>(history: &History<G>) -> (Rules, u16, u64) {
    let limit = history.rules().quiet_limit::<G>();
    let salt = if limit == G::QUIET_LIMIT { 0 } else { 0xc2b2_ae3d_27d4_eb4f };
    (history.rules(), limit.unwrap_or(NO_QUIET_LIMIT), salt)
}

/// Ending at a limit: a draw, unless the side to move has no move and has lost (§1).
#[cold]
fn at_limit<G: Game>(position: &G) -> Ruling {
    if position.legal_moves().is_empty() { Ruling::Lost } else { Ruling::Drawn }
}

/// Keys of the positions of a game that can recur, and whose next occurrence is their `limit`-th or a later one.
fn spent<G: Game>(history: &History<G>, limit: u8) -> Vec<u64> {
    let positions = history.positions();
    let first = positions.len().saturating_sub(1 + usize::from(history.quiet_turns()));
    let keys: Vec<u64> = positions[first..].iter().map(Game::key).collect();
    let mut spent = Vec::new();
    for key in &keys {
        let times = keys.iter().filter(|&other| other == key).count();
        if times + 1 >= usize::from(limit) && !spent.contains(key) {
            spent.push(*key);
        }
    }
    spent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Evaluator;
    use crate::score::Score;
    use crate::{checkers, loa};

    fn nothing<G>(_: &G) -> Score {
        Score::DRAW
    }

    /// Plays `moves` from the root, entering each node in the path, and returns the last node.
    fn after<G: Game>(path: &mut Path, history: &History<G>, moves: &[&str]) -> Node<G, ()>
    where
        fn(&G) -> Score: Evaluator<G, State = ()>,
    {
        let evaluator: fn(&G) -> Score = nothing::<G>;
        let mut node = Node::root(history, &evaluator);
        for text in moves {
            path.enter(&node);
            let mut child = node.clone();
            node.play(node.position.parse_move(text).expect("a legal move"), &evaluator, &mut child);
            node = child;
        }
        node
    }

    fn game<G: Game>(start: G, moves: &[&str]) -> History<G> {
        let mut history = History::new(start).under(Rules::Course);
        for text in moves {
            history.play(history.position().parse_move(text).expect("a legal move"));
        }
        history
    }

    fn course(position: checkers::Position) -> History<checkers::Position> {
        History::new(position).under(Rules::Course)
    }

    fn kings() -> checkers::Position {
        "W:WK1,32:BK4,K12".parse().expect("a position")
    }

    /// Kings that move there and back.
    const SHUFFLE: [&str; 4] = ["1-6", "4-8", "6-1", "8-4"];

    fn ruling(history: &History<checkers::Position>, moves: &[&str]) -> [Option<Ruling>; 2] {
        [Path::of_search(history, NO_LAST_PLY), Path::of_proof(history, NO_LAST_PLY)].map(|mut path| {
            let node = after(&mut path, history, moves);
            path.ruling(&node)
        })
    }

    #[test]
    fn below_the_root_one_repetition_counts_as_a_draw() {
        let history = course(kings());
        let moves = [&["32-28", "12-16"][..], &SHUFFLE].concat();
        assert_eq!(ruling(&history, &moves[..5]), [None; 2]);
        assert_eq!(ruling(&history, &moves), [Some(Ruling::Repeated); 2]);
    }

    #[test]
    fn the_root_may_recur_in_a_search_as_the_rules_allow_but_not_in_a_proof() {
        let once = course(kings());
        assert_eq!(ruling(&once, &SHUFFLE), [None, Some(Ruling::Repeated)]);
        let twice = game(kings(), &SHUFFLE);
        assert_eq!(ruling(&twice, &SHUFFLE), [Some(Ruling::Repeated); 2]);
        // The position after the first move occurs only for the second time.
        assert_eq!(ruling(&twice, &SHUFFLE[..1]), [None; 2]);
    }

    #[test]
    fn without_a_rule_of_repetition_every_position_of_the_game_counts() {
        let shuffle = ["b1-b3", "a2-c2", "b3-b1", "c2-a2"];
        let start: loa::Position<6> = loa::Position::start();
        let history = game(start, &shuffle[..3]);
        let mut search = Path::of_search(&history, NO_LAST_PLY);
        let node = after(&mut search, &history, &shuffle[3..]);
        assert_eq!(search.ruling(&node), Some(Ruling::Repeated));
        let mut proof = Path::of_proof(&history, NO_LAST_PLY);
        let node = after(&mut proof, &history, &shuffle[3..]);
        assert_eq!(proof.ruling(&node), None);
    }

    #[test]
    fn the_game_ends_at_its_last_ply_and_with_its_quiet_turns() {
        let history = course(kings());
        let mut path = Path::of_search(&history, Ply(2));
        let node = after(&mut path, &history, &SHUFFLE[..1]);
        assert_eq!((path.plies_left(&node), path.ruling(&node)), (1, None));
        let node = after(&mut path, &history, &SHUFFLE[..2]);
        assert_eq!((path.plies_left(&node), path.ruling(&node)), (0, Some(Ruling::Drawn)));
        // A side without a move has lost even then.
        let history = course("W:W22:B18".parse().expect("a position"));
        let mut path = Path::of_search(&history, Ply(1));
        let node = after(&mut path, &history, &["22x15"]);
        assert_eq!(path.ruling(&node), Some(Ruling::Lost));
    }

    #[test]
    fn a_key_contains_what_can_soon_make_the_game_drawn() {
        let history = course(kings());
        let root = after(&mut Path::of_search(&history, NO_LAST_PLY), &history, &[]);
        let key = |last_ply: u16| Path::of_search(&history, Ply(last_ply)).key(&root);
        assert_eq!((key(u16::MAX), key(COUNTED_LAST_PLIES + 1)), (kings().key(), kings().key()));
        assert!(key(COUNTED_LAST_PLIES) != kings().key() && key(COUNTED_LAST_PLIES) != key(COUNTED_LAST_PLIES - 1));
        let quiet = game(kings(), &SHUFFLE.repeat(4));
        assert_eq!(quiet.quiet_turns(), COUNTED_QUIET_TURNS);
        let mut path = Path::of_search(&quiet, NO_LAST_PLY);
        let node = after(&mut path, &quiet, &[]);
        assert!(path.key(&node) != kings().key() && path.key_has_draws(&node) && !path.key_has_draws(&root));
        // Spent positions of the game are part of the keys of a proof alone.
        assert_ne!(Path::of_proof(&quiet, NO_LAST_PLY).key(&node), path.key(&node));
    }
}
