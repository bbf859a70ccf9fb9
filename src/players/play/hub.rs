//! The checkers engine in a board program, by the protocol [Hub](crate::protocol::hub).
//!
//! One thread reads lines and answers; another thinks, so that `stop` and `ping` are answered at once. `player` chooses
//! the moves, and keeps the parameters.

mod player;

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

use super::search_control::SearchControl;
use crate::protocol::commands::{InputLine, LONGEST_LINE, read_line};
use crate::protocol::hub::{Answer, Command, Level, Purpose};
use kingline::checkers::Position;
use kingline::game::{Game, History};
use player::HubPlayer;

/// Answers the lines of a board program until `quit` or the end of its lines. After `quit`, a search that is still running
/// ends without its move. After the last line, one with limits goes on to its move, and one without ends with it.
///
/// # Errors
/// A line cannot be read, or an answer cannot be written. A search that is still running has ended then.
pub fn play_by_hub(mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let (output, player) = (Output(Mutex::new(output)), Mutex::new(HubPlayer::default()));
    thread::scope(|scope| {
        let (history, level) = (Position::start().into(), Level::default());
        let mut seat = Seat { scope, output: &output, player: &player, history, level, thinking: None };
        let ended = seat.follow_lines(&mut input);
        if ended.is_err() {
            seat.control(SearchControl::drop_move);
        }
        ended.and(seat.finish_search())
    })
}

/// The game, and the search in progress.
struct Seat<'scope, 'env, W> {
    scope: &'scope Scope<'scope, 'env>,
    output: &'env Output<W>,
    player: &'env Mutex<HubPlayer>,
    history: History<Position>,
    level: Level,
    thinking: Option<Thinking<'scope>>,
}

struct Thinking<'scope> {
    control: Arc<SearchControl>,
    level: Level,
    thread: ScopedJoinHandle<'scope, io::Result<()>>,
}

impl<'env, W: Write + Send> Seat<'_, 'env, W> {
    fn follow_lines(&mut self, input: &mut dyn BufRead) -> io::Result<()> {
        loop {
            let command = match read_line(input)? {
                InputLine::End => return Ok(()),
                InputLine::Text(text) if text.trim().is_empty() => continue,
                InputLine::Text(text) => Command::read(&text).map_err(|error| error.to_string()),
                InputLine::TooLong => {
                    Err(format!("found a line of more than {LONGEST_LINE} bytes, expected a shorter one"))
                }
            };
            match command {
                Err(error) => self.output.write(&Answer::Error(error))?,
                Ok(command) => {
                    if self.follow(command)?.is_break() {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Follows a command; breaks at `quit`.
    fn follow(&mut self, command: Command) -> io::Result<ControlFlow<()>> {
        match command {
            Command::Quit => {
                self.control(SearchControl::drop_move);
                return Ok(ControlFlow::Break(()));
            }
            Command::Ping => self.output.write(&Answer::Pong)?,
            Command::Position(history) => self.history = history,
            Command::Level(level) => self.level = level,
            Command::Stop => self.end_search()?,
            Command::PonderHit => self.control(SearchControl::hit),
            Command::Go(purpose) => self.go(purpose)?,
            Command::Hub => {
                let parameters = self.idle_player()?.parameters();
                self.output.write(&Answer::Id)?;
                for parameter in parameters {
                    self.output.write(&Answer::Parameter(parameter))?;
                }
                self.output.write(&Answer::Wait)?;
            }
            Command::SetParameter(name, value) => {
                if let Err(error) = self.idle_player()?.set(&name, &value) {
                    self.output.write(&Answer::Error(format!("{error:#}")))?;
                }
            }
            Command::Init => {
                self.idle_player()?.forget();
                self.output.write(&Answer::Ready)?;
            }
            Command::NewGame => self.idle_player()?.forget(),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Starts a search, which writes its move at the end.
    fn go(&mut self, purpose: Purpose) -> io::Result<()> {
        self.end_search()?;
        let control = Arc::new(SearchControl::new(purpose));
        let (history, level, watched) = (self.history.clone(), self.level, control.clone());
        let (player, output) = (self.player, self.output);
        let think = move || {
            let write = &mut |answer| output.write(&answer);
            let (best, answer) = locked(player).think(&history, level, &watched, write)?;
            watched.wait_for_end();
            if watched.is_move_wanted() { output.write(&Answer::Done(best, answer)) } else { Ok(()) }
        };
        self.thinking = Some(Thinking { control, level, thread: self.scope.spawn(think) });
        Ok(())
    }

    /// The player, after the end of the search in progress.
    fn idle_player(&mut self) -> io::Result<MutexGuard<'env, HubPlayer>> {
        self.end_search()?;
        Ok(locked(self.player))
    }

    fn control(&self, change: impl FnOnce(&SearchControl)) {
        if let Some(thinking) = &self.thinking {
            change(&thinking.control);
        }
    }

    /// Ends the search in progress, which writes its move.
    fn end_search(&mut self) -> io::Result<()> {
        self.control(SearchControl::stop);
        self.join()
    }

    /// Lets the search in progress come to its own end, if it has one.
    fn finish_search(&mut self) -> io::Result<()> {
        let is_unlimited = self.thinking.as_ref().is_some_and(|thinking| thinking.level.is_unlimited());
        self.control(if is_unlimited { SearchControl::stop } else { SearchControl::finish });
        self.join()
    }

    fn join(&mut self) -> io::Result<()> {
        let Some(Thinking { thread, .. }) = self.thinking.take() else { return Ok(()) };
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// Whole lines from both threads.
struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    fn write(&self, answer: &Answer) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{answer}")?;
        output.flush()
    }
}

fn locked(player: &Mutex<HubPlayer>) -> MutexGuard<'_, HubPlayer> {
    player.lock().unwrap_or_else(PoisonError::into_inner)
}
