//! Plays the games of a match on several threads.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use kingline::game::{Color, Game};

use super::sprt::{Sprt, Verdict};
use super::tally::{PlayedGame, Tally};
use crate::progress::Progress;
use crate::threads::Threads;

/// Plays each opening twice, with colors exchanged, on `threads`. `play` plays one game, given the first player's
/// color, the opening and the number of the game.
pub(crate) fn play_match<G: Game + Sync>(
    openings: &[G],
    threads: Threads,
    title: &str,
    play: impl Fn(Color, G, u64) -> PlayedGame + Sync,
) -> Tally {
    play_until_sure(openings, threads, title, None, play)
}

/// Plays a match. If there is a test, the match ends with the opening that decides it.
///
/// Openings count in order, so that the tally does not depend on which games end first. Later games that have begun by
/// then are played to their end but not counted.
pub(super) fn play_until_sure<G: Game + Sync>(
    openings: &[G],
    threads: Threads,
    title: &str,
    sprt: Option<Sprt>,
    play: impl Fn(Color, G, u64) -> PlayedGame + Sync,
) -> Tally {
    let games = 2 * openings.len();
    let scorer = Mutex::new(Scorer {
        tally: Tally::default(),
        ended: vec![None; games],
        sprt,
        sure: false,
        progress: Progress::new(title, games),
    });
    let _ = threads.each(games, |game| {
        let color = if game.is_multiple_of(2) { Color::Black } else { Color::White };
        let played = play(color, openings[game / 2], game as u64);
        scorer.lock().unwrap_or_else(PoisonError::into_inner).take(game, played)
    });
    scorer.into_inner().unwrap_or_else(PoisonError::into_inner).tally
}

/// Counts games in the order of their openings, whatever order they end in.
struct Scorer {
    tally: Tally,
    /// All games by number; opening k has games 2 k and 2 k + 1. `None` for unfinished games.
    ended: Vec<Option<PlayedGame>>,
    sprt: Option<Sprt>,
    /// True once the test has a verdict and no further game counts.
    sure: bool,
    progress: Progress,
}

impl Scorer {
    /// Takes a finished game. Breaks once no more games are needed.
    fn take(&mut self, game: usize, played: PlayedGame) -> ControlFlow<()> {
        self.ended[game] = Some(played);
        while !self.sure
            && let Some(pair) = self.next_pair()
        {
            self.tally.add_pair(pair);
            self.sure = self.sprt.is_some_and(|sprt| sprt.verdict(&self.tally.pairs) != Verdict::Undecided);
        }
        let Tally { wins, draws, losses, pairs, .. } = &self.tally;
        let mut note = format!("+{wins} ={draws} -{losses}");
        if let Some(sprt) = &self.sprt {
            let [lower, upper] = sprt.bounds();
            note += &format!(", LLR {:.2} ({lower:.2} to {upper:.2})", sprt.llr(pairs));
        }
        self.progress.step(&note);
        if self.sure { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns the first uncounted pair, if both games have ended.
    fn next_pair(&self) -> Option<[PlayedGame; 2]> {
        let black = 2 * self.tally.pairs.total();
        let &[black, white] = self.ended.get(black..black + 2)? else { return None };
        Some([black?, white?])
    }
}

/// Returns the two players by color, Black's first.
pub(super) fn by_color<T>(first: T, second: T, color: Color) -> [T; 2] {
    match color {
        Color::Black => [first, second],
        Color::White => [second, first],
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use kingline::checkers::Position;

    use super::super::sprt::EloPair;
    use super::*;

    /// Returns a game whose result depends on its number: the first player wins half of the games and draws the others.
    fn made_up(color: Color, game: u64) -> PlayedGame {
        PlayedGame { winner: game.is_multiple_of(4).then_some(color), turns: game as usize, ..PlayedGame::default() }
    }

    #[test]
    fn a_match_ends_with_the_same_opening_in_any_order_of_games() {
        let openings = [Position::start(); 200];
        let sprt = Sprt { elo: EloPair { elo0: 0.0, elo1: 50.0 }, alpha: 0.05, beta: 0.05 };
        let play = |count: usize, slow: fn(u64) -> u64| {
            play_until_sure(&openings, Threads { count }, "test", Some(sprt), |color, _, game| {
                std::thread::sleep(Duration::from_micros(slow(game)));
                made_up(color, game)
            })
        };
        let alone = play(1, |_| 0);
        let pairs = alone.pairs.total();
        assert!((10..100).contains(&pairs), "{alone:?}");
        assert_eq!(sprt.verdict(&alone.pairs), Verdict::H1);
        // In the first run, the first games end last; in the second, odd-numbered games do.
        for slow in [|game| if game < 3 { 20_000 } else { 0 }, |game| game % 2 * 500] {
            assert_eq!(format!("{:?}", play(4, slow)), format!("{alone:?}"));
        }
    }

    #[test]
    fn without_a_test_all_games_count() {
        let openings = [Position::start(); 20];
        let tally = play_match(&openings, Threads { count: 3 }, "test", |color, _, game| made_up(color, game));
        assert_eq!((tally.games(), tally.turns, tally.pairs.total()), (40, 780, 20));
        let none = play_match(&openings[..0], Threads { count: 3 }, "test", |color, _, game| made_up(color, game));
        assert_eq!((none.games(), none.error()), (0, 0.0));
    }
}
