//! Share of 6x6 Lines of Action positions that the solver decides within a second.

use std::time::Duration;

use kingline::clock::Clock;
use kingline::evaluate::loa::Evaluation;
use kingline::game::{History, random_opening};
use kingline::loa::Position;
use kingline::search::{Limits, Prover};
use kingline_players::figures::Figure;
use kingline_players::play::LoaPlayer;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::progress::Progress;

type Game6 = History<Position<6>>;

/// Number of plies from the start to the positions.
const PLIES: usize = 14;
/// Number of random plies at the start of games between fast players.
const OPENING: usize = 4;
/// Nodes per move in those games.
const NODES: u64 = 2000;
const POSITIONS: usize = 200;
const TIME: Duration = Duration::from_secs(1);
const TABLE: usize = 256 << 20;

/// Solves positions from games between fast players and, for comparison, from games of random moves.
pub(super) fn decided() -> Figure {
    let (won, lost) = results("solver, play", &games(OPENING));
    let (won_random, lost_random) = results("solver, random play", &games(PLIES));
    let share = |decided: usize| 100.0 * decided as f64 / POSITIONS as f64;
    let measured = format!(
        "{:.1} % ({won} won, {lost} lost); after random play {:.1} % ({won_random} won, {lost_random} lost)",
        share(won + lost),
        share(won_random + lost_random),
    );
    let name = format!("{POSITIONS} 6x6 positions {PLIES} plies into play, decided in 1 CPU second each");
    Figure::new(name, measured).against("at least 95 %", share(won + lost) >= 95.0)
}

/// Returns unfinished games of [`PLIES`] plies, the first `random` of them random.
fn games(random: usize) -> Vec<Game6> {
    let mut rng = StdRng::seed_from_u64(14);
    let mut found = Vec::new();
    for variety in 1.. {
        if found.len() == POSITIONS {
            break;
        }
        found.extend(game(&mut rng, random, variety).filter(|game| game.ending().is_none()));
    }
    found
}

/// Returns a game, or `None` if it ended early.
fn game(rng: &mut StdRng, random: usize, variety: u64) -> Option<Game6> {
    let mut players = [2 * variety, 2 * variety + 1].map(|variety| LoaPlayer::new(variety, 1 << 20));
    let mut game = random_opening(random, |moves| rng.random_range(0..moves))?.history;
    for ply in random..PLIES {
        if game.ending().is_some() {
            return None;
        }
        game.play(players[ply % 2].choose(&game, Limits::nodes(NODES))?.best);
    }
    Some(game)
}

/// Returns the number of proved wins and of proved losses for the side to move.
fn results(name: &str, games: &[Game6]) -> (usize, usize) {
    let (mut won, mut lost) = (0, 0);
    let mut progress = Progress::new(name, games.len());
    for game in games {
        let mut prover = Prover::new(Evaluation::default()).with_table_limit(TABLE);
        let limits = Limits::until(Clock::Thread, Clock::Thread.now() + TIME);
        if let Some(score) = prover.prove(game, limits, &mut ()).score {
            won += usize::from(score.is_win());
            lost += usize::from(score.is_loss());
        }
        progress.step(&format!("{won} won, {lost} lost"));
    }
    (won, lost)
}
