//! Results of a match.

use std::fmt;

use kingline::game::{Color, DrawReason};
use serde::{Deserialize, Serialize};

use super::pairs::{EloDifference, PairCounts};

/// Finished game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlayedGame {
    /// Side that won on the board or on time; `None` for a draw.
    pub(crate) winner: Option<Color>,
    pub(crate) draw: Option<DrawReason>,
    /// CPU seconds used, Black's first.
    pub(crate) used: [f64; 2],
    /// Seconds left, Black's first.
    pub(crate) left: [f64; 2],
    /// Number of moves, Black's first.
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
    /// Number of games with a [`missed_win`](PlayedGame::missed_win).
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

    /// Mean CPU seconds of a move, the first player's first.
    pub(crate) fn seconds_per_move(&self) -> [f64; 2] {
        [0, 1].map(|place: usize| self.used[place] / self.moves[place].max(1) as f64)
    }

    /// Number of turns of both players in all games.
    pub(crate) fn turns(&self) -> usize {
        self.moves.iter().sum()
    }

    /// Share of points; a draw is half a point.
    pub(crate) fn share(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games().max(1) as f64
    }

    /// Share of points by the course's rule: a draw goes to the side with more time left (§3).
    pub(crate) fn course_share(&self) -> f64 {
        (self.wins + self.draws_on_time) as f64 / self.games().max(1) as f64
    }

    /// Returns the share of points with its error and the number of games: `57.0 % ± 4.8 of 200 games (+60 =108 -32)`.
    pub(crate) fn points(&self) -> String {
        let &Tally { wins, draws, losses, .. } = self;
        let [share, error] = [self.share(), self.error()].map(|share| 100.0 * share);
        format!("{share:.1} % ± {error:.1} of {} games (+{wins} ={draws} -{losses})", self.games())
    }

    /// Half-width of the 95 % interval of [`share`](Self::share), computed over pairs.
    pub(crate) fn error(&self) -> f64 {
        self.pairs.error()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.games().max(1);
        let percent = |share: f64| 100.0 * share;
        writeln!(
            f,
            "+{} ={} -{}  points {:.1} % ± {:.1}  course {:.1} %",
            self.wins,
            self.draws,
            self.losses,
            percent(self.share()),
            percent(self.error()),
            percent(self.course_share()),
        )?;
        let PairCounts([none, half, one, three_halves, two]) = self.pairs;
        write!(f, "pairs of 0 0.5 1 1.5 2 points: {none} {half} {one} {three_halves} {two}  Elo ")?;
        match self.pairs.elo() {
            Some(EloDifference { difference, error }) => writeln!(f, "{difference:+.1} ± {error:.1}")?,
            None => writeln!(f, "unknown")?,
        }
        let [first, second] = self.seconds_per_move().map(|seconds| 1000.0 * seconds);
        writeln!(
            f,
            "{:.2} and {:.2} s a game, most {:.2} and {:.2}; {first:.2} and {second:.2} ms a move; {} turns a game",
            self.used[0] / games as f64,
            self.used[1] / games as f64,
            self.most[0],
            self.most[1],
            self.turns() / games,
        )?;
        write!(
            f,
            "{} drawn by quiet turns, {} won positions not won, {} and {} out of time",
            self.by_quiet_turns, self.missed_wins, self.late[0], self.late[1],
        )
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
