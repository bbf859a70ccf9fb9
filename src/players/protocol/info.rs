//! Lines about a search in progress, in the form of Hub: a finished iteration, and the move at the end.

use std::fmt;
use std::time::Duration;

use kingline::game::Game;
use kingline::score::{Meaning, Score};
use kingline::search::Report;

/// A finished iteration: `info depth=9 score=0.12 nodes=4321 time=0.01 nps=0.43 pv="11-15 23-19"`.
///
/// Estimates are in units of the evaluation, hundredths behind the point, below 90 either way. A decided game is 100 less
/// a hundredth for each ply to its end, or to the next zeroing turn, with a minus if it is lost. `nps` is in millions.
pub(super) struct Info<'a, G: Game> {
    /// The search so far.
    pub(super) report: &'a Report<G>,
    /// Time since it began.
    pub(super) time: Duration,
    /// Writes a move.
    pub(super) notation: fn(G::Move) -> String,
}

/// The end of a search: `done move=11-15 ponder=23-19`.
pub(super) struct Done<M> {
    /// The move; `None` if there is no legal one.
    pub(super) best: Option<M>,
    /// The expected answer.
    pub(super) answer: Option<M>,
    /// Writes a move.
    pub(super) notation: fn(M) -> String,
}

/// Score of a won game.
const WON: f64 = 100.0;
/// Largest estimate: a win in 1000 plies, the longest, has a larger score.
const MOST: f64 = 89.99;

impl<G: Game> fmt::Display for Info<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Info { report, time, notation } = self;
        let seconds = time.as_secs_f64();
        let speed = report.nodes as f64 / seconds.max(1e-6) / 1e6;
        write!(f, "info depth={} score={:.2} nodes={}", report.depth.0, in_units(report.score), report.nodes)?;
        write!(f, " time={seconds:.2} nps={speed:.2}")?;
        let line: Vec<String> = report.principal_variation.iter().map(|&mv| notation(mv)).collect();
        write!(f, " pv=\"{}\"", line.join(" "))
    }
}

impl<M: Copy> fmt::Display for Done<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("done")?;
        for (name, mv) in [("move", self.best), ("ponder", self.best.and(self.answer))] {
            if let Some(mv) = mv {
                write!(f, " {name}={}", (self.notation)(mv))?;
            }
        }
        Ok(())
    }
}

fn in_units(score: Score) -> f64 {
    match score.meaning() {
        Meaning::Estimate(value) => (f64::from(value) / 100.0).clamp(-MOST, MOST),
        Meaning::WinIn(plies) | Meaning::TableWin(plies) => WON - f64::from(plies) / 100.0,
        Meaning::LossIn(plies) | Meaning::TableLoss(plies) => f64::from(plies) / 100.0 - WON,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::loa::Position;
    use kingline::score::{Depth, Ply};

    #[test]
    fn iterations_and_moves_are_written_in_a_line() {
        let position = Position::<8>::start();
        let line = position.legal_moves()[..2].to_vec();
        let report = Report::<Position<8>> {
            best: Some(line[0]),
            depth: Depth(9),
            score: Score::estimate(-12),
            principal_variation: line.clone(),
            lines: Vec::new(),
            nodes: 500_000,
        };
        let info = Info { report: &report, time: Duration::from_millis(500), notation: |mv| mv.to_string() };
        let expected = "info depth=9 score=-0.12 nodes=500000 time=0.50 nps=1.00 pv=\"b1-h1 b1-b3\"";
        assert_eq!(info.to_string(), expected);
        let done = |best: Option<usize>, answer: Option<usize>| {
            let [best, answer] = [best, answer].map(|place| place.map(|place| line[place]));
            Done { best, answer, notation: |mv| mv.to_string() }.to_string()
        };
        assert_eq!(done(Some(0), Some(1)), "done move=b1-h1 ponder=b1-b3");
        assert_eq!(done(Some(0), None), "done move=b1-h1");
        assert_eq!(done(None, None), "done");
    }

    #[test]
    fn decided_games_score_about_a_hundred_and_estimates_less() {
        assert_eq!(in_units(Score::estimate(35)), 0.35);
        assert_eq!(in_units(Score::win_in(Ply(7))), 99.93);
        assert_eq!(in_units(Score::loss_in(Ply(2))), -99.98);
        assert!(in_units(Score::win_in(Ply(1000))) > in_units(Score::MAX_ESTIMATE));
        assert!(in_units(Score::loss_in(Ply(1000))) < in_units(-Score::MAX_ESTIMATE));
    }
}
