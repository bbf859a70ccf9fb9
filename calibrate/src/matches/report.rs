//! Output of `calibrate match`.

use std::fmt;

use serde::Serialize;

use super::pairs::{EloDifference, PairCounts};
use super::sprt::{EloPair, Sprt, Verdict};
use super::tally::Tally;

/// Finished match. [`help`](super::help) describes its output.
pub(crate) struct MatchReport {
    pub(crate) tally: Tally,
    pub(crate) sprt: Option<Sprt>,
}

impl fmt::Display for MatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.tally)?;
        self.sprt.iter().try_for_each(|sprt| write!(f, "\n{}", self.verdict(sprt)))
    }
}

impl MatchReport {
    /// Returns the first player's points, and the verdict of the sequential test.
    pub(super) fn in_words(&self) -> String {
        let MatchReport { tally, sprt } = self;
        let verdict = sprt.as_ref().map_or(String::new(), |sprt| format!("; {}", self.verdict(sprt)));
        tally.points() + &verdict
    }

    fn verdict(&self, sprt: &Sprt) -> String {
        let EloPair { elo0, elo1 } = sprt.elo;
        let pairs = &self.tally.pairs;
        let ([lower, upper], llr) = (sprt.bounds(), sprt.llr(pairs));
        let verdict = match sprt.verdict(pairs) {
            Verdict::H0 => "H0 accepted",
            Verdict::H1 => "H1 accepted",
            Verdict::Undecided => "undecided",
        };
        let total = pairs.total();
        format!(
            "SPRT of {elo0} against {elo1} Elo: LLR {llr:.2}, bounds {lower:.2} and {upper:.2}: {verdict} after {total} pairs"
        )
    }

    /// Returns the result as one JSON object.
    ///
    /// # Errors
    /// Never fails: all numbers are finite.
    pub(crate) fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(&self.figures())
    }

    /// Returns the figures of the JSON object.
    pub(crate) fn figures(&self) -> impl Serialize + use<> {
        let MatchReport { tally, sprt } = self;
        let games = tally.games().max(1) as f64;
        Figures {
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            points: tally.share(),
            error: tally.error(),
            course: tally.course_share(),
            pairs: tally.pairs,
            elo: tally.pairs.elo(),
            seconds: tally.used.map(|used| used / games),
            most_seconds: tally.most,
            seconds_per_move: tally.seconds_per_move(),
            turns: tally.turns() as f64 / games,
            by_quiet_turns: tally.by_quiet_turns,
            missed_wins: tally.missed_wins,
            late: tally.late,
            sprt: sprt.as_ref().map(|sprt| SprtFigures {
                elo0: sprt.elo.elo0,
                elo1: sprt.elo.elo1,
                alpha: sprt.alpha,
                beta: sprt.beta,
                llr: sprt.llr(&tally.pairs),
                bounds: sprt.bounds(),
                verdict: sprt.verdict(&tally.pairs),
            }),
        }
    }
}

/// Figures of a match. Pairs of numbers begin with the first player's; shares are from 0 to 1.
#[derive(Serialize)]
struct Figures {
    games: usize,
    wins: usize,
    draws: usize,
    losses: usize,
    /// Share of points.
    points: f64,
    /// Half-width of its 95 % interval.
    error: f64,
    /// Share of points by the course's rule.
    course: f64,
    pairs: PairCounts,
    elo: Option<EloDifference>,
    /// Mean CPU seconds per game.
    seconds: [f64; 2],
    /// Largest CPU seconds of a game.
    most_seconds: [f64; 2],
    /// Mean CPU seconds per move.
    seconds_per_move: [f64; 2],
    /// Mean number of turns per game.
    turns: f64,
    /// Number of draws by the 50-turn rule.
    by_quiet_turns: usize,
    /// Number of games with a missed win.
    missed_wins: usize,
    /// Number of games lost on time.
    late: [usize; 2],
    sprt: Option<SprtFigures>,
}

#[derive(Serialize)]
struct SprtFigures {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    bounds: [f64; 2],
    verdict: Verdict,
}
