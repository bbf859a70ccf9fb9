//! Record of a position from a self-play game.
//!
//! ```text
//!  0   8   Black's pieces, 64 bits: see `packing`
//!  8   8   White's
//! 16   4   the number of the game
//! 20   2   the search's score for the side to move
//! 22   2   turns since the start of the game
//! 24   1   quiet turns before the position
//! 25   1   flags: 1 White is to move, 2 it can capture, 4 it is threatened, 8 the game's last record
//! 26   1   the game's result for the side to move: 0 lost, 1 drawn, 2 won
//! 27   1   the depth of the search
//! 28   4   FNV-1a of the bytes before
//! ```
//!
//! Numbers are little-endian.

use kingline::game::Color;

pub(crate) const RECORD_BYTES: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Pieces as the game packs them, Black's first.
    pub(crate) pieces: [u64; 2],
    pub(crate) turn: Color,
    /// Number of the game, unique among the games of one seed.
    pub(crate) game: u32,
    /// Score of the search for the side to move.
    pub(crate) score: i16,
    /// Number of turns since the start of the game, including those of its opening.
    pub(crate) ply: u16,
    pub(crate) quiet_turns: u8,
    /// True if the side to move can capture.
    pub(crate) captures: bool,
    /// True if the other side could capture if it were to move.
    pub(crate) threatened: bool,
    pub(crate) last: bool,
    pub(crate) result: GameResult,
    pub(crate) depth: u8,
}

/// Result of a game for the side to move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum GameResult {
    Lost,
    Drawn,
    Won,
}

impl GameResult {
    /// Returns the result for `color` of a game that `winner` won.
    pub(crate) fn of(winner: Option<Color>, color: Color) -> GameResult {
        match winner {
            None => GameResult::Drawn,
            Some(winner) if winner == color => GameResult::Won,
            Some(_) => GameResult::Lost,
        }
    }

    /// Returns the points: 0, 0.5 or 1.
    pub(crate) fn points(self) -> f32 {
        f32::from(self as u8) / 2.0
    }
}

impl Record {
    pub(crate) fn to_bytes(self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[0..8].copy_from_slice(&self.pieces[0].to_le_bytes());
        bytes[8..16].copy_from_slice(&self.pieces[1].to_le_bytes());
        bytes[16..20].copy_from_slice(&self.game.to_le_bytes());
        bytes[20..22].copy_from_slice(&self.score.to_le_bytes());
        bytes[22..24].copy_from_slice(&self.ply.to_le_bytes());
        let flags = [self.turn == Color::White, self.captures, self.threatened, self.last];
        let flags = flags.iter().enumerate().fold(0, |all, (bit, &flag)| all | u8::from(flag) << bit);
        bytes[24..28].copy_from_slice(&[self.quiet_turns, flags, self.result as u8, self.depth]);
        let sum = checksum(&bytes[..28]);
        bytes[28..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a record; `None` if the bytes are damaged.
    pub(crate) fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Option<Record> {
        let number = |at: usize, count: usize| {
            bytes[at..at + count].iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
        };
        let [quiet_turns, flags, result, depth] = [24, 25, 26, 27].map(|at: usize| bytes[at]);
        if number(28, 4) != u64::from(checksum(&bytes[..28])) || flags >= 16 {
            return None;
        }
        let flag = |bit: u8| flags >> bit & 1 != 0;
        Some(Record {
            pieces: [number(0, 8), number(8, 8)],
            turn: if flag(0) { Color::White } else { Color::Black },
            game: number(16, 4) as u32,
            score: number(20, 2) as i16,
            ply: number(22, 2) as u16,
            quiet_turns,
            captures: flag(1),
            threatened: flag(2),
            last: flag(3),
            result: [GameResult::Lost, GameResult::Drawn, GameResult::Won].into_iter().nth(result.into())?,
            depth,
        })
    }
}

/// FNV-1a, 32 bits: <http://www.isthe.com/chongo/tech/comp/fnv/>.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_round_trip_and_damage_is_detected() {
        let record = Record {
            pieces: [0x0123_4567_89ab_cdef, u64::MAX],
            turn: Color::White,
            game: 0xfedc_ba98,
            score: -12_345,
            ply: 300,
            quiet_turns: 49,
            captures: false,
            threatened: true,
            last: true,
            result: GameResult::Won,
            depth: 17,
        };
        let bytes = record.to_bytes();
        assert_eq!(Record::from_bytes(&bytes), Some(record));
        for place in 0..RECORD_BYTES {
            let mut damaged = bytes;
            damaged[place] ^= 0x10;
            assert_eq!(Record::from_bytes(&damaged), None, "byte {place}");
        }
    }
}
