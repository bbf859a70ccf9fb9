//! What do the rules say of a node, given the way to it, and under which key is it remembered?

use super::node::Node;
use super::params::{COUNTED_LAST_PLIES, COUNTED_QUIET_TURNS, UNRULED_LIMIT};
use crate::game::{Game, History, Outcome};
use crate::score::Ply;

/// The last ply of a game that goes on.
pub(super) const NO_LAST_PLY: Ply = Ply(u16::MAX);

/// How the rules end the game at a node, for the side to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    Won,
    Lost,
    Drawn,
    /// The position was there before, and counts as a draw. On another way it may not.
    Repeated,
}

/// The way from the root to the current node, and what of the game before it matters.
#[derive(Clone, Debug)]
pub(super) struct Path {
    /// Keys of the positions by ply, the root's first; beyond the end of the path those of other ones.
    keys: Vec<u64>,
    /// Keys of positions of the game, the root among them, that count as a draw if they come once more.
    spent: Vec<u64>,
    /// Part of every key, see [`of_proof`](Path::of_proof).
    salt: u64,
    /// The game is drawn at this ply, or [`NO_LAST_PLY`].
    last_ply: Ply,
}

impl Path {
    /// The path of a search. A position of the game is a draw when it comes back as often as the rules want (§1), or
    /// where they know no repetition for the [`UNRULED_LIMIT`]th time.
    pub(super) fn of_search<G: Game>(history: &History<G>, last_ply: Ply) -> Path {
        let spent = spent(history, G::REPETITION_LIMIT.unwrap_or(UNRULED_LIMIT));
        Path { keys: vec![history.position().key()], spent, salt: 0, last_ply }
    }

    /// The path of a proof. The shortest win never comes back to the root. With other positions of the game spent a
    /// position is another one than otherwise: they are part of its key, so that a proof holds in the next game too.
    pub(super) fn of_proof<G: Game>(history: &History<G>, last_ply: Ply) -> Path {
        let root = history.position().key();
        let mut spent = G::REPETITION_LIMIT.map_or(Vec::new(), |limit| spent(history, limit));
        // Multiplied: the keys of the four positions of a shuffle, there and back, would cancel each other out.
        let salt = spent.iter().fold(0, |salt, key| salt ^ key.wrapping_mul(0x9fb2_1c65_1e98_df25));
        spent.push(root);
        Path { keys: vec![root], spent, salt, last_ply }
    }

    /// Makes `node`, which follows one of the path, its end.
    #[inline]
    pub(super) fn enter<G: Game, S>(&mut self, node: &Node<G, S>) {
        let key = node.position.key();
        match self.keys.get_mut(usize::from(node.ply.0)) {
            Some(place) => *place = key,
            None => self.keys.push(key),
        }
    }

    /// Whether the game goes on until somebody wins, or is drawn by other rules than its length.
    pub(super) fn is_endless(&self) -> bool {
        self.last_ply == NO_LAST_PLY
    }

    /// Plies until the game is drawn for its length or its quiet turns.
    #[inline]
    pub(super) fn plies_left<G: Game, S>(&self, node: &Node<G, S>) -> u16 {
        let quiet = G::QUIET_LIMIT.map_or(u16::MAX, |limit| limit.saturating_sub(node.counters.quiet_turns));
        quiet.min(self.last_ply.0.saturating_sub(node.ply.0))
    }

