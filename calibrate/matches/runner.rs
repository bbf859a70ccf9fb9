//! How are the games of a match played, several at a time?

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use kingline::game::{Color, Game};

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
    let tally = Mutex::new(Tally::default());
    let next = AtomicUsize::new(0);
    let progress = Mutex::new(Progress::new(title, 2 * openings.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&opening) = openings.get(game / 2) else { break };
                    let color = if game.is_multiple_of(2) { Color::Black } else { Color::White };
                    let played = play(color, opening, game as u64);
                    if let (Ok(mut tally), Ok(mut progress)) = (tally.lock(), progress.lock()) {
                        tally.add(played, color);
                        let note = format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
                        progress.step(&note);
                    }
                }
            });
        }
    });
    tally.into_inner().unwrap_or_default()
}

/// The two players by color: Black's first.
pub(super) fn by_color<T>(first: T, second: T, color: Color) -> [T; 2] {
    match color {
        Color::Black => [first, second],
        Color::White => [second, first],
    }
}
