use std::ops::Neg;

use crate::score::Score;

/// The open interval of scores that still matter: above `alpha`, below `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window =
        Window { alpha: Score::from_value(-Score::INFINITE.value()), beta: Score::INFINITE };

    /// The window that only asks whether a score is above `alpha`.
    pub(super) fn null_above(alpha: Score) -> Window {
        Window { alpha, beta: alpha.plus(1) }
    }

    /// The window that only asks whether a score reaches `beta`.
    pub(super) fn null_below(beta: Score) -> Window {
        Window { alpha: beta.plus(-1), beta }
    }

    /// Scores within `margin` hundredths of `score`.
    pub(super) fn around(score: Score, margin: i16) -> Window {
        Window { alpha: score.plus(-margin), beta: score.plus(margin) }
    }

    /// Whether there is no score between the bounds.
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
