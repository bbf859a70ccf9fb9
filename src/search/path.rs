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
        let salt = spent.iter().fold(0, |salt, key| salt ^ key.rotate_left(32));
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
