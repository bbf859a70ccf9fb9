//! Results of complete games: against the reference through files, and against the same engine without frugality.

use anyhow::Result;
use kingline::checkers::Position;
use kingline::game::{Color, Ending, Game, History};
use kingline_players::figures::Figure;

use crate::agent_dir::AgentDir;
use crate::matches::checkers::CheckersPlayer;
use crate::matches::{Match, Player};
use crate::progress::Progress;
use crate::threads::Threads;
use crate::{openings, program};

/// Budgets of the games against the reference, in seconds.
const BUDGETS: [f64; 5] = [300.0, 100.0, 30.0, 5.0, 1.0];
/// Number of openings at each budget; each is played with both colors.
const OPENINGS: usize = 4;
/// Budgets of `homework` in games on a tiny clock, in seconds, each with the smallest number of wins in 100 games.
const TINY_BUDGETS: [(f64, usize); 2] = [(0.3, 100), (0.1, 90)];
/// Budget of the reference in these games, in seconds.
const FULL_BUDGET: f64 = 300.0;
/// Number of openings at each tiny budget; each is played with both colors.
const TINY_OPENINGS: usize = 20;

/// Result of a game for `homework`, by the course's rule (§3).
#[derive(Clone, Copy, PartialEq, Eq)]
enum CourseResult {
    Won,
    DrawnWithMoreTime,
    DrawnWithLessTime,
    Lost,
    LostOnTime,
}

pub(super) fn against_reference() -> Result<Vec<Figure>> {
    let folders = [AgentDir::new("black")?, AgentDir::new("white")?];
    let positions = openings::openings(openings::BALLOTS, BUDGETS.len() * OPENINGS, 40);
    let mut results = Vec::new();
    let mut most_at_300 = 0.0f64;
    let mut progress = Progress::new("reference", 2 * positions.len());
    for (index, opening) in positions.into_iter().enumerate() {
        let budget = BUDGETS[index / OPENINGS];
        for color in Color::ALL {
            let (result, used) = by_files(&folders, color, opening, [budget; 2], index as u64)?;
            if index / OPENINGS == 0 {
                most_at_300 = most_at_300.max(used);
            }
            results.push(result);
            progress.step("");
        }
    }
    drop(progress);
    let count = |wanted| results.iter().filter(|&&result| result == wanted).count();
    let (games, won, on_time) = (results.len(), count(CourseResult::Won), count(CourseResult::DrawnWithMoreTime));
    let measured = format!("{won} of {games} on the board, {on_time} on time");
    let target = "all won, at least 95 % on the board";
    let met = won + on_time == games && won * 100 >= games * 95;
    let time = format!("{most_at_300:.2} s");
    Ok(vec![
        Figure::new(format!("{games} games against `reference` by files, at 300, 100, 30, 5 and 1 s"), measured)
            .against(target, met),
        Figure::new("most CPU time of a game among them at 300 s", time).against("at most 3 s", most_at_300 <= 3.0),
    ])
}

/// Plays games with hardly any time for `homework` and the usual time for the reference.
pub(super) fn on_tiny_clocks() -> Result<Vec<Figure>> {
    let folders = [AgentDir::new("black")?, AgentDir::new("white")?];
    let openings = openings::openings(openings::BALLOTS, TINY_OPENINGS, 40);
    let mut progress = Progress::new("tiny clocks", 2 * TINY_BUDGETS.len() * openings.len());
    let mut figures = Vec::new();
    for (budget, least) in TINY_BUDGETS {
        let mut results = Vec::new();
        for (number, &opening) in (0..).zip(&openings) {
            for color in Color::ALL {
                results.push(by_files(&folders, color, opening, [budget, FULL_BUDGET], number)?.0);
                progress.step("");
            }
        }
        let count = |wanted| results.iter().filter(|&&result| result == wanted).count();
        let (games, won, late) = (results.len(), count(CourseResult::Won), count(CourseResult::LostOnTime));
        let name = format!("{games} games against `reference` by files, {budget} s against {FULL_BUDGET} s");
        let target = format!("at least {least} % won, none lost on time");
        let met = won * 100 >= games * least && late == 0;
        figures.push(Figure::new(name, format!("{won} won on the board, {late} lost on time")).against(target, met));
    }
    Ok(figures)
}

/// Plays one game between `homework`, which has `color` and the first of the budgets, and `reference`. Returns its
/// result and its CPU seconds.
fn by_files(
    folders: &[AgentDir; 2],
    color: Color,
    opening: Position,
    [ours, theirs]: [f64; 2],
    seed: u64,
) -> Result<(CourseResult, f64)> {
    let homework = program::sibling("homework")?;
    let reference = program::sibling("reference")?;
    let seed = seed.to_string();
    let mut left = [theirs; 2];
    left[color.index()] = ours;
    let mut history = History::new(opening);
    for folder in folders {
        folder.forget_game();
    }
    let used = |left: [f64; 2]| ours - left[color.index()];
    let winner = loop {
        match history.ending() {
            Some(Ending::Win(winner)) => break Some(winner),
            Some(Ending::Draw(_)) => break None,
            None => {}
        }
        let position = history.position();
        let turn = position.turn();
        let folder = &folders[turn.index()];
        folder.ask("GAME", &position, left[turn.index()])?;
        let run = if turn == color {
            program::run(&homework, &[], folder.path())?
        } else {
            program::run(&reference, &["--seed", &seed], folder.path())?
        };
        left[turn.index()] -= run.cpu.as_secs_f64();
        if left[turn.index()] <= 0.0 && turn == color {
            return Ok((CourseResult::LostOnTime, used(left)));
        }
        if left[turn.index()] <= 0.0 {
            break Some(!turn);
        }
        let Ok(mv) = folder.answer(&position) else { break Some(!turn) };
        history.play(mv);
    };
    let has_more = left[color.index()] > left[(!color).index()];
    let result = match winner {
        Some(winner) if winner == color => CourseResult::Won,
        Some(_) => CourseResult::Lost,
        None if has_more => CourseResult::DrawnWithMoreTime,
        None => CourseResult::DrawnWithLessTime,
    };
    Ok((result, used(left)))
}

/// Plays 100 games at 60 s between the default frugality and frugality 0.
pub(super) fn frugality() -> Result<Vec<Figure>> {
    let frugal = CheckersPlayer::with_clock(60.0, None);
    let spender = CheckersPlayer::with_clock(60.0, Some(0.0));
    let openings = openings::openings(openings::BALLOTS, 50, 60);
    let threads = Threads { count: 2 };
    let the_match = Match { openings: &openings, threads, title: "frugality", sprt: None, record: None };
    let tally =
        the_match.play(|color, opening, game| CheckersPlayer::play([&frugal, &spender], color, opening, game))?;
    let measured = format!(
        "{:.0} % of {} games (+{} ={} -{}, {} draws with more time; {:.2} s a game against {:.1} s)",
        100.0 * tally.course_share(),
        tally.games(),
        tally.wins,
        tally.draws,
        tally.losses,
        tally.draws_on_time,
        tally.used[0] / tally.games().max(1) as f64,
        tally.used[1] / tally.games().max(1) as f64,
    );
    Ok(vec![
        Figure::new("default frugality against frugality 0 at 60 s, course score", measured)
            .against("at least 60 %", tally.course_share() >= 0.6),
        Figure::new("won positions not won in those games", tally.missed_wins.to_string())
            .against("none", tally.missed_wins == 0),
    ])
}
