//! The longest distance to a zeroing turn, and values as the builder stores them.

use crate::checkers::Position;
use crate::game::{Game, Value};

/// Longest distance in plies: the game is drawn after 50 quiet turns (§1), so the 50th turn is the last that can be
/// zeroing.
pub const LONGEST: u16 = match Position::QUIET_LIMIT {
    Some(limit) => limit,
    None => u16::MAX,
};

/// A value in one byte, with a flag that is set if the side to move must jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed(pub(super) u8);

impl Packed {
    const LOSS: u8 = 64;
    const LONGEST_LOSS: u8 = Self::LOSS + LONGEST as u8;
    const LONGEST_WIN: u8 = LONGEST as u8;
    const MUST_JUMP: u8 = 128;
    /// First byte that is not a value. The builder uses this byte and higher ones.
    pub(super) const FREE: u8 = 224;
    /// Marks a number without a position.
    pub(super) const NONE: Packed = Packed(255);

    pub(super) const fn new(value: Value) -> Packed {
        Packed(match value {
            Value::Draw => 0,
            Value::Win(plies) => plies as u8,
            Value::Loss(plies) => Self::LOSS + plies as u8,
        })
    }

    /// Value of a position in which the side to move must jump.
    pub(super) const fn jumping(value: Value) -> Packed {
        Packed(Self::new(value).0 | Self::MUST_JUMP)
    }

    /// Returns true for this value, no matter whether the side to move must jump.
    #[inline]
    pub(super) const fn is(self, value: Value) -> bool {
        self.0 < Self::FREE && self.0 & !Self::MUST_JUMP == Self::new(value).0
    }

    pub(super) const fn must_jump(self) -> bool {
        self.0 < Self::FREE && self.0 & Self::MUST_JUMP != 0
    }

    pub(super) const fn value(self) -> Option<Value> {
        match self.0 & !Self::MUST_JUMP {
            _ if self.0 >= Self::FREE => None,
            0 => Some(Value::Draw),
            plies @ 1..=Self::LONGEST_WIN => Some(Value::Win(plies as u16)),
            loss @ Self::LOSS..=Self::LONGEST_LOSS => Some(Value::Loss((loss - Self::LOSS) as u16)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_round_trip() {
        let wins = (1..=LONGEST).map(Value::Win);
        let losses = (0..=LONGEST).map(Value::Loss);
        for value in wins.chain(losses).chain([Value::Draw]) {
            let packed = Packed::new(value);
            assert!(packed.0 < Packed::FREE && !packed.must_jump());
            assert_eq!(packed.value(), Some(value));
        }
        for value in [Value::Win(1), Value::Draw, Value::Loss(1)] {
            assert!(Packed::jumping(value).must_jump());
            assert_eq!(Packed::jumping(value).value(), Some(value));
        }
        assert_eq!(Packed::NONE.value(), None);
    }
}
