//! The checkers engine in a board program, by the protocol [Hub](crate::protocol::hub).
//!
//! One thread reads lines and answers; another thinks, so that `stop` and `ping` are answered at once.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `player` | which move does the engine choose, and what can be set? |
//! | `thought` | who may end a search, and what is reported of it? |

mod player;
mod thought;

use std::io::{self, BufRead, Write};
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};

use crate::checkers::Position;
use crate::game::{Game, History};
use crate::protocol::commands::{InputLine, LONGEST_LINE, read_line};
use crate::protocol::hub::{Answer, Command, Level};
use player::HubPlayer;
use thought::Control;

/// Answers the lines of a board program until `quit` or the end of its lines. After `quit`, a search that is still running
/// ends without its move; after the last line, one with limits goes on to its move.
///
/// # Errors
/// A line cannot be read, or an answer cannot be written.
pub fn play_by_hub(mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let output = &Output(Mutex::new(output));
    let player = &Mutex::new(HubPlayer::default());
    thread::scope(|scope| {
        let mut seat = Seat { history: Position::start().into(), level: Level::default(), thinking: None };
        loop {
            let command = match read_line(&mut input)? {
                InputLine::End => break,
                InputLine::TooLong => {
                    Err(format!("found a line of more than {LONGEST_LINE} bytes, expected a shorter one"))
                }
                InputLine::Text(text) if text.trim().is_empty() => continue,
                InputLine::Text(text) => Command::read(&text).map_err(|error| error.to_string()),
            };
            let command = match command {
                Ok(command) => command,
                Err(error) => {
                    output.write(&Answer::Error(error))?;
                    continue;
                }
            };
            match command {
                Command::Quit => {
                    seat.control(Control::drop_move);
                    break;
                }
                Command::Ping => output.write(&Answer::Pong)?,
                Command::Position(history) => seat.history = history,
                Command::Level(level) => seat.level = level,
                Command::Stop => seat.end_thought()?,
                Command::PonderHit => seat.control(Control::hit),
                Command::Hub => {
                    seat.end_thought()?;
                    output.write(&Answer::Id)?;
                    for parameter in locked(player).parameters() {
                        output.write(&Answer::Parameter(parameter))?;
                    }
                    output.write(&Answer::Wait)?;
                }
                Command::SetParameter(name, value) => {
                    seat.end_thought()?;
                    if let Err(error) = locked(player).set(&name, &value) {
                        output.write(&Answer::Error(format!("{error:#}")))?;
                    }
                }
                Command::Init => {
                    seat.end_thought()?;
                    locked(player).forget();
                    output.write(&Answer::Ready)?;
                }
                Command::NewGame => {
                    seat.end_thought()?;
                    locked(player).forget();
                }
                Command::Go(purpose) => {
                    seat.end_thought()?;
                    let control = Arc::new(Control::new(purpose));
                    let (history, level, watched) = (seat.history.clone(), seat.level, control.clone());
                    let think = move || think(&mut locked(player), &history, level, &watched, output);
                    seat.thinking = Some(Thinking { control, thread: scope.spawn(think) });
                }
            }
        }
        if seat.level == Level::default() { seat.end_thought() } else { seat.finish_thought() }
    })
}

/// Thinks as asked, and writes the move.
fn think<W: Write>(
    player: &mut HubPlayer,
    history: &History<Position>,
    level: Level,
    control: &Control,
    output: &Output<W>,
) -> io::Result<()> {
    let (best, answer) = player.think(history, level, control, &mut |answer| output.write(&answer))?;
    control.wait_for_end();
    if control.is_move_wanted() { output.write(&Answer::Done(best, answer)) } else { Ok(()) }
}

/// The game, and the search in progress.
struct Seat<'scope> {
    history: History<Position>,
    level: Level,
    thinking: Option<Thinking<'scope>>,
}

struct Thinking<'scope> {
    control: Arc<Control>,
    thread: ScopedJoinHandle<'scope, io::Result<()>>,
}

impl Seat<'_> {
    fn control(&self, change: impl FnOnce(&Control)) {
        if let Some(thinking) = &self.thinking {
            change(&thinking.control);
        }
    }

    /// Ends the search in progress, which writes its move.
    fn end_thought(&mut self) -> io::Result<()> {
        self.control(Control::stop);
        self.join()
    }

    /// Lets the search in progress come to its own end, if it has one.
    fn finish_thought(&mut self) -> io::Result<()> {
        self.control(Control::finish);
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
