//! Late-move reductions: moves late in the order are first searched less deeply.
//!
//! Source: T. Romstad, "An introduction to late move reductions", 2006.

use super::params::{LOGARITHM_STEPS, LateMoveReduction};
use crate::score::Depth;

/// Late-move reductions, by depth and index of the move.
pub(super) struct Reductions {
    params: Option<LateMoveReduction>,
    /// Natural logarithms of the indices; 0 for index 0.
    logarithms: [f32; 64],
}

impl Reductions {
    /// Prepares the reductions; `None` disables them.
    pub(super) fn new(params: Option<LateMoveReduction>) -> Reductions {
        let mut logarithms = [0.0; 64];
        for (value, logarithm) in logarithms.iter_mut().enumerate().skip(1) {
            // Rounded, so that the last digit of a math library never changes a search.
            *logarithm = ((value as f32).ln() * LOGARITHM_STEPS).round() / LOGARITHM_STEPS;
        }
        Reductions { params, logarithms }
    }

    /// Reduction in plies of the quiet move tried at index `number`, at a node of this depth.
    #[inline]
    pub(super) fn plies(&self, depth: Depth, number: usize) -> i16 {
        let Some(late) = self.params else { return 0 };
        if depth < late.from_depth || number < late.from_move {
            return 0;
        }
        let less = late.base + self.logarithm(depth.0 as usize) * self.logarithm(number) / late.divisor;
        // Leave at least one ply above the horizon.
        (less as i16).min(depth.0 - 2).max(0)
    }

    fn logarithm(&self, value: usize) -> f32 {
        self.logarithms[value.min(self.logarithms.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_moves_and_deeper_nodes_are_reduced_more() {
        let late = LateMoveReduction { from_depth: Depth(3), from_move: 2, base: 0.9, divisor: 1.6 };
        let reductions = Reductions::new(Some(late));
        assert_eq!((reductions.plies(Depth(2), 9), reductions.plies(Depth(9), 1)), (0, 0));
        // 0.9 + ln(9) * ln(2) / 1.6 = 1.85 and 0.9 + ln(9) * ln(20) / 1.6 = 5.01.
        assert_eq!((reductions.plies(Depth(9), 2), reductions.plies(Depth(9), 20)), (1, 5));
        assert_eq!(reductions.plies(Depth(300), 300), reductions.plies(Depth(63), 63));
        assert_eq!(Reductions::new(None).plies(Depth(9), 20), 0);
    }

    #[test]
    fn a_ply_is_left_above_the_horizon() {
        let late = LateMoveReduction { from_depth: Depth(1), from_move: 0, base: 40.0, divisor: 1.0 };
        let reductions = Reductions::new(Some(late));
        assert_eq!([1, 2, 3, 9].map(|depth| reductions.plies(Depth(depth), 0)), [0, 0, 1, 7]);
    }
}
