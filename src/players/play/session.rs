use std::num::NonZero;
use std::ops::ControlFlow;

use super::game_state::GameState;
use super::reply::{Reply, Thought};
use super::thinker::{Spectators, Thinker};
use crate::protocol::commands::{Command, Dialect, Pace, Refusal};
use kingline::evaluate::loa::Evaluation;
use kingline::loa::{Move, Position};
use kingline::search::Observer;

/// Game and its automatic players.
#[derive(Debug)]
pub struct Session {
    /// The game, which commands change.
    pub state: GameState,
    /// The automatic players.
    pub thinker: Thinker,
}

/// Called again and again during a search; it may change the game, and stops the search by a break.
pub type Listen<'a> = dyn FnMut(&mut GameState) -> ControlFlow<()> + 'a;

/// Turn of an automatic side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomaticTurn {
    /// Move; `None` if there was no legal one and the side has lost.
    pub mv: Option<Move>,
    /// Text to print, including the end of the game.
    pub text: String,
}

impl Session {
    /// New board, Black manual, White automatic. The automatic players move at `pace`, or at the dialect's pace.
    pub fn new(dialect: &'static Dialect, pace: Option<Pace>) -> Session {
        Session { state: GameState::new(dialect), thinker: Thinker::new(pace.unwrap_or(dialect.pace)) }
    }

    /// Replaces the evaluation of the automatic players.
    #[must_use]
    pub fn with_evaluation(self, evaluation: Evaluation<8>) -> Session {
        Session { thinker: self.thinker.with_evaluation(evaluation), ..self }
    }

    /// Lets the automatic players search with this number of threads, where time limits a search. Without this, they
    /// take one.
    #[must_use]
    pub fn with_threads(self, threads: NonZero<usize>) -> Session {
        Session { thinker: self.thinker.with_threads(threads), ..self }
    }

    /// Executes a command. Before the next one, [`automatic_turn`](Self::automatic_turn) must be called until it
    /// returns `None`.
    ///
    /// # Errors
    /// The command is refused; nothing has changed.
    pub fn execute(&mut self, command: &Command) -> Result<Reply, Refusal> {
        let reply = self.state.execute(command)?;
        match command {
            Command::Seed(seed) => self.thinker.seed(*seed),
            Command::Time(pace) => self.thinker.set_pace(*pace),
            Command::New | Command::Position(_) | Command::Load(_) => self.thinker.new_game(),
            _ => {}
        }
        Ok(reply)
    }

    /// Takes an automatic turn, if a game is in progress and the side to move is automatic. If both sides are automatic
    /// and nobody watches, the rest of the game is fast (§2).
    ///
    /// `listen` may change the game before the search and during it, unless nodes limit the search. It must stop the
    /// search if the turn is no longer wanted; `None` is then returned.
    pub fn automatic_turn(&mut self, spectators: Spectators, listen: &mut Listen) -> Option<AutomaticTurn> {
        let thought = self.state.thought()?;
        let Session { state, thinker } = self;
        if spectators == Spectators::Absent && state.plays_alone() {
            thinker.hurry();
        }
        let mut listener = Listener { state, listen, heard: ControlFlow::Continue(()) };
        if listener.poll().is_break() {
            return None;
        }
        let choice = match thinker.counts_nodes() {
            true => thinker.choose(&thought, &mut ()),
            false => thinker.choose(&thought, &mut listener),
        };
        if listener.heard.is_break() {
            return None;
        }
        let mv = choice.map(|choice| choice.best);
        Some(AutomaticTurn { mv, text: state.play_automatic(mv) })
    }

    /// Continues another game with the same players and limit. Returns the text to print: the game's end, if any.
    #[cfg(feature = "display")]
    pub(crate) fn take_up(&mut self, record: kingline::loa::sgf::Record) -> Result<String, Refusal> {
        let text = self.state.take_up_game(record)?;
        self.thinker.new_game();
        Ok(text)
    }

    /// Hint for a person, in words; empty if `listen` has stopped the search.
    pub fn hint(&mut self, thought: &Thought, listen: &mut Listen) -> String {
        let Session { state, thinker } = self;
        let mut listener = Listener { state, listen, heard: ControlFlow::Continue(()) };
        let choice = thinker.hint(thought, &mut listener).filter(|_| listener.heard.is_continue());
        choice.map_or_else(String::new, |choice| choice.in_words(&thought.history.position()) + "\n")
    }
}

/// Lets `listen` hear during a search.
struct Listener<'a, 'b> {
    state: &'a mut GameState,
    listen: &'a mut Listen<'b>,
    /// A break once `listen` has stopped the search.
    heard: ControlFlow<()>,
}

impl Observer<Position<8>> for Listener<'_, '_> {
    fn poll(&mut self) -> ControlFlow<()> {
        if self.heard.is_continue() {
            self.heard = (self.listen)(self.state);
        }
        self.heard
    }
}
