//! Late-move reductions: moves late in the order are first searched less deeply.
//!
//! Source: T. Romstad, "An introduction to late move reductions", 2006.

use super::params::{LOGARITHM_STEPS, LateMoveReduction};
use crate::score::Depth;

/// Late-move reductions, by depth and index of the move; `None` disables them.
pub(super) struct Reductions(pub(super) Option<LateMoveReduction>);

/// Natural logarithms of the indices, rounded; 0 for index 0. Computed at compile time, so that a program need not load
/// a math library to start.
static LOGARITHMS: [f32; 64] = {
    let mut logarithms = [0.0; 64];
    let mut exact = 0.0;
    let mut value = 2;
    while value < logarithms.len() {
        // ln(n) - ln(n - 1) = 2 (y + y^3 / 3 + y^5 / 5 + ...) with y = 1 / (2n - 1).
        let y = 1.0 / (2 * value - 1) as f64;
        let (mut power, mut odd) = (y, 1);
        while odd < 64 {
            exact += 2.0 * power / odd as f64;
            power *= y * y;
            odd += 2;
        }
        logarithms[value] = (exact * LOGARITHM_STEPS as f64 + 0.5) as i32 as f32 / LOGARITHM_STEPS;
        value += 1;
    }
    logarithms
};

impl Reductions {
    /// Reduction in plies of the quiet move tried at index `number`, at a node of this depth.
    #[inline]
    pub(super) fn plies(&self, depth: Depth, number: usize) -> i16 {
        let Some(late) = self.0 else { return 0 };
        if depth < late.from_depth || number < late.from_move {
            return 0;
        }
        let less = late.base + logarithm(depth.0 as usize) * logarithm(number) / late.divisor;
        // Leave at least one ply above the horizon.
        (less as i16).min(depth.0 - 2).max(0)
    }
}

#[inline]
fn logarithm(value: usize) -> f32 {
    LOGARITHMS[value.min(LOGARITHMS.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_moves_and_deeper_nodes_are_reduced_more() {
        let late = LateMoveReduction { from_depth: Depth(3), from_move: 2, base: 0.9, divisor: 1.6 };
        let reductions = Reductions(Some(late));
        assert_eq!((reductions.plies(Depth(2), 9), reductions.plies(Depth(9), 1)), (0, 0));
        // 0.9 + ln(9) * ln(2) / 1.6 = 1.85 and 0.9 + ln(9) * ln(20) / 1.6 = 5.01.
        assert_eq!((reductions.plies(Depth(9), 2), reductions.plies(Depth(9), 20)), (1, 5));
        assert_eq!(reductions.plies(Depth(300), 300), reductions.plies(Depth(63), 63));
        assert_eq!(Reductions(None).plies(Depth(9), 20), 0);
    }

    #[test]
    fn logarithms_are_rounded_to_steps() {
        for (value, logarithm) in LOGARITHMS.iter().enumerate().skip(1) {
            let expected = ((value as f32).ln() * LOGARITHM_STEPS).round() / LOGARITHM_STEPS;
            assert_eq!(*logarithm, expected, "{value}");
        }
    }

    #[test]
    fn a_ply_is_left_above_the_horizon() {
        let late = LateMoveReduction { from_depth: Depth(1), from_move: 0, base: 40.0, divisor: 1.0 };
        let reductions = Reductions(Some(late));
        assert_eq!([1, 2, 3, 9].map(|depth| reductions.plies(Depth(depth), 0)), [0, 0, 1, 7]);
    }
}
