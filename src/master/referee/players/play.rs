//! A game between agents or persons, using its league's protocol.

use std::time::Duration;

use anyhow::bail;

use super::console::ConsolePlayer;
use super::contestant::Contestant;
use super::request::RequestPlayer;
use super::turn_files::TurnFilesPlayer;
use super::violation::TRIES;
use crate::league::clock_rules::Spent;
use crate::league::{League, Protocol};
use crate::record::{EndReason, Evidence, Failure, FaultKind, GameRecord, Violation};
use crate::referee::NoObserver;
use crate::referee::game::{GameSetup, referee};
use crate::referee::player::{Answer, AnyGameObserver, Ask, GameEnd, GameObserver, Player};
use crate::sandbox::{Cell, Workspace};
use kingline::draw::Board;
use kingline::game::Color;
use kingline::{checkers, loa};
use kingline_players::game_name::GameName;

/// A side of a game.
#[derive(Clone, Copy)]
pub enum Seat<'a> {
    /// An agent.
    Agent(&'a Contestant),
    /// A person, without a clock.
    Person(&'a dyn Person),
}

const PERSON: &str = "human";

impl Seat<'_> {
    /// Name of the player.
    pub fn name(&self) -> &str {
        match self {
            Seat::Agent(contestant) => &contestant.agent().name,
            Seat::Person(_) => PERSON,
        }
    }
}

/// Plays a game between Black and White in this thread. `budgets` are their times for the game, if the league limits
/// them; `seed` determines the opening and the referee's own moves. If the referee itself fails, the verdict says so.
///
/// If the machine is so busy that it spoils a turn, the turn is played again. In protocols with one process per game,
/// the whole game is played again.
pub fn play(
    workspace: Workspace,
    league: &League,
    seats: [Seat; 2],
    budgets: [Option<Duration>; 2],
    seed: u64,
    observer: &mut dyn AnyGameObserver,
) -> GameRecord {
    let setup = GameSetup {
        names: seats.map(|seat| seat.name().to_owned()),
        budgets: [0, 1].map(|side| budgets[side].filter(|_| matches!(seats[side], Seat::Agent(_)))),
        seed,
        tier: league.measurement(workspace.sandbox),
    };
    let room = Room { workspace, league: &league.here(workspace.sandbox), seats, setup };
    let mut tries = match league.protocol {
        Protocol::TurnFiles | Protocol::Request => 1,
        Protocol::Console2020 | Protocol::Console2015 => TRIES,
    };
    loop {
        let played = match (league.game, league.protocol) {
            (GameName::Checkers, Protocol::TurnFiles) => {
                room.game::<checkers::Position, _>(TurnFilesPlayer::new, observer)
            }
            (GameName::Loa6, Protocol::Request) => room.game::<loa::Position<6>, _>(RequestPlayer::new, observer),
            (GameName::Loa, Protocol::Console2020 | Protocol::Console2015) => {
                room.game::<loa::Position<8>, _>(ConsolePlayer::new, observer)
            }
            (game, protocol) => Err(anyhow::anyhow!("{game} is not played through {protocol:?}")),
        };
        let record = played.unwrap_or_else(|error| room.failed(error));
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
    let setup = GameSetup {
        names: contestants.map(|contestant| contestant.agent().name.clone()),
        budgets,
        seed,
        tier: league.measurement(workspace.sandbox),
    };
    let room = Room { workspace, league: &league.here(workspace.sandbox), seats: contestants.map(Seat::Agent), setup };
    let [black, white] = contestants;
    let [a, b] = match (room.cell(Color::Black, black), room.cell(Color::White, white)) {
        (Ok(a), Ok(b)) => [a, b],
        (Err(error), _) | (_, Err(error)) => return (room.failed(error), [None, None]),
    };
    let (mut black, mut white) =
        (TurnFilesPlayer::new(black, room.league, a), TurnFilesPlayer::new(white, room.league, b));
    let record = referee(room.league, room.setup.clone(), [&mut black, &mut white], &mut NoObserver);
    (record, [black.into_evidence(), white.into_evidence()])
}

struct Room<'a> {
    workspace: Workspace<'a>,
    league: &'a League,
    seats: [Seat<'a>; 2],
    setup: GameSetup,
}

impl<'a> Room<'a> {
    /// Plays the game. `player` makes the player for an agent.
    fn game<G: Board, P: Player<G> + 'a>(
        &self,
        player: impl Fn(&'a Contestant, &'a League, Cell) -> P,
        observer: &mut dyn GameObserver<G>,
    ) -> anyhow::Result<GameRecord> {
        let seated = |side: Color| -> anyhow::Result<Box<dyn Player<G> + 'a>> {
            Ok(match self.seats[side.index()] {
                Seat::Agent(contestant) => Box::new(player(contestant, self.league, self.cell(side, contestant)?)),
                Seat::Person(person) => Box::new(PersonPlayer(person)),
            })
        };
        let (mut black, mut white) = (seated(Color::Black)?, seated(Color::White)?);
        Ok(referee(self.league, self.setup.clone(), [&mut *black, &mut *white], observer))
    }

    fn cell(&self, side: Color, contestant: &Contestant) -> anyhow::Result<Cell> {
        self.workspace.cell(side, &self.league.limits, contestant)
    }

    fn failed(&self, error: anyhow::Error) -> GameRecord {
        let GameSetup { names, seed, tier, .. } = self.setup.clone();
        GameRecord::failed(self.league, names, seed, tier, error)
    }
}

/// A way to ask a person for moves.
pub trait Person {
    /// Asks for a move in the last position shown, by its number among the legal moves; `None` if the person has left.
    fn choose(&self) -> Option<usize>;
}

/// A person at the board. Persons have no clock: their moves cost no time.
pub(super) struct PersonPlayer<'a>(pub(super) &'a dyn Person);

impl<G: Board> Player<G> for PersonPlayer<'_> {
    fn begin(&mut self, _: Color) -> anyhow::Result<()> {
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<G>) -> anyhow::Result<Answer<G::Move>> {
        let Some(number) = self.0.choose() else { bail!("the person left the game") };
        let legal = ask.history.position().legal_moves();
        let wrong = || Violation {
            kind: FaultKind::Illegal,
            read: format!("move {number}"),
            expected: format!("one of {} legal moves", legal.len()),
        };
        Ok(Answer::new(legal.get(number).copied().ok_or_else(wrong), Spent::default()))
    }

    fn finish(&mut self, _: &GameEnd<G>) -> anyhow::Result<Option<Violation>> {
        Ok(None)
    }
}
