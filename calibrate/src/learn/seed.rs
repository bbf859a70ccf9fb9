//! Seeds of self-play games.

use kingline::game::zobrist;

/// Returns the seed of one game, derived from the seed of all games; games with adjacent numbers get unrelated seeds.
pub(crate) fn game_seed(seed: u64, game: u32) -> u64 {
    zobrist::number(seed.wrapping_mul(zobrist::GAMMA).wrapping_add(u64::from(game).wrapping_add(1) << 20))
}
