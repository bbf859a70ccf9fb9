//! Who plays a game of Lines of Action by commands? Its state, and who thinks for the automatic sides.

use super::game_state::GameState;
use super::thinker::{Audience, Thinker, Thought};
use crate::files::UsedFile;
use crate::game::Color;
use crate::loa::sgf::Record;
use crate::loa::{Move, Position};
use crate::protocol::commands::{Command, Control, Dialect, Pace, Refusal};

/// A game and its automatic players.
#[derive(Debug)]
pub struct Session {
    state: GameState,
    thinker: Thinker,
}

/// What a command leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Text to print; often empty.
    Output(String),
    /// Text for a person, to print where errors go.
    Aside(String),
    /// A hint is wanted of what to move here.
    Hint(Thought),
    /// The program is to end.
    Quit,
}

/// A turn of an automatic side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomaticTurn {
    /// Its move; none if there was no legal one, and the game was lost.
    pub mv: Option<Move>,
    /// Text to print for it, with the end of the game.
    pub text: String,
}

impl Session {
    /// A new board, Black manual, White automatic. `pace` is that of the automatic players; `None`: the dialect's.
    pub fn new(dialect: &'static Dialect, pace: Option<Pace>) -> Session {
        Session { state: GameState::new(dialect), thinker: Thinker::new(pace.unwrap_or(dialect.pace)) }
    }

    /// With files that are in use, and that `save` must not replace.
    #[must_use]
    pub fn with_used_files(self, used: Vec<UsedFile>) -> Session {
        Session { state: self.state.with_used_files(used), ..self }
    }

    /// The dialect of this session.
    pub fn dialect(&self) -> &'static Dialect {
        self.state.dialect()
    }

    /// The board, and who moves next.
    pub fn position(&self) -> Position<8> {
        self.state.position()
    }

    /// The prompt for the next command (§3).
    pub fn prompt(&self) -> &'static str {
        self.state.prompt()
    }

    /// The game, and who thinks for its automatic sides: so commands can come while they think.
    pub fn parts(&mut self) -> (&mut GameState, &mut Thinker) {
        (&mut self.state, &mut self.thinker)
    }

    /// Executes a command. Before the next one, [`automatic_turn`](Self::automatic_turn) must be called until it returns
    /// none.
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

    /// Takes an automatic turn, if a game is in progress and the side to move is automatic. With both sides automatic and
    /// nobody watching, the whole game is played fast (§2).
    pub fn automatic_turn(&mut self, audience: Audience) -> Option<AutomaticTurn> {
        let thought = self.state.thought()?;
        if audience == Audience::Absent && Color::ALL.map(|color| self.state.control(color)) == [Control::Automatic; 2]
        {
            self.thinker.hurry();
        }
        let mv = self.thinker.choose(&thought, &mut ()).map(|choice| choice.best);
        Some(AutomaticTurn { mv, text: self.state.play_automatic(mv) })
    }

    /// Takes up another game; the players and the limit stay. The text to print: its end, if it has ended.
    ///
    /// # Errors
    /// It has more moves than are allowed; nothing has changed.
    pub fn take_up(&mut self, record: Record) -> Result<String, Refusal> {
        let text = self.state.take_up_game(record)?;
        self.thinker.new_game();
        Ok(text)
    }

    /// A hint for a person, in words.
    pub fn hint(&mut self, thought: &Thought) -> String {
        let choice = self.thinker.hint(thought, &mut ());
        choice.map_or_else(String::new, |choice| choice.in_words(&thought.history.position()) + "\n")
    }
}
