//! Command session of Lines of Action: the game and its automatic players.

use std::num::NonZero;

use super::game_state::GameState;
use super::reply::{Reply, Shown, Thought};
use super::thinker::{Analyst, Audience, Thinker};
use crate::evaluate::loa::Evaluation;
use crate::files::UsedFile;
use crate::game::Color;
use crate::loa::sgf::Record;
use crate::loa::{Move, Position};
use crate::protocol::commands::{Command, Control, Dialect, Pace, Refusal, Vocabulary};

/// Game and its automatic players.
#[derive(Debug)]
pub struct Session {
    state: GameState,
    thinker: Thinker,
}

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

    /// Adds files in use that `save` must not replace.
    #[must_use]
    pub fn with_used_files(self, used: Vec<UsedFile>) -> Session {
        Session { state: self.state.with_used_files(used), ..self }
    }

    /// Replaces the commands beside those of the dialect.
    #[must_use]
    pub fn with_vocabulary(self, vocabulary: Vocabulary) -> Session {
        Session { state: self.state.with_vocabulary(vocabulary), ..self }
    }

    /// Dialect of this session.
    pub fn dialect(&self) -> &'static Dialect {
        self.state.dialect()
    }

    /// Board and side to move.
    pub fn position(&self) -> Position<8> {
        self.state.position()
    }

    /// Board to show to a person.
    pub fn shown(&self) -> Shown {
        self.state.shown()
    }

    /// Prompt for the next command (§3).
    pub fn prompt(&self) -> &'static str {
        self.state.prompt()
    }

    /// Game and automatic players, separately, so that commands can be executed while the players think.
    pub fn parts(&mut self) -> (&mut GameState, &mut Thinker) {
        (&mut self.state, &mut self.thinker)
    }

    /// Reads a command; `None` if there is none.
    ///
    /// # Errors
    /// The line is not a command, or its operands are wrong.
    pub fn read(&self, line: &str) -> Result<Option<Command>, Refusal> {
        self.state.read(line)
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
    pub fn automatic_turn(&mut self, audience: Audience) -> Option<AutomaticTurn> {
        let thought = self.state.thought()?;
        if audience == Audience::Absent && Color::ALL.map(|color| self.state.control(color)) == [Control::Automatic; 2]
        {
            self.thinker.hurry();
        }
        let mv = self.thinker.choose(&thought, &mut ()).map(|choice| choice.best);
        Some(AutomaticTurn { mv, text: self.state.play_automatic(mv) })
    }

    /// Continues another game with the same players and limit. Returns the text to print: the game's end, if any.
    ///
    /// # Errors
    /// The game has more moves than the limit allows; nothing has changed.
    pub fn take_up(&mut self, record: Record) -> Result<String, Refusal> {
        let text = self.state.take_up_game(record)?;
        self.thinker.new_game();
        Ok(text)
    }

    /// Hint for a person, in words.
    pub fn hint(&mut self, thought: &Thought) -> String {
        let choice = self.thinker.hint(thought, &mut ());
        choice.map_or_else(String::new, |choice| choice.in_words(&thought.history.position()) + "\n")
    }

    /// Search for an analysis, which the players take no notice of.
    pub(super) fn analyst(&self) -> Analyst {
        self.thinker.analyst()
    }
}
