//! Values that change as pieces leave the board.

use std::ops::{AddAssign, Mul, SubAssign};

/// A value on a full board and a value with few pieces, interpolated linearly in between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tapered {
    full: i32,
    few: i32,
}

/// The piece counts between which values change.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceRange {
    /// Number of pieces on a full board.
    pub(super) full: u32,
    /// Number of pieces that count as few; below `full`.
    pub(super) few: u32,
}

impl Tapered {
    pub(super) const fn new(full: i32, few: i32) -> Tapered {
        Tapered { full, few }
    }

    /// Interpolates the value for `pieces` pieces on the board.
    #[inline(always)]
    pub(super) fn with_pieces(self, pieces: u32, range: PieceRange) -> i32 {
        let PieceRange { full, few } = range;
        let more = (pieces.clamp(few, full) - few) as i32;
        let all = (full - few) as i32;
        (self.full * more + self.few * (all - more)) / all
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        self.full += other.full;
        self.few += other.few;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        self.full -= other.full;
        self.few -= other.few;
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn mul(self, count: i32) -> Tapered {
        Tapered { full: self.full * count, few: self.few * count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_change_evenly_between_full_and_few() {
        let range = PieceRange { full: 24, few: 8 };
        let value = Tapered::new(100, -60);
        let seen = [0, 8, 12, 16, 24, 30].map(|pieces| value.with_pieces(pieces, range));
        assert_eq!(seen, [-60, -60, -20, 20, 100, 100]);
    }

    #[test]
    fn sums_apply_to_both_values() {
        let mut sum = Tapered::new(1, 2);
        sum += Tapered::new(10, 20) * 3;
        sum -= Tapered::new(1, 1);
        assert_eq!(sum, Tapered::new(30, 61));
    }
}
