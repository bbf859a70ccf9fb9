//! Accuracy of a side.
//!
//! Source of the formula for a move: lichess.org/page/accuracy. There, a game's accuracy weights the moves; here it is
//! their plain mean.

use super::reviewed::ReviewedMove;
use kingline::game::Color;

/// Accuracy of a move that loses this part of the winning chances: 100 for none, 0 for all.
pub(crate) fn of_loss(loss: f64) -> f64 {
    (103.1668 * (-4.354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Mean accuracy of a side over the moves at which it had a choice, 0 to 100; none if it never had one.
pub(crate) fn of_side(moves: &[ReviewedMove], side: Color) -> Option<f64> {
    let choices = moves.iter().filter(|mv| mv.side == side && !mv.best.is_empty());
    let (count, sum) = choices.fold((0, 0.0), |(count, sum), mv| (count + 1, sum + of_loss(mv.loss)));
    (count > 0).then(|| (sum / f64::from(count) * 10.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_from_100_to_0() {
        assert!(of_loss(0.0) > 99.99 && of_loss(1.0) == 0.0);
        assert!((0..100).all(|loss| of_loss(f64::from(loss) / 100.0) >= of_loss(f64::from(loss + 1) / 100.0)));
        assert!((of_loss(0.1) - 63.58).abs() < 0.01, "{}", of_loss(0.1));
    }
}
