//! A game between agents or persons, using its league's protocol.

use std::time::Duration;

use anyhow::bail;
use jiff::Timestamp;

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
use crate::referee::player::{Answer, AnyGameObserver, Ask, GameObserver, Player};
use crate::sandbox::{Cell, Workspace};
use kingline::draw::Board;
use kingline::game::Color;
use kingline::{checkers, loa};
use kingline_players::game_name::GameName;

/// A side of a game.
#[derive(Clone, Copy)]
pub enum Participant<'a> {
    /// An agent.
    Agent(&'a Contestant),
    /// A person, without a clock.
    Person(&'a dyn Person),
}

const PERSON: &str = "human";

impl Participant<'_> {
    /// Name of the player.
    pub fn name(&self) -> &str {
        match self {
            Participant::Agent(contestant) => &contestant.agent().name,
            Participant::Person(_) => PERSON,
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
    participants: [Participant; 2],
    budgets: [Option<Duration>; 2],
    seed: u64,
    observer: &mut dyn AnyGameObserver,
) -> GameRecord {
    let here = league.here(workspace.sandbox);
    let game = ReadyGame::new(workspace, league, &here, participants, budgets, seed);
    let mut tries = match league.protocol {
        Protocol::TurnFiles | Protocol::Request => 1,
        Protocol::Console2020 | Protocol::Console2015 => TRIES,
    };
    loop {
        let played = match (league.game, league.protocol) {
            (GameName::Checkers, Protocol::TurnFiles) => {
                game.play::<checkers::Position, _>(TurnFilesPlayer::new, observer)
            }
            (GameName::Loa6, Protocol::Request) => game.play::<loa::Position<6>, _>(RequestPlayer::new, observer),
            (GameName::Loa, Protocol::Console2020 | Protocol::Console2015) => {
                game.play::<loa::Position<8>, _>(ConsolePlayer::new, observer)
            }
            (game, protocol) => Err(anyhow::anyhow!("{game} is not played through {protocol:?}")),
        };
        let record = played.unwrap_or_else(|error| game.failed(error));
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
    let here = league.here(workspace.sandbox);
    let game = ReadyGame::new(workspace, league, &here, contestants.map(Participant::Agent), budgets, seed);
    let [black, white] = contestants;
    let [a, b] = match (game.cell(Color::Black, black), game.cell(Color::White, white)) {
        (Ok(a), Ok(b)) => [a, b],
        (Err(error), _) | (_, Err(error)) => return (game.failed(error), [None, None]),
    };
    let (mut black, mut white) =
        (TurnFilesPlayer::new(black, game.league, a), TurnFilesPlayer::new(white, game.league, b));
    let record = referee(game.league, game.setup.clone(), [&mut black, &mut white], &mut NoObserver);
    (record, [black.into_evidence(), white.into_evidence()])
}

/// A game whose players can be made.
struct ReadyGame<'a> {
    workspace: Workspace<'a>,
    league: &'a League,
    participants: [Participant<'a>; 2],
    setup: GameSetup,
}

impl<'a> ReadyGame<'a> {
    /// A game of a league with its limits as they are `here`.
    fn new(
        workspace: Workspace<'a>,
        league: &League,
        here: &'a League,
        participants: [Participant<'a>; 2],
        budgets: [Option<Duration>; 2],
        seed: u64,
    ) -> ReadyGame<'a> {
        let setup = GameSetup {
            names: participants.map(|participant| participant.name().to_owned()),
            budgets: [0, 1].map(|side| budgets[side].filter(|_| matches!(participants[side], Participant::Agent(_)))),
            seed,
            started: Some(Timestamp::now().as_second()),
            tier: league.measurement(workspace.sandbox),
        };
        ReadyGame { workspace, league: here, participants, setup }
    }

    /// Plays the game. `player` makes the player for an agent.
    fn play<G: Board, P: Player<G> + 'a>(
        &self,
        player: impl Fn(&'a Contestant, &'a League, Cell) -> P,
        observer: &mut dyn GameObserver<G>,
    ) -> anyhow::Result<GameRecord> {
        let player_of = |side: Color| -> anyhow::Result<Box<dyn Player<G> + 'a>> {
            Ok(match self.participants[side.index()] {
                Participant::Agent(contestant) => {
                    Box::new(player(contestant, self.league, self.cell(side, contestant)?))
                }
                Participant::Person(person) => Box::new(PersonPlayer(person)),
            })
        };
        let (mut black, mut white) = (player_of(Color::Black)?, player_of(Color::White)?);
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

/// Persons have no clock: their moves cost no time.
struct PersonPlayer<'a>(&'a dyn Person);

impl<G: Board> Player<G> for PersonPlayer<'_> {
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
}
