//! Results of a match, and how `calibrate match` prints them.

use std::fmt;

use kingline::game::{Color, DrawReason};
use serde::{Deserialize, Serialize};

use super::sprt::{EloDifference, EloPair, PairCounts, Sprt, Verdict};

/// A game of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct PlayedGame {
    /// Side that won on the board or on time; null: a draw.
    pub(crate) winner: Option<Color>,
    /// Why it was drawn; null: it was not.
    pub(crate) draw: Option<DrawReason>,
    /// CPU seconds of Black and White.
    pub(crate) used: [f64; 2],
    /// Seconds that Black and White had left.
    pub(crate) left: [f64; 2],
    /// Moves of Black and White.
    pub(crate) moves: [usize; 2],
    /// Side that ran out of time.
    pub(crate) late: Option<Color>,
    /// True if a side did not win although its own search had announced a win.
    pub(crate) missed_win: bool,
}

/// Results of the first player against the second.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) wins: usize,
    pub(crate) losses: usize,
    pub(crate) draws: usize,
    pub(crate) pairs: PairCounts,
    /// Number of draws in which the first player had more time left.
    pub(crate) draws_on_time: usize,
    /// Number of draws by the 50-turn rule.
    pub(crate) by_quiet_turns: usize,
    pub(crate) missed_wins: usize,
    /// Number of games lost on time, the first player's first.
    pub(crate) late: [usize; 2],
    /// CPU seconds in total, the first player's first.
    pub(crate) used: [f64; 2],
    /// Largest CPU time of one game, in seconds, the first player's first.
    pub(crate) most: [f64; 2],
    /// Number of moves in total, the first player's first.
    pub(crate) moves: [usize; 2],
}

impl Tally {
    pub(crate) fn games(&self) -> usize {
        self.wins + self.losses + self.draws
    }

    /// Adds both games of an opening. The first player has Black in the first one.
    pub(crate) fn add_pair(&mut self, games: [PlayedGame; 2]) {
        let half_points = |tally: &Tally| 2 * tally.wins + tally.draws;
        let before = half_points(self);
        for (played, first) in games.into_iter().zip([Color::Black, Color::White]) {
            self.add(played, first);
        }
        self.pairs.0[half_points(self) - before] += 1;
    }

    fn add(&mut self, played: PlayedGame, first: Color) {
        match played.winner {
            Some(color) if color == first => self.wins += 1,
            Some(_) => self.losses += 1,
            None => {
                self.draws += 1;
                self.draws_on_time += usize::from(played.left[first.index()] > played.left[(!first).index()]);
                self.by_quiet_turns += usize::from(played.draw == Some(DrawReason::QuietTurns));
            }
        }
        self.missed_wins += usize::from(played.missed_win);
        for (place, color) in [first, !first].into_iter().enumerate() {
            let used = played.used[color.index()];
            self.late[place] += usize::from(played.late == Some(color));
            self.used[place] += used;
            self.moves[place] += played.moves[color.index()];
            self.most[place] = self.most[place].max(used);
        }
    }

    /// Share of points; a draw is half a point.
    pub(crate) fn share(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games().max(1) as f64
    }

    /// Share of points by the course's rule: a draw goes to the side with more time left (§3).
    pub(crate) fn course_share(&self) -> f64 {
        (self.wins + self.draws_on_time) as f64 / self.games().max(1) as f64
    }
}

/// Result of a match, from the first player's view: the output of `calibrate match --json`. Pairs of numbers begin with
/// the first player's; shares are from 0 to 1.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct MatchReport {
    /// Number of games.
    games: usize,
    /// Games won.
    wins: usize,
    /// Games drawn.
    draws: usize,
    /// Games lost.
    losses: usize,
    /// Share of points; a draw is half a point.
    pub(crate) points: f64,
    /// Half-width of its 95 % interval, computed over pairs.
    error: f64,
    /// Share of points if a draw goes to the player with more time left.
    course: f64,
    pairs: PairCounts,
    /// Difference in strength; null if one player won all points.
    elo: Option<EloDifference>,
    /// Mean CPU seconds of a game, the first player's first.
    seconds: [f64; 2],
    /// Largest CPU seconds of a game.
    most_seconds: [f64; 2],
    /// Mean CPU seconds per move.
    seconds_per_move: [f64; 2],
    /// Mean number of turns of a game, of both players.
    turns: f64,
    /// Number of draws by the 50-turn rule.
    by_quiet_turns: usize,
    /// Games that a player did not win although its own search had announced a win.
    missed_wins: usize,
    /// Number of games lost on time.
    late: [usize; 2],
    /// The test; null without --sprt.
    sprt: Option<SprtReport>,
}

