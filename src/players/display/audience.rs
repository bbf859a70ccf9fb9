//! The terminal and the pages, which show the game and receive the desk's answers.

use super::choices::Choices;
use super::clocks::Clocks;
use super::event::Input;
use super::hub::{Hub, Played};
use super::inbox::Origin;
use super::search_state::{Hint, SearchState};
use super::snapshot::{Known, Snapshot};
use crate::play::{Choice, Console, ConsoleEnd, GameState, Reply, Settings, Shown, StreamError, Strictness, Thought};
use crate::protocol::commands::{Control, Phase, Refusal};
use crate::terminal::escaped;
use kingline::game::{Color, Game};
use kingline::loa::Position;

/// The terminal and the pages.
pub(super) struct Audience {
    pub(super) console: Console<'static>,
    pub(super) hub: Hub,
    strictness: Strictness,
    /// The board last drawn in the terminal.
    drawn: Option<Shown>,
    /// The last hint, kept while the game stays at its position.
    hint: Option<Hint>,
    /// The machine's moves in the game.
    choices: Choices,
    clocks: Clocks,
    /// Errors in the replayed file, for the pages.
    notices: Vec<String>,
}

impl Audience {
    pub(super) fn new(console: Console<'static>, hub: Hub, strictness: Strictness) -> Audience {
        Audience {
            console,
            hub,
            strictness,
            drawn: None,
            hint: None,
            choices: Choices::default(),
            clocks: Clocks::default(),
            notices: Vec::new(),
        }
    }

    /// Logs a request. Prints requests from pages in the terminal.
    pub(super) fn hear(&mut self, text: &str, from: &Origin) -> Result<(), StreamError> {
        self.console.log(text)?;
        if let (Origin::Page(_), true) = (from, self.console.viewer.is_person()) {
            self.console.flush()?;
            // The cursor is after a prompt.
            self.console.print_error(&format!("\npage: {}\n", escaped(text.trim())));
        }
        Ok(())
    }

    /// Answers a request. Returns how the session ends, if it does; an error from a page never ends it.
    pub(super) fn answer(
        &mut self,
        reply: &Result<Reply, Refusal>,
        from: Origin,
    ) -> Result<Option<ConsoleEnd>, StreamError> {
        match from {
            Origin::Terminal(input) => {
                if let (Err(refusal), Input::File) = (reply, input) {
                    self.notices.push(format!("In the input file: {refusal}"));
                }
                self.console.print_reply(reply, self.strictness)
            }
            Origin::Page(page) => {
                // The page may have been closed.
                let _ = page.send(reply.as_ref().map(|_| ()).map_err(ToString::to_string));
                if reply.is_err() { Ok(None) } else { self.console.print_reply(reply, Strictness::GoOn) }
            }
        }
    }

    /// Shows the game in the terminal and on all pages.
    pub(super) fn show(&mut self, state: &GameState, settings: &Settings) -> Result<(), StreamError> {
        self.hint = self.hint.take().filter(|hint| hint.is_of(&state.position()));
        self.choices.settle(state);
        self.clocks.update(state.serial(), timed(state));
        let (hint, choices, clocks) = (self.hint.as_ref(), &self.choices, &self.clocks);
        let known = Known { hint, choices, clocks, notices: &self.notices };
        let snapshot = Snapshot::of(state, settings, &known);
        let played = if state.phase() == Phase::Over { Played::Over } else { Played::GoesOn };
        self.hub.show(&snapshot, &state.record().to_string(), played);
        // Nothing is being searched now. The pages know the chosen move before they forget its search.
        self.hub.think(None);
        self.console.draw(state.shown(), &mut self.drawn)
    }

    /// Prints a hint, and keeps it for the pages.
    pub(super) fn give_hint(&mut self, thought: &Thought, choice: &Choice<Position<8>>) {
        let position = thought.history.position();
        self.console.print_error(&(choice.in_words(&position) + "\n"));
        self.hint = Some(Hint::of(&position, choice));
    }

    /// Keeps for the pages why the machine made the last move of the game.
    pub(super) fn keep_choice(&mut self, thought: &Thought, choice: &Choice<Position<8>>, state: &GameState) {
        self.choices.add(state, SearchState::of_choice(&thought.history.position(), choice));
    }
}

/// Side whose clock runs. A person's first move of a game is not timed, since a board may wait for its player.
fn timed(state: &GameState) -> Option<Color> {
    let turn = state.position().turn();
    let is_timed = !state.record().moves().is_empty() || state.control(turn) == Control::Automatic;
    (state.phase() == Phase::Playing && is_timed).then_some(turn)
}
