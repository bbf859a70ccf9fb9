//! A game in progress, turn by turn.

use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;

use super::observer::GameObserver;
use super::player::{Ask, GameEnd, Player};
use super::ruling::ruling;
use crate::league::{FaultRule, League};
use crate::record::{ChosenBy, EndReason, Fault, FaultKind, GameVerdict, Turn, Violation};
use kingline::draw::Board;
use kingline::game::{Color, Game, History};

/// Time limit for a turn in an untimed game.
const UNBOUNDED: Duration = Duration::from_secs(3600);

/// A game in progress: the position, the moves and the turns so far.
pub(super) struct OngoingGame<'a, G: Game> {
    league: &'a League,
    history: History<G>,
    moves: Vec<G::Move>,
    turns: Vec<Turn>,
    rng: StdRng,
}

impl<'a, G: Board> OngoingGame<'a, G> {
    /// A game at its start. `rng` determines the referee's own moves.
    pub(super) fn new(league: &'a League, rng: StdRng) -> OngoingGame<'a, G> {
        OngoingGame::from_position(league, G::start(), rng)
    }

    /// A game that starts from this position.
    pub(super) fn from_position(league: &'a League, position: G, rng: StdRng) -> OngoingGame<'a, G> {
        OngoingGame { league, history: History::new(position), moves: Vec::new(), turns: Vec::new(), rng }
    }

    /// The turns played.
    pub(super) fn into_turns(self) -> Vec<Turn> {
        self.turns
    }

    pub(super) fn position(&self) -> G {
        self.history.position()
    }

    pub(super) fn play(&mut self, mv: G::Move) {
        self.history.play(mv);
        self.moves.push(mv);
    }

    /// Plays until the game is over, and keeps `left` up to date.
    pub(super) fn play_out(
        &mut self,
        players: [&mut dyn Player<G>; 2],
        left: &mut [Option<Duration>; 2],
        observer: &mut dyn GameObserver<G>,
    ) -> anyhow::Result<GameVerdict> {
        let [black, white] = players;
        black.begin(Color::Black)?;
        white.begin(Color::White)?;
        let verdict = loop {
            if let Some(verdict) = self.ruled(*left) {
                break verdict;
            }
            let player = if self.position().turn() == Color::Black { &mut *black } else { &mut *white };
            if let Some(fault) = self.turn(player, left, observer)? {
                return Ok(GameVerdict { winner: Some(!fault.side), reason: EndReason::Fault(fault) });
            }
        };
        let end = GameEnd { moves: &self.moves, winner: verdict.winner };
        let claims = [(Color::Black, black.finish(&end)?), (Color::White, white.finish(&end)?)];
        // If both sides are wrong about the winner, the verdict of the rules stands.
        let mut wrong = claims.into_iter().filter_map(|(side, wrong)| Some((side, wrong?)));
        Ok(match (wrong.next(), wrong.next()) {
            (Some((side, wrong)), None) => {
                let fault = self.fault(side, wrong);
                GameVerdict { winner: Some(!side), reason: EndReason::Fault(fault) }
            }
            _ => verdict,
        })
    }

    /// Plays one turn; returns the fault if it ends the game.
    fn turn(
        &mut self,
        player: &mut dyn Player<G>,
        left: &mut [Option<Duration>; 2],
        observer: &mut dyn GameObserver<G>,
    ) -> anyhow::Result<Option<Fault>> {
        let position = self.position();
        let side = position.turn();
        let clock = &self.league.clock;
        let left = &mut left[side.index()];
        let within = [clock.turn, *left].into_iter().flatten().min().unwrap_or(UNBOUNDED);
        let ask = Ask { history: &self.history, moves: &self.moves, left: *left, within };
        let answer = player.choose(&ask)?;
        let usage = answer.usage();
        let used = clock.counts.of(&usage.spent);
        *left = left.map(|left| left.saturating_sub(clock.charged(used)));
        // §3: an agent whose time reaches its budget loses, even if it has answered.
        let late = || Violation {
            kind: FaultKind::OverTime,
            read: format!("an answer, but late: {usage}"),
            expected: clock.in_time(within),
        };
        let mv = if answer.mv.is_ok() && used >= within { Err(late()) } else { answer.mv };
        let (mv, chosen_by, fault) = match mv {
            Ok(mv) => (Some(mv), ChosenBy::Agent, None),
            Err(wrong) => match self.league.faults {
                FaultRule::LosesGame => (None, ChosenBy::Agent, Some(self.fault(side, wrong))),
                FaultRule::RandomMove => {
                    let mv = random_move(&mut self.rng, &position);
                    (Some(mv), ChosenBy::Referee, Some(self.fault(side, wrong)))
                }
            },
        };
        let written = mv.map(|mv| position.notation(mv).to_string());
        let (left, spent, notes, peak) = (*left, answer.spent, answer.notes, Some(answer.peak));
        self.turns.push(Turn { side, mv: written, chosen_by, spent, peak, left, fault: fault.clone(), notes });
        if let Some(mv) = mv {
            self.play(mv);
        }
        let after = self.position();
        self.turns.last().into_iter().for_each(|turn| observer.turned(&position, &after, turn));
        Ok(fault.filter(|_| mv.is_none()))
    }

    /// Turns a violation in the current turn into a fault.
    fn fault(&self, side: Color, violation: Violation) -> Fault {
        violation.by(side, u32::try_from(self.moves.len() + 1).unwrap_or(u32::MAX))
    }

    /// Verdict by the rules of the game and the league; `None` if the game goes on.
    pub(super) fn ruled(&self, left: [Option<Duration>; 2]) -> Option<GameVerdict> {
        ruling(self.league, &self.history, self.moves.len(), left)
    }
}

/// Draws a random legal move; there must be at least one.
fn random_move<G: Game>(rng: &mut StdRng, position: &G) -> G::Move {
    let list = position.legal_moves();
    list[rng.random_range(0..list.len())]
}
