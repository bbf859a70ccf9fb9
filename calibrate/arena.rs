//! Games between players in this process: to choose the numbers of the search and of the plan.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kingline::agent::{self, Calibration, Mode, Plan, Playdata, Request};
use kingline::checkers::{HandWritten, Move, Position};
use kingline::clock::Clock;
use kingline::game::{Color, DrawReason, Ending, Game, History};
use kingline::reference;
use kingline::search::{Limits, Params, Searcher, Table, Unwatched};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::Deserialize;

use crate::progress::Progress;

/// A player, as JSON: `{"nodes": 20000}`, `{"seconds": 60, "frugality": 0.5}`, `{"reference": true,
/// "seconds": 300}`, each with search parameters to change: `{"params": {"prob_cut": null}}`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Player {
    params: Params,
    /// Nodes a move; the clock does not count then.
    nodes: Option<u64>,
    /// CPU seconds a game.
    seconds: f64,
    frugality: Option<f64>,
    /// The plain minimax.
    reference: bool,
}

impl Player {
    /// The default player with this clock for a game, in CPU seconds; `frugality` `None`: the default.
    pub(crate) fn with_clock(seconds: f64, frugality: Option<f64>) -> Player {
        Player { seconds, frugality, ..Player::default() }
    }
}

/// A game's result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Played {
    /// The side that won on the board or by the other's clock; none for a draw.
    pub(crate) winner: Option<Color>,
    pub(crate) draw: Option<DrawReason>,
    /// Time used, Black's first.
    pub(crate) used: [Duration; 2],
    /// Time left, Black's first.
    pub(crate) left: [f64; 2],
    pub(crate) turns: usize,
    /// The side that ran out of time.
    pub(crate) late: Option<Color>,
    /// A side whose own search called its position won, but that did not win.
    pub(crate) given_away: bool,
}

/// One player's state in a game.
struct Seat<'a> {
    player: &'a Player,
    used: Duration,
    known: Option<Playdata>,
    saw_win: bool,
    rng: StdRng,
}

impl Seat<'_> {
    fn choose(&mut self, history: &History<Position>) -> Option<Move> {
        let began = Clock::Thread.now();
        let left = Duration::from_secs_f64(self.player.seconds).saturating_sub(self.used);
        let position = history.position();
        if self.player.reference {
            let mv = reference::choose(&position, left, &mut self.rng);
            self.used += Clock::Thread.now() - began;
            return mv;
        }
        let answer = if let Some(nodes) = self.player.nodes {
            let mut searcher = Searcher::new(HandWritten, self.player.params, Table::with_limit(16 << 20));
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let report = searcher.search(history, limits, &mut Unwatched);
            (*report.principal_variation.first()?, Some(report))
        } else {
            let request = Request { mode: Mode::Game, left, position, warnings: Vec::new() };
            let mut calibration = Calibration::default();
            calibration.frugality = self.player.frugality.unwrap_or(calibration.frugality);
            let score = self.known.as_ref().and_then(|known| known.score);
            let playdata = Playdata { history: history.clone(), spent: self.used, score };
            let plan = Plan::new(&request, &calibration, &playdata);
            let answer = agent::choose(history, self.player.params, plan, Clock::Thread, began, &mut |_| ())?;
            self.known = Some(playdata.after(answer.0, answer.1.as_ref(), Duration::ZERO));
            answer
        };
        self.saw_win |= answer.1.is_some_and(|report| report.score.is_win());
        self.used += Clock::Thread.now() - began;
        Some(answer.0)
    }
}

