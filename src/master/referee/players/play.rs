//! A game between two agents, using its league's protocol.

use std::time::Duration;

use super::console::ConsolePlayer;
use super::contestant::Contestant;
use super::limits::TRIES;
use super::request::RequestPlayer;
use super::turn_files::TurnFilesPlayer;
use crate::league::{GameKind, League, Protocol};
use crate::record::{EndReason, Evidence, Failure, GameRecord};
use crate::referee::NoObserver;
use crate::referee::game::{GameSetup, referee};
use crate::referee::observer::{AnyGameObserver, GameObserver};
use crate::referee::player::Player;
use crate::sandbox::{Cell, Workspace};
use kingline::draw::Board;
use kingline::game::Color;
use kingline::{checkers, loa};

/// Plays a game between Black and White in this thread. `budgets` are their times for the game, if the league limits
/// them; `seed` determines the opening and the referee's own moves. If the referee itself fails, the verdict says so.
///
/// If the machine is so busy that it spoils a turn, the turn is played again. In protocols with one process per game,
/// the whole game is played again.
pub fn play<S: AnyGameObserver>(
    workspace: Workspace,
    league: &League,
    contestants: [&Contestant; 2],
    budgets: [Option<Duration>; 2],
    seed: u64,
    observer: &mut S,
) -> GameRecord {
    let seats = Seats { workspace, contestants, budgets, seed, tier: league.measurement(workspace.sandbox) };
    let league = &*league.here(workspace.sandbox);
    let [black, white] = contestants;
    let mut tries = match league.protocol {
        Protocol::TurnFiles | Protocol::Request => 1,
        Protocol::Console2020 | Protocol::Console2015 => TRIES,
    };
    loop {
        let [a, b] = match seats.cells(league) {
            Ok(cells) => cells,
            Err(error) => return seats.failed(league, error),
        };
        let setup = seats.setup();
        let record = match (league.game, league.protocol) {
            (GameKind::Checkers, Protocol::TurnFiles) => seat::<checkers::Position>(
                league,
                setup,
                TurnFilesPlayer::new(black, league, a),
                TurnFilesPlayer::new(white, league, b),
                observer,
            ),
            (GameKind::Loa6, Protocol::Request) => seat::<loa::Position<6>>(
                league,
                setup,
                RequestPlayer::new(black, league, a),
                RequestPlayer::new(white, league, b),
                observer,
            ),
            (GameKind::Loa, Protocol::Console2020 | Protocol::Console2015) => seat::<loa::Position<8>>(
                league,
                setup,
                ConsolePlayer::new(black, league, a),
                ConsolePlayer::new(white, league, b),
                observer,
            ),
            (game, protocol) => seats.failed(league, anyhow::anyhow!("{game} is not played through {protocol:?}")),
        };
        tries -= 1;
        let is_spoiled = matches!(record.verdict.reason, EndReason::Failed(Failure::Overloaded { .. }));
        if tries == 0 || !is_spoiled {
            return record;
        }
    }
}

/// Plays a game of checkers through turn files as [`play`] does; returns what each side found and left in its last turn
/// as well.
pub fn play_for_evidence(
    workspace: Workspace,
    league: &League,
    contestants: [&Contestant; 2],
    budgets: [Option<Duration>; 2],
    seed: u64,
) -> (GameRecord, [Option<Evidence>; 2]) {
    let seats = Seats { workspace, contestants, budgets, seed, tier: league.measurement(workspace.sandbox) };
    let league = &*league.here(workspace.sandbox);
    let [a, b] = match seats.cells(league) {
        Ok(cells) => cells,
        Err(error) => return (seats.failed(league, error), [None, None]),
    };
    let [black, white] = contestants;
    let (mut black, mut white) = (TurnFilesPlayer::new(black, league, a), TurnFilesPlayer::new(white, league, b));
    let record = referee(league, seats.setup(), [&mut black, &mut white], &mut NoObserver);
    (record, [black.into_evidence(), white.into_evidence()])
}

/// The two sides of a game, and its terms.
struct Seats<'a> {
    workspace: Workspace<'a>,
    contestants: [&'a Contestant; 2],
    budgets: [Option<Duration>; 2],
    seed: u64,
    tier: String,
}

impl Seats<'_> {
    fn cells(&self, league: &League) -> anyhow::Result<[Cell; 2]> {
        let cell = |side: Color| self.workspace.cell(side, &league.limits, self.contestants[side.index()]);
        Ok([cell(Color::Black)?, cell(Color::White)?])
    }

    fn setup(&self) -> GameSetup {
        let names = self.contestants.map(|contestant| contestant.agent().name.clone());
        GameSetup { names, budgets: self.budgets, seed: self.seed, tier: self.tier.clone() }
    }

    /// The record of a game that the referee could not play.
    fn failed(&self, league: &League, error: anyhow::Error) -> GameRecord {
        let GameSetup { names, seed, tier, .. } = self.setup();
        GameRecord::failed(league, names, seed, tier, error)
    }
}

fn seat<G: Board>(
    league: &League,
    setup: GameSetup,
    mut black: impl Player<G>,
    mut white: impl Player<G>,
    observer: &mut dyn GameObserver<G>,
) -> GameRecord {
    referee(league, setup, [&mut black, &mut white], observer)
}
