//! `calibrate wins play`: how many won positions does the player win, against itself?

use std::time::Duration;

use anyhow::{Result, ensure};
use kingline::clock::Clock;
use kingline::game::{Ending, Game, History};
use kingline::score::Score;
use kingline::search::Limits;
use kingline_players::figures::{Figure, FiguresOption, Topic};
use kingline_players::play::LoaPlayer;
use kingline_players::terminal::stdout_line;

use super::PositionsArguments;
use super::lines::{self, Win, Won};
use crate::threads::Threads;
use kingline_players::exit::BadInput;

/// Number of plies after which a game is drawn.
const LONGEST: u16 = 200;
/// Size of each player's tables, in bytes.
const TABLE: usize = 64 << 20;

/// Course of a game.
struct Played {
    won: bool,
    lost: bool,
    /// True if the winner announced a win on its first turn.
    announced_at_once: bool,
}

/// Plays all positions out, prints and records the result.
///
/// # Errors
/// Fails if the file cannot be read or is wrong.
pub(super) fn run(arguments: &PositionsArguments, seconds: f64, figures: &FiguresOption) -> Result<()> {
    ensure!(seconds > 0.0 && seconds <= 1e6, BadInput::new(format!("found {seconds} seconds, expected above 0")));
    let time = Duration::from_secs_f64(seconds);
    let positions = lines::read(&arguments.file)?;
    let played = Threads::new(arguments.threads).map(&positions, |won| {
        Ok(match won {
            Won::Large(win) => play(win, time),
            Won::Small(win) => play(win, time),
        })
    })?;
    let count = |of: fn(&Played) -> bool| played.iter().filter(|played| of(played)).count();
    let (won, lost) = (count(|played| played.won), count(|played| played.lost));
    let (all, at_once) = (positions.len(), count(|played| played.announced_at_once));
    let left = all - won - lost;
    let measured = format!("{won} of {all} won, {lost} lost, {left} not ended; the win announced at once in {at_once}");
    stdout_line(&measured)?;
    let name = format!("{all} positions with a proved win played out, {seconds} s a move for both sides");
    let figure = Figure::new(name, measured).against("none lost", lost == 0);
    figures.record(Topic::Strength, [figure])
}

fn play<const N: usize>(win: &Win<N>, time: Duration) -> Played {
    let mut players = [1, 2].map(|variety| LoaPlayer::<N>::new(variety, TABLE));
    let mut history = History::new(win.position);
    let mut announced_at_once = false;
    for ply in 0..LONGEST {
        if let Some(ending) = history.ending() {
            let won = ending == Ending::Win(win.position.turn());
            return Played { won, lost: !won, announced_at_once };
        }
        let limits = Limits::until(Clock::Thread, Clock::Thread.now() + time);
        let limits = Limits { game_plies: Some(LONGEST - ply), ..limits };
        let Some(choice) = players[usize::from(ply % 2)].choose(&history, limits) else { break };
        announced_at_once |= ply == 0 && choice.why.score().is_some_and(Score::is_win);
        history.play(choice.best);
    }
    let ended = history.ending().map(|ending| ending == Ending::Win(win.position.turn()));
    Played { won: ended == Some(true), lost: ended == Some(false), announced_at_once }
}