/// Plays one game from `opening`.
pub(crate) fn play(players: [&Player; 2], opening: Position, seed: u64) -> Played {
    let mut seats = players.map(|player| Seat {
        player,
        used: Duration::ZERO,
        known: None,
        saw_win: false,
        rng: StdRng::seed_from_u64(seed),
    });
    let mut history = History::new(opening);
    let mut turns = 0;
    let mut late = None;
    let ending = loop {
        if let Some(ending) = history.ending() {
            break ending;
        }
        let turn = history.position().turn();
        let seat = &mut seats[turn.index()];
        let Some(mv) = seat.choose(&history) else { break Ending::Win(!turn) };
        if seat.player.nodes.is_none() && seat.used.as_secs_f64() >= seat.player.seconds {
            late = Some(turn);
            break Ending::Win(!turn);
        }
        history.play(mv);
        turns += 1;
    };
    let (winner, draw) = match ending {
        Ending::Win(color) => (Some(color), None),
        Ending::Draw(reason) => (None, Some(reason)),
    };
    let given_away =
        Color::ALL.into_iter().any(|color| seats[color.index()].saw_win && winner != Some(color) && late.is_none());
    let used = [seats[0].used, seats[1].used];
    let left = [0, 1].map(|index: usize| players[index].seconds - used[index].as_secs_f64());
    Played { winner, draw, used, left, turns, late, given_away }
}

/// The first player's results against the second.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) wins: usize,
    pub(crate) losses: usize,
    pub(crate) draws: usize,
    /// Drawn games in which the first player had more time left.
    pub(crate) draws_on_time: usize,
    pub(crate) by_quiet_turns: usize,
    pub(crate) given_away: usize,
    /// Games lost on time, the first player's first.
    pub(crate) late: [usize; 2],
    /// CPU seconds in all, the first player's first.
    pub(crate) used: [f64; 2],
    /// The most that one game took, likewise.
    pub(crate) most: [f64; 2],
    pub(crate) turns: usize,
}

impl Tally {
    pub(crate) fn games(&self) -> usize {
        self.wins + self.losses + self.draws
    }

    fn add(&mut self, played: Played, first: Color) {
        match played.winner {
            Some(color) if color == first => self.wins += 1,
            Some(_) => self.losses += 1,
            None => {
                self.draws += 1;
                self.draws_on_time += usize::from(played.left[first.index()] > played.left[(!first).index()]);
                self.by_quiet_turns += usize::from(played.draw == Some(DrawReason::QuietTurns));
            }
        }
        self.given_away += usize::from(played.given_away);
        self.turns += played.turns;
        for (place, color) in [first, !first].into_iter().enumerate() {
            let used = played.used[color.index()].as_secs_f64();
            self.late[place] += usize::from(played.late == Some(color));
            self.used[place] += used;
            self.most[place] = self.most[place].max(used);
        }
    }

    /// Share of points, a draw being half of one.
    pub(crate) fn share(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games().max(1) as f64
    }

    /// Share of points by the course's count: a draw goes to the side with more time left (§3).
    pub(crate) fn course_share(&self) -> f64 {
        (self.wins + self.draws_on_time) as f64 / self.games().max(1) as f64
    }

    /// Half of the 95 % interval of [`share`](Self::share).
    pub(crate) fn error(&self) -> f64 {
        let games = self.games().max(1) as f64;
        let share = self.share();
        let square = self.wins as f64 * (1.0 - share).powi(2)
            + self.draws as f64 * (0.5 - share).powi(2)
            + self.losses as f64 * share.powi(2);
        1.96 * (square / games / games).sqrt()
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
        writeln!(
            f,
            "{:.2} and {:.2} s a game, most {:.2} and {:.2}; {} turns a game",
            self.used[0] / games as f64,
            self.used[1] / games as f64,
            self.most[0],
            self.most[1],
            self.turns / games,
        )?;
        write!(
            f,
            "{} drawn by quiet turns, {} won positions given away, {} and {} late",
            self.by_quiet_turns, self.given_away, self.late[0], self.late[1],
        )
    }
}

/// Plays each opening twice, colors exchanged, on `threads` threads.
pub(crate) fn match_up(first: &Player, second: &Player, openings: &[Position], threads: usize, title: &str) -> Tally {
    let tally = Mutex::new(Tally::default());
    let next = AtomicUsize::new(0);
    let progress = Mutex::new(Progress::new(title, 2 * openings.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&opening) = openings.get(game / 2) else { break };
                    let (players, color) = if game.is_multiple_of(2) {
                        ([first, second], Color::Black)
                    } else {
                        ([second, first], Color::White)
                    };
                    let played = play(players, opening, game as u64);
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
