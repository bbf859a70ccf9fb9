//! The automatic players: how long they may think, and what they move.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use super::player::Player;
use crate::game::{Color, Game, History};
use crate::loa::{Move, Position};
use crate::protocol::commands::Pace;
use crate::search::Limits;

/// Of the first [`ROUNDS`] moves of a side each; the next ones have half, and so on. However long a game
/// becomes, a side never thinks for more than 14 s: scripts give each side 15 s for a run, or both
/// together 60 s for a game (§2).
const FIRST: Duration = Duration::from_millis(350);
/// See [`FIRST`].
const ROUNDS: u32 = 20;
/// For a move after `seed`: well under half a second.
const SEEDED_NODES: u64 = 250_000;
/// More than is filled in the time that a move has.
const TABLE_BYTES: usize = 64 << 20;

/// Both automatic players, which share what they have learned of the game.
#[derive(Debug)]
pub(super) struct Thinker {
    player: Player<8>,
    pace: Pace,
    bound: Bound,
    /// Moves thought about, by side, since the pace was last set back.
    thoughts: [u32; 2],
}

/// What bounds a thought.
#[derive(Clone, Copy, Debug)]
enum Bound {
    Time,
    Nodes,
}

impl Thinker {
    /// Players that play differently every time.
    pub(super) fn new(pace: Pace) -> Thinker {
        let variety = RandomState::new().hash_one(0);
        Thinker { player: Player::new(variety, TABLE_BYTES), pace, bound: Bound::Time, thoughts: [0; 2] }
    }

    /// From now on equal games lead to equal moves, however fast the machine is.
    pub(super) fn seed(&mut self, seed: u64) {
        self.player = Player::new(seed, TABLE_BYTES);
        self.bound = Bound::Nodes;
    }

    /// A new game begins.
    pub(super) fn new_game(&mut self) {
        if self.pace != Pace::HurryInRun {
            self.thoughts = [0; 2];
        }
    }

    /// The move to make; none if there is none. The game is a tie after `plies` more.
    pub(super) fn choose(&mut self, history: &History<Position<8>>, plies: Option<u16>) -> Option<Move> {
        let color = history.position().turn();
        let limits = match self.bound {
            Bound::Time => Limits::time(self.time(color)),
            Bound::Nodes => Limits::nodes(SEEDED_NODES),
        };
        self.thoughts[color.index()] += 1;
        self.player.choose(history, Limits { game_plies: plies, ..limits }).map(|choice| choice.best)
    }

    /// Time for the next move of `color`.
    fn time(&self, color: Color) -> Duration {
        match self.pace {
            Pace::Constant(time) => time,
            Pace::HurryInGame | Pace::HurryInRun => FIRST / 2u32.saturating_pow(self.thoughts[color.index()] / ROUNDS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Time for the first `moves` moves of Black.
    fn spent(thinker: &mut Thinker, moves: u32) -> Duration {
        let mut sum = Duration::ZERO;
        for _ in 0..moves {
            sum += thinker.time(Color::Black);
            thinker.thoughts[0] += 1;
        }
        sum
    }

    #[test]
    fn a_game_keeps_within_what_scripts_allow() {
        let mut thinker = Thinker::new(Pace::HurryInGame);
        assert!(2 * spent(&mut thinker, 30) < Duration::from_secs(18));
        assert_eq!(thinker.time(Color::White), FIRST, "each side has its own time");
        thinker.new_game();
        assert!(spent(&mut thinker, 10_000) <= Duration::from_secs(14));
        assert!(thinker.time(Color::Black) < Duration::from_millis(1));
        thinker.new_game();
        assert_eq!(thinker.time(Color::Black), FIRST);
    }

    #[test]
    fn a_run_of_many_games_keeps_within_fifteen_seconds() {
        let mut thinker = Thinker::new(Pace::HurryInRun);
        let mut sum = Duration::ZERO;
        for _ in 0..50 {
            thinker.new_game();
            sum += spent(&mut thinker, 20);
        }
        assert!(sum <= Duration::from_secs(14), "{sum:?}");
    }

    #[test]
    fn a_time_that_is_given_stays() {
        let mut thinker = Thinker::new(Pace::Constant(Duration::from_secs(1)));
        assert_eq!(spent(&mut thinker, 1000), Duration::from_secs(1000));
    }
}
