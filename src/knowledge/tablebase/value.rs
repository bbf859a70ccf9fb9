use std::fmt;

/// A position's value under the rules, with no quiet turn behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wld {
    /// The side to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wld {
    /// The same for the other side.
    #[must_use]
    pub const fn reversed(self) -> Wld {
        match self {
            Wld::Loss => Wld::Win,
            Wld::Draw => Wld::Draw,
            Wld::Win => Wld::Loss,
        }
    }
}

/// A position's value with no quiet turn behind it, and its distance: the plies, with best play of both
/// sides, to the next zeroing turn (a capture, a crowning) or the end of the game.
///
/// With `c` quiet turns behind it a position is decided likewise if `c` and the distance are at most
/// [`LONGEST`] together, and drawn if not (§1): every zeroing turn leads to a position that is decided
/// with no quiet turn behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exact {
    /// The side to move wins; 1 to [`LONGEST`] plies.
    Win(u8),
    /// Nobody wins.
    Draw,
    /// The side to move loses; 0 to [`LONGEST`] plies, 0 if it has no move.
    Loss(u8),
}

/// The longest distance: the rule draws after 50 quiet turns (§1), of which the last may be the zeroing one.
pub const LONGEST: u8 = 50;

impl Exact {
    /// Without the distance.
    pub const fn outcome(self) -> Wld {
        match self {
            Exact::Win(_) => Wld::Win,
            Exact::Draw => Wld::Draw,
            Exact::Loss(_) => Wld::Loss,
        }
    }

    /// The value before a zeroing turn that leads to this outcome for the side that makes it.
    pub(super) const fn by_zeroing(outcome: Wld) -> Exact {
        match outcome {
            Wld::Win => Exact::Win(1),
            Wld::Draw => Exact::Draw,
            Wld::Loss => Exact::Loss(1),
        }
    }

    /// The outcome with so many quiet turns behind it.
    pub const fn with_quiet_turns(self, quiet_turns: u16) -> Wld {
        match self {
            Exact::Win(plies) | Exact::Loss(plies) if quiet_turns + plies as u16 > LONGEST as u16 => Wld::Draw,
            value => value.outcome(),
        }
    }
}

impl fmt::Display for Exact {
    /// `won, 7 plies to the next capture, crowning or end`, `drawn`, `lost, ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, plies) = match self {
            Exact::Draw => return f.write_str("drawn"),
            Exact::Win(plies) => ("won", plies),
            Exact::Loss(plies) => ("lost", plies),
        };
        let s = if *plies == 1 { "y" } else { "ies" };
        write!(f, "{word}, {plies} pl{s} to the next capture, crowning or end")
    }
}

/// A value in a byte, as the builder keeps it: the value, and whether the side to move must jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed(pub(super) u8);

impl Packed {
    const LOSS: u8 = 64;
    const MUST_JUMP: u8 = 128;
    /// Values are below this.
    pub(super) const FREE: u8 = 224;
    /// A number without a position.
    pub(super) const NONE: Packed = Packed(255);

    pub(super) const fn new(value: Exact) -> Packed {
        Packed(match value {
            Exact::Draw => 0,
            Exact::Win(plies) => plies,
            Exact::Loss(plies) => Self::LOSS + plies,
        })
    }

    /// The value of a position where the side to move must jump.
    pub(super) const fn jumping(value: Exact) -> Packed {
        Packed(Self::new(value).0 | Self::MUST_JUMP)
    }

    /// Whether this is the value, of a position where the side to move must jump or not.
    #[inline]
    pub(super) const fn is(self, value: Exact) -> bool {
        self.0 < Self::FREE && self.0 & !Self::MUST_JUMP == Self::new(value).0
    }

    pub(super) const fn must_jump(self) -> bool {
        self.0 < Self::FREE && self.0 & Self::MUST_JUMP != 0
    }

    pub(super) const fn value(self) -> Option<Exact> {
        match self.0 & !Self::MUST_JUMP {
            _ if self.0 >= Self::FREE => None,
            0 => Some(Exact::Draw),
            plies @ 1..=LONGEST => Some(Exact::Win(plies)),
            loss @ Self::LOSS..=114 => Some(Exact::Loss(loss - Self::LOSS)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_go_there_and_back() {
        let wins = (1..=LONGEST).map(Exact::Win);
        let losses = (0..=LONGEST).map(Exact::Loss);
        for value in wins.chain(losses).chain([Exact::Draw]) {
            let packed = Packed::new(value);
            assert!(packed.0 < Packed::FREE && !packed.must_jump());
            assert_eq!(packed.value(), Some(value));
        }
        for value in [Exact::Win(1), Exact::Draw, Exact::Loss(1)] {
            assert!(Packed::jumping(value).must_jump());
            assert_eq!(Packed::jumping(value).value(), Some(value));
        }
        assert_eq!(Packed::NONE.value(), None);
    }

    #[test]
    fn a_count_turns_long_wins_into_draws() {
        assert_eq!(Exact::Win(20).with_quiet_turns(30), Wld::Win);
        assert_eq!(Exact::Win(20).with_quiet_turns(31), Wld::Draw);
        assert_eq!(Exact::Loss(0).with_quiet_turns(50), Wld::Loss, "no move: lost before any draw");
        assert_eq!(Exact::Draw.with_quiet_turns(0), Wld::Draw);
    }
}