/// Sequential test of two differences in strength.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct SprtReport {
    #[serde(flatten)]
    test: Sprt,
    /// Log-likelihood ratio of H1 to H0.
    llr: f64,
    /// Ratios at which H0 and H1 are accepted.
    bounds: [f64; 2],
    /// The accepted hypothesis.
    verdict: Verdict,
}

impl MatchReport {
    pub(crate) fn new(tally: &Tally, sprt: Option<Sprt>) -> MatchReport {
        let &Tally { wins, draws, losses, pairs, used, most, moves, by_quiet_turns, missed_wins, late, .. } = tally;
        let games = tally.games().max(1) as f64;
        let sprt = sprt.map(|test| SprtReport {
            test,
            llr: test.llr(&pairs),
            bounds: test.bounds(),
            verdict: test.verdict(&pairs),
        });
        MatchReport {
            games: tally.games(),
            wins,
            draws,
            losses,
            points: tally.share(),
            error: pairs.error(),
            course: tally.course_share(),
            pairs,
            elo: pairs.elo(),
            seconds: used.map(|used| used / games),
            most_seconds: most,
            seconds_per_move: [0, 1].map(|place: usize| used[place] / moves[place].max(1) as f64),
            turns: moves.iter().sum::<usize>() as f64 / games,
            by_quiet_turns,
            missed_wins,
            late,
            sprt,
        }
    }

    /// Returns the share of points with its error and the number of games, and the verdict of the test:
    /// `57.0 % ± 4.8 of 200 games (+60 =108 -32)`.
    pub(crate) fn in_words(&self) -> String {
        let MatchReport { games, wins, draws, losses, points, error, sprt, .. } = self;
        let (share, error) = (100.0 * points, 100.0 * error);
        let verdict = sprt.as_ref().map_or(String::new(), |sprt| format!("; {}", self.verdict(sprt)));
        format!("{share:.1} % ± {error:.1} of {games} games (+{wins} ={draws} -{losses}){verdict}")
    }

    fn verdict(&self, sprt: &SprtReport) -> String {
        let &SprtReport { test: Sprt { elo: EloPair { elo0, elo1 }, .. }, llr, bounds: [lower, upper], .. } = sprt;
        let verdict = match sprt.verdict {
            Verdict::H0 => "H0 accepted",
            Verdict::H1 => "H1 accepted",
            Verdict::Undecided => "undecided",
        };
        let total = self.pairs.total();
        format!(
            "SPRT of {elo0} against {elo1} Elo: LLR {llr:.2}, bounds {lower:.2} and {upper:.2}: {verdict} after {total} pairs"
        )
    }
}

impl fmt::Display for MatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MatchReport { wins, draws, losses, by_quiet_turns, missed_wins, late, .. } = self;
        let [points, error, course] = [self.points, self.error, self.course].map(|share| 100.0 * share);
        writeln!(f, "+{wins} ={draws} -{losses}  points {points:.1} % ± {error:.1}  course {course:.1} %")?;
        let PairCounts([none, half, one, three_halves, two]) = self.pairs;
        write!(f, "pairs of 0 0.5 1 1.5 2 points: {none} {half} {one} {three_halves} {two}  Elo ")?;
        match self.elo {
            Some(EloDifference { difference, error }) => writeln!(f, "{difference:+.1} ± {error:.1}")?,
            None => writeln!(f, "unknown")?,
        }
        let ([first, second], [most, other_most]) = (self.seconds, self.most_seconds);
        write!(f, "{first:.2} and {second:.2} s a game, most {most:.2} and {other_most:.2}; ")?;
        let [first, second] = self.seconds_per_move.map(|seconds| 1000.0 * seconds);
        writeln!(f, "{first:.2} and {second:.2} ms a move; {} turns a game", self.turns.floor())?;
        write!(f, "{by_quiet_turns} drawn by quiet turns, {missed_wins} won positions not won, ")?;
        write!(f, "{} and {} out of time", late[0], late[1])?;
        self.sprt.iter().try_for_each(|sprt| write!(f, "\n{}", self.verdict(sprt)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_the_first_players_points() {
        let [black, white] = Color::ALL.map(|color| PlayedGame { winner: Some(color), ..PlayedGame::default() });
        let draw = PlayedGame::default();
        let mut tally = Tally::default();
        for pair in [[white, black], [white, draw], [black, black], [draw, draw], [draw, white], [black, white]] {
            tally.add_pair(pair);
        }
        assert_eq!(tally.pairs, PairCounts([1, 1, 2, 1, 1]));
        assert_eq!([tally.wins, tally.draws, tally.losses], [4, 4, 4]);
        assert_eq!(tally.share(), tally.pairs.share());
    }
}
