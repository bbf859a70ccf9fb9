//! A few turns of a game against random moves.

use std::str::FromStr;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::ShownBoard;
use super::step::{Finding, StepResult};
use crate::league::League;
use crate::league::clock_rules::Spent;
use crate::record::replay::Replay;
use crate::record::{EndReason, Violation};
use crate::referee::{Answer, Ask, GameEnd, GameSetup, NoObserver, Player, referee};
use kingline::draw::Board;
use kingline::game::{Color, Game, ParseError};

/// Number of turns, counting both sides: enough for a capture or two.
pub(super) const TURNS: u32 = 24;

/// Plays random legal moves and takes no time.
struct AtRandom(StdRng);

impl<G: Game> Player<G> for AtRandom {
    fn begin(&mut self, _: Color) -> anyhow::Result<()> {
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<G>) -> anyhow::Result<Answer<G::Move>> {
        let list = ask.history.position().legal_moves();
        let mv = list[self.0.random_range(0..list.len())];
        Ok(Answer::new(Ok(mv), Spent::default()))
    }

    fn finish(&mut self, _: &GameEnd<G>) -> anyhow::Result<Option<Violation>> {
        Ok(None)
    }
}

/// Plays [`TURNS`] turns of a game against random moves, with the agent as `side`.
pub(super) fn some_turns<G: Board + FromStr<Err = ParseError>>(
    league: &League,
    side: Color,
    agent: &mut dyn Player<G>,
    shown: fn(G) -> ShownBoard,
) -> anyhow::Result<StepResult> {
    let setup = GameSetup { names: Default::default(), budgets: [league.clock.game; 2], seed: 1, tier: String::new() };
    let mut random = AtRandom(StdRng::seed_from_u64(side.index() as u64));
    let players: [&mut dyn Player<G>; 2] =
        if side == Color::Black { [agent, &mut random] } else { [&mut random, agent] };
    let record = referee(league, setup, players, &mut NoObserver);
    let turns = record.turns.len();
    let mut found = StepResult::did(format!("{turns} turns of a game as {side}, against random moves"));
    for turn in record.turns.iter().filter(|turn| turn.side == side) {
        found.add(turn.spent);
        turn.notes.iter().for_each(|note| found.note(note));
        found.ended(turn.fault.as_ref().map(|fault| fault.kind), turn.spent);
    }
    match record.verdict.reason.clone() {
        EndReason::Failed(failure) => Err(failure.into()),
        EndReason::Fault(fault) => {
            let last = Replay::<G>::of(&record)?.last();
            let asked = format!("turn {} of the game, as {side}:", fault.turn);
            Ok(found.wrong(Finding::new(asked, Some(shown(last)), &fault.violation())))
        }
        _ => Ok(found),
    }
}
