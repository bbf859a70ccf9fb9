//! How far can a decided position be from its next zeroing turn, and how does the builder keep a value?

use crate::checkers::Position;
use crate::game::{Game, Value};

/// The longest distance in plies: the rule draws after 50 quiet turns (§1), of which the last may be the zeroing one.
pub const LONGEST: u16 = match Position::QUIET_LIMIT {
    Some(limit) => limit,
    None => u16::MAX,
};

/// A value in a byte, as the builder keeps it: the value, and whether the side to move must jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed(pub(super) u8);

impl Packed {
    const LOSS: u8 = 64;
    const LONGEST_LOSS: u8 = Self::LOSS + LONGEST as u8;
    const LONGEST_WIN: u8 = LONGEST as u8;
    const MUST_JUMP: u8 = 128;
    /// Values are below this; the builder has its own use for the rest.
    pub(super) const FREE: u8 = 224;
    /// There is no position.
    pub(super) const NONE: Packed = Packed(255);

    pub(super) const fn new(value: Value) -> Packed {
        Packed(match value {
            Value::Draw => 0,
            Value::Win(plies) => plies as u8,
            Value::Loss(plies) => Self::LOSS + plies as u8,
        })
    }

    /// The value of a position where the side to move must jump.
    pub(super) const fn jumping(value: Value) -> Packed {
        Packed(Self::new(value).0 | Self::MUST_JUMP)
    }

    /// Whether this is the value, of a position where the side to move must jump or not.
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
