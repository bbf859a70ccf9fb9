//! Alpha-beta windows.

use std::ops::Neg;

use crate::score::Score;

/// Open interval of the scores that still matter: above `alpha`, below `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window =
        Window { alpha: Score::from_value(-Score::INFINITE.value()), beta: Score::INFINITE };

    /// Null window that asks whether a score is above `alpha`.
    pub(super) fn null_above(alpha: Score) -> Window {
        Window { alpha, beta: alpha.plus(1) }
    }

    /// Null window that asks whether a score reaches `beta`.
    pub(super) fn null_below(beta: Score) -> Window {
        Window { alpha: beta.plus(-1), beta }
    }

    /// Window of the scores within `margin` hundredths of `score`.
    pub(super) fn around(score: Score, margin: i16) -> Window {
        Window { alpha: score.plus(-margin), beta: score.plus(margin) }
    }

    /// Returns `true` if there is no score between the bounds.
    pub(super) fn is_null(self) -> bool {
        i32::from(self.beta.value()) - i32::from(self.alpha.value()) <= 1
    }

    pub(super) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

impl Neg for Window {
    type Output = Window;
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(alpha: i32, beta: i32) -> Window {
        Window { alpha: Score::estimate(alpha), beta: Score::estimate(beta) }
    }

    #[test]
    fn null_windows_hold_no_score_and_are_not_empty() {
        for null in [Window::null_above(Score::estimate(7)), Window::null_below(Score::estimate(8))] {
            assert_eq!(null, window(7, 8));
            assert!(null.is_null() && !null.is_empty());
        }
        assert!(!window(7, 9).is_null() && !Window::FULL.is_null());
        assert!(window(8, 8).is_empty() && window(9, 8).is_empty());
    }

    #[test]
    fn the_other_side_sees_the_same_window_upside_down() {
        assert_eq!(-window(-3, 20), window(-20, 3));
        assert_eq!(-Window::FULL, Window::FULL);
    }

    #[test]
    fn a_window_around_a_score_stays_within_the_full_one() {
        assert_eq!(Window::around(Score::estimate(5), 20), window(-15, 25));
        let wide = Window::around(Score::estimate(5), i16::MAX);
        assert!(wide.alpha >= Window::FULL.alpha && wide.beta <= Window::FULL.beta);
    }
}