    /// What the rules say of a node that follows one of the path, if they end the game there.
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
        if is_last || G::QUIET_LIMIT.is_some_and(|limit| node.counters.quiet_turns >= limit) {
            return Some(at_limit(&node.position));
        }
        None
    }

    /// Whether the position was there before: once below the root (who can repeat once can repeat again, and gets
    /// nowhere even if the rules let them), or spent in the game.
    #[inline]
    fn is_repetition<G: Game, S>(&self, node: &Node<G, S>) -> bool {
        let (ply, reversible) = (usize::from(node.ply.0), usize::from(node.counters.reversible));
        // A position cannot come back in fewer than four plies, nor with the other side to move.
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

    /// The key of a node in a table: with many quiet turns behind it, or few plies before the game's last, a position is
    /// another one than otherwise, since the draw is nearer.
    #[inline]
    pub(super) fn key<G: Game, S>(&self, node: &Node<G, S>) -> u64 {
        let mut key = node.position.key() ^ self.salt;
        if counts_quiet_turns(node) {
            key ^= u64::from(node.counters.quiet_turns).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        if self.counts_plies(node) {
            let plies_left = self.last_ply.0 - node.ply.0;
            key ^= u64::from(plies_left + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        key
    }

    /// Whether all that can make the game drawn below the node is part of its key.
    #[inline]
    pub(super) fn key_has_draws<G: Game, S>(&self, node: &Node<G, S>) -> bool {
        (self.is_endless() || self.counts_plies(node)) && (G::QUIET_LIMIT.is_none() || counts_quiet_turns(node))
    }

    #[inline]
    fn counts_plies<G: Game, S>(&self, node: &Node<G, S>) -> bool {
        self.last_ply.0 - node.ply.0 <= COUNTED_LAST_PLIES
    }
}

#[inline]
fn counts_quiet_turns<G: Game, S>(node: &Node<G, S>) -> bool {
    G::QUIET_LIMIT.is_some() && node.counters.quiet_turns >= COUNTED_QUIET_TURNS
}

/// A side without a move has lost, also after the last turn of a game (§1).
#[cold]
fn at_limit<G: Game>(position: &G) -> Ruling {
    if position.legal_moves().is_empty() { Ruling::Lost } else { Ruling::Drawn }
}

/// Keys of the positions of a game that can still come back, and then stand there for the time `limit` at least.
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

    /// An evaluation that says nothing.
    fn nothing<G>(_: &G) -> Score {
        Score::DRAW
    }

    /// The node after moves of the search, each of them on the path.
    fn after<G: Game>(path: &mut Path, history: &History<G>, moves: &[&str]) -> Node<G, ()>
    where
        fn(&G) -> Score: Evaluator<G, State = ()>,
    {
        let evaluator: fn(&G) -> Score = nothing::<G>;
        let mut node = Node::root(history, &evaluator);
        for text in moves {
            path.enter(&node);
            node = node.child(node.position.parse_move(text).expect("a legal move"), &evaluator);
        }
        node
    }

    fn game<G: Game>(start: G, moves: &[&str]) -> History<G> {
        let mut history = History::new(start);
        for text in moves {
            history.play(history.position().parse_move(text).expect("a legal move"));
        }
        history
    }

    fn kings() -> checkers::Position {
        "W:WK1,32:BK4,K12".parse().expect("a position")
    }

    /// There and back.
    const SHUFFLE: [&str; 4] = ["1-6", "4-8", "6-1", "8-4"];

    fn ruling(history: &History<checkers::Position>, moves: &[&str]) -> [Option<Ruling>; 2] {
        [Path::of_search(history, NO_LAST_PLY), Path::of_proof(history, NO_LAST_PLY)].map(|mut path| {
            let node = after(&mut path, history, moves);
            path.ruling(&node)
        })
    }

    #[test]
    fn below_the_root_a_position_counts_as_drawn_when_it_comes_back_once() {
        let history = History::new(kings());
        let moves = [&["32-28", "12-16"][..], &SHUFFLE].concat();
        assert_eq!(ruling(&history, &moves[..5]), [None; 2]);
        assert_eq!(ruling(&history, &moves), [Some(Ruling::Repeated); 2]);
    }

    #[test]
    fn the_root_may_come_back_in_a_search_as_often_as_the_rules_allow_but_not_in_a_proof() {
        let once = History::new(kings());
        assert_eq!(ruling(&once, &SHUFFLE), [None, Some(Ruling::Repeated)]);
        let twice = game(kings(), &SHUFFLE);
        assert_eq!(ruling(&twice, &SHUFFLE), [Some(Ruling::Repeated); 2]);
        // The position after the first move is there for the second time only.
        assert_eq!(ruling(&twice, &SHUFFLE[..1]), [None; 2]);
    }

    #[test]
    fn where_the_rules_know_no_repetition_every_position_of_the_game_counts() {
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
        let history = History::new(kings());
        let mut path = Path::of_search(&history, Ply(2));
        let node = after(&mut path, &history, &SHUFFLE[..1]);
        assert_eq!((path.plies_left(&node), path.ruling(&node)), (1, None));
        let node = after(&mut path, &history, &SHUFFLE[..2]);
        assert_eq!((path.plies_left(&node), path.ruling(&node)), (0, Some(Ruling::Drawn)));
        // A side without a move has lost even then.
        let history = History::new("W:W22:B18".parse::<checkers::Position>().expect("a position"));
        let mut path = Path::of_search(&history, Ply(1));
        let node = after(&mut path, &history, &["22x15"]);
        assert_eq!(path.ruling(&node), Some(Ruling::Lost));
    }

    #[test]
    fn a_key_knows_what_can_make_the_game_drawn_soon() {
        let history = History::new(kings());
        let root = after(&mut Path::of_search(&history, NO_LAST_PLY), &history, &[]);
        let key = |last_ply: u16| Path::of_search(&history, Ply(last_ply)).key(&root);
        assert_eq!((key(u16::MAX), key(COUNTED_LAST_PLIES + 1)), (kings().key(), kings().key()));
        assert!(key(COUNTED_LAST_PLIES) != kings().key() && key(COUNTED_LAST_PLIES) != key(COUNTED_LAST_PLIES - 1));
        let quiet = game(kings(), &SHUFFLE.repeat(4));
        assert_eq!(quiet.quiet_turns(), COUNTED_QUIET_TURNS);
        let mut path = Path::of_search(&quiet, NO_LAST_PLY);
        let node = after(&mut path, &quiet, &[]);
        assert!(path.key(&node) != kings().key() && path.key_has_draws(&node) && !path.key_has_draws(&root));
        // What is spent in the game is part of the keys of a proof alone.
        assert_ne!(Path::of_proof(&quiet, NO_LAST_PLY).key(&node), path.key(&node));
    }
}
