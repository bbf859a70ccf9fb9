//! How are the games of a match played, several at a time, and when does it end?

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use kingline::game::{Color, Game};

use super::sprt::{Sprt, Verdict};
use super::tally::{PlayedGame, Tally};
use crate::progress::Progress;

/// Plays each opening twice, colors exchanged, on `threads` threads. `play` plays one game: it gets the first player's
/// color, the opening and the number of the game.
pub(crate) fn play_match<G: Game + Sync>(
    openings: &[G],
    threads: usize,
    title: &str,
    play: impl Fn(Color, G, u64) -> PlayedGame + Sync,
) -> Tally {
    play_until_sure(openings, threads, title, None, play)
}

/// [`play_match`] that ends with the opening whose two games make the test sure, if there is a test.
///
/// Openings count in their order, so that the tally does not depend on which games end first. Later games that have
/// begun by then are played to their end and not counted.
pub(super) fn play_until_sure<G: Game + Sync>(
    openings: &[G],
    threads: usize,
    title: &str,
    sprt: Option<Sprt>,
    play: impl Fn(Color, G, u64) -> PlayedGame + Sync,
) -> Tally {
    let games = 2 * openings.len();
    let next = AtomicUsize::new(0);
    let scorer = Mutex::new(Scorer {
        tally: Tally::default(),
        ended: vec![None; games],
        sprt,
        sure: false,
        progress: Progress::new(title, games),
    });
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&opening) = openings.get(game / 2) else { break };
                    let color = if game.is_multiple_of(2) { Color::Black } else { Color::White };
                    let played = play(color, opening, game as u64);
                    let mut scorer = scorer.lock().unwrap_or_else(PoisonError::into_inner);
                    if scorer.take(game, played).is_break() {
                        break;
                    }
                }
            });
        }
    });
    scorer.into_inner().unwrap_or_else(PoisonError::into_inner).tally
}

/// Counts games in the order of their openings, in whatever order they end.
struct Scorer {
    tally: Tally,
    /// All games by number, 2 k and 2 k + 1 of opening k; none for those that have not ended.
    ended: Vec<Option<PlayedGame>>,
    sprt: Option<Sprt>,
    /// Whether the test has its verdict, so that nothing counts any more.
    sure: bool,
    progress: Progress,
}

impl Scorer {
    /// Takes a game that has ended; breaks once no more games are needed.
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

    /// The first pair that is not counted, if both games have ended.
    fn next_pair(&self) -> Option<[PlayedGame; 2]> {
        let black = 2 * self.tally.pairs.total();
        let &[black, white] = self.ended.get(black..black + 2)? else { return None };
        Some([black?, white?])
    }
}

/// The two players by color: Black's first.
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

    /// A game whose result its number gives: the first player wins half of them and draws the others.
    fn made_up(color: Color, game: u64) -> PlayedGame {
        PlayedGame { winner: game.is_multiple_of(4).then_some(color), turns: game as usize, ..PlayedGame::default() }
    }

    #[test]
    fn a_match_ends_with_the_same_opening_whatever_ends_first() {
        let openings = [Position::start(); 200];
        let sprt = Sprt { elo: EloPair { elo0: 0.0, elo1: 50.0 }, alpha: 0.05, beta: 0.05 };
        let play = |threads: usize, slow: fn(u64) -> u64| {
            play_until_sure(&openings, threads, "test", Some(sprt), |color, _, game| {
                std::thread::sleep(Duration::from_micros(slow(game)));
                made_up(color, game)
            })
        };
        let alone = play(1, |_| 0);
        let pairs = alone.pairs.total();
        assert!((10..100).contains(&pairs), "{alone:?}");
        assert_eq!(sprt.verdict(&alone.pairs), Verdict::H1);
        // The first games end last; then games of odd numbers do.
        for slow in [|game| if game < 3 { 20_000 } else { 0 }, |game| game % 2 * 500] {
            assert_eq!(format!("{:?}", play(4, slow)), format!("{alone:?}"));
        }
    }

    #[test]
    fn without_a_test_all_games_count() {
        let openings = [Position::start(); 20];
        let tally = play_match(&openings, 3, "test", |color, _, game| made_up(color, game));
        assert_eq!((tally.games(), tally.turns, tally.pairs.total()), (40, 780, 20));
        let none = play_match(&openings[..0], 3, "test", |color, _, game| made_up(color, game));
        assert_eq!((none.games(), none.error()), (0, 0.0));
    }
}
