//! How is an agent asked for its moves? A player for each protocol, and a game between two of them.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `build` | how an agent that comes as source is built |
//! | `contestant` | what an agent brings into its cell |
//! | `prepare` | what an agent is asked before its first game |
//! | `turn_files` | checkers by `input.txt` and `output.txt` |
//! | `request` | 6x6 Lines of Action by requests |
//! | `console` | 8x8 Lines of Action by text commands |
//! | `words` | what an agent printed, to be read after a fault |
//! | `way_out` | what mends an agent that does not start, or crashes at once |
//! | `limits` | what a turn may use, which fault it is to use more, and when it is the machine's |

mod build;
mod console;
mod contestant;
mod limits;
mod prepare;
mod request;
mod turn_files;
mod way_out;
mod words;

use std::path::Path;
use std::time::Duration;

pub use build::{Build, build};
pub use console::ConsolePlayer;
pub use contestant::Contestant;
pub(super) use contestant::{AgentProgram, COPIES};
pub(super) use limits::oddity;
use limits::{Overloaded, TRIES};
pub(super) use prepare::WROTE_NO_CALIBRATION;
pub use prepare::prepare;
pub use request::RequestPlayer;
pub use turn_files::TurnFilesPlayer;
pub(super) use turn_files::ill_formed;
pub(super) use words::last_words;

use super::agent_limits::AgentLimits;
use super::league::{GameKind, League, Protocol};
use super::record::{EndReason, GameRecord};
use super::referee::{GameObserver, GameSetup, Player, referee};
use super::sandbox::{Cell, Sandbox};
use crate::draw::Board;
use crate::game::Color;
use crate::{checkers, loa};

/// An observer of every game there is.
pub trait AnyGameObserver:
    GameObserver<checkers::Position> + GameObserver<loa::Position<8>> + GameObserver<loa::Position<6>>
{
}

impl<T: GameObserver<checkers::Position> + GameObserver<loa::Position<8>> + GameObserver<loa::Position<6>>>
    AnyGameObserver for T
{
}

/// Where games are played: the sandbox, and folders for what the games write.
#[derive(Clone, Copy, Debug)]
pub struct Workspace<'a> {
    /// Runs the agents.
    pub sandbox: &'a Sandbox,
    /// For their working directories; used by no other game at the same time.
    pub folder: &'a Path,
    /// For what is kept between games: calibrations.
    pub kept: &'a Path,
}

/// Plays a game between Black and White in this thread. `budgets` are their times for the game, where the league bounds
/// it; `seed` gives the opening and the referee's own moves. If the referee itself fails, the verdict says so.
///
/// What the machine has spoilt is played again: a turn where each has a process of its own, otherwise the game.
pub fn play<S: AnyGameObserver>(
    workspace: Workspace,
    league: &League,
    contestants: [&Contestant; 2],
    budgets: [Option<Duration>; 2],
    seed: u64,
    observer: &mut S,
) -> GameRecord {
    let mut tries = match league.protocol {
        Protocol::TurnFiles | Protocol::Request => 1,
        Protocol::Console2020 | Protocol::Console2015 => TRIES,
    };
    loop {
        let [black, white] = contestants;
        let cell = |side: Color| workspace.cell(side, &league.limits, contestants[side.index()]);
        let cells = || -> anyhow::Result<[Cell; 2]> { Ok([cell(Color::Black)?, cell(Color::White)?]) };
        let names = contestants.map(|contestant| contestant.agent().name.clone());
        let setup = GameSetup { names, budgets, seed, tier: workspace.sandbox.measurement() };
        let failed = |setup: GameSetup, error| GameRecord::failed(league, setup.names, setup.seed, setup.tier, &error);
        let [a, b] = match cells() {
            Ok(cells) => cells,
            Err(error) => return failed(setup, error),
        };
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
            (game, protocol) => failed(setup, anyhow::anyhow!("{game} is not played by {protocol:?}")),
        };
        tries -= 1;
        let is_spoilt =
            matches!(&record.verdict.reason, EndReason::Failed { error } if *error == Overloaded.to_string());
        if tries == 0 || !is_spoilt {
            return record;
        }
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

impl Workspace<'_> {
    /// A working directory for one side of a game.
    pub(super) fn cell(&self, side: Color, limits: &AgentLimits, contestant: &Contestant) -> anyhow::Result<Cell> {
        let name = if side == Color::Black { "black" } else { "white" };
        Ok(self.sandbox.cell(self.folder, name, limits.of_disk(contestant.files().len()))?)
    }
}
