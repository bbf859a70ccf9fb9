//! How long do the automatic players of a session think, and what do they move?

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use super::loa_player::LoaPlayer;
use super::params::{FIRST_MOVE_TIME, HALVING_MOVES, LOA_TABLE_BYTES, SEEDED_NODES};
use crate::game::{Color, Game, History};
use crate::loa::{Move, Position};
use crate::protocol::commands::Pace;
use crate::search::Limits;

/// Both automatic players, which share one memory of the game.
#[derive(Debug)]
pub(super) struct Thinker {
    player: LoaPlayer<8>,
    pace: Pace,
    /// Limits of every move, in place of the pace.
    fixed: Option<Limits>,
    /// Moves chosen, by side, since the pace was last reset.
    chosen: [u32; 2],
}

impl Thinker {
    /// Players that play differently every time.
    pub(super) fn new(pace: Pace) -> Thinker {
        let variety = RandomState::new().hash_one(0);
        Thinker { player: LoaPlayer::new(variety, LOA_TABLE_BYTES), pace, fixed: None, chosen: [0; 2] }
    }

    /// From now on equal games lead to equal moves, however fast the machine is.
    pub(super) fn seed(&mut self, seed: u64) {
        self.player = LoaPlayer::new(seed, LOA_TABLE_BYTES);
        self.fixed = Some(Limits::nodes(SEEDED_NODES));
    }

    /// A new game begins.
    pub(super) fn new_game(&mut self) {
        if self.pace != Pace::PerProcess {
            self.chosen = [0; 2];
        }
    }

    /// The move to make; none if there is none. The game is a tie after `plies` more.
    pub(super) fn choose(&mut self, history: &History<Position<8>>, plies: Option<u16>) -> Option<Move> {
        let color = history.position().turn();
        let limits = self.fixed.unwrap_or_else(|| Limits::time(self.time(color)));
        self.chosen[color.index()] += 1;
        self.player.choose(history, Limits { game_plies: plies, ..limits }).map(|choice| choice.best)
    }

    /// Time for the next move of `color`.
    fn time(&self, color: Color) -> Duration {
        match self.pace {
            Pace::Constant(time) => time,
            Pace::PerGame | Pace::PerProcess => {
                FIRST_MOVE_TIME / 2u32.saturating_pow(self.chosen[color.index()] / HALVING_MOVES)
            }
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
            thinker.chosen[0] += 1;
        }
        sum
    }

    #[test]
    fn a_game_keeps_within_the_time_of_the_scripts() {
        let mut thinker = Thinker::new(Pace::PerGame);
        assert!(2 * spent(&mut thinker, 30) < Duration::from_secs(18));
        assert_eq!(thinker.time(Color::White), FIRST_MOVE_TIME, "each side has its own time");
        thinker.new_game();
        assert!(spent(&mut thinker, 10_000) <= Duration::from_secs(14));
        assert!(thinker.time(Color::Black) < Duration::from_millis(1));
        thinker.new_game();
        assert_eq!(thinker.time(Color::Black), FIRST_MOVE_TIME);
    }

    #[test]
    fn a_process_of_many_games_keeps_within_fifteen_seconds() {
        let mut thinker = Thinker::new(Pace::PerProcess);
        let mut sum = Duration::ZERO;
        for _ in 0..50 {
            thinker.new_game();
            sum += spent(&mut thinker, 20);
        }
        assert!(sum <= Duration::from_secs(14), "{sum:?}");
    }

    #[test]
    fn a_constant_time_stays_constant() {
        let mut thinker = Thinker::new(Pace::Constant(Duration::from_secs(1)));
        assert_eq!(spent(&mut thinker, 1000), Duration::from_secs(1000));
    }
}
