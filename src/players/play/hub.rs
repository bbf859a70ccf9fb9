//! The checkers engine in a board program, by the protocol [Hub](crate::protocol::hub).
//!
//! One thread reads lines and answers; another thinks, so that `stop` and `ping` are answered at once. `player` chooses
//! the moves, and keeps the parameters.

use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::board_engine::{BoardEngine, MoveTime, Setting};
use super::search_control::{HitLimits, SearchControl, Watch};
use crate::protocol::commands::{InputLine, LONGEST_LINE, read_line};
use crate::protocol::hub::{Command, Done, Info, Level, Purpose, quoted, write_move};
use kingline::checkers::{Move, Position};
use kingline::game::{Game, History, ParseError, Rules};
use kingline::search::{Limits, Report};

/// Answers the lines of a board program until `quit` or the end of its lines. After `quit`, a search that is still running
/// ends without its move. After the last line, one with limits goes on to its move, and one without ends with it.
///
/// # Errors
/// A line cannot be read, or an answer cannot be written. A search that is still running has ended then.
pub fn play_by_hub(mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let (output, player) = (Output(Mutex::new(output)), Mutex::new(HubPlayer::default()));
    thread::scope(|scope| {
        let (history, level) = (Position::start().into(), Level::default());
        let mut session = HubSession { scope, output: &output, player: &player, history, level, thinking: None };
        let ended = session.follow_lines(&mut input);
        if ended.is_err() {
            session.control(SearchControl::drop_move);
        }
        ended.and(session.finish_search())
    })
}

struct HubSession<'scope, 'env, W> {
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

impl<'env, W: Write + Send> HubSession<'_, 'env, W> {
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
                Err(error) => self.output.write_error(&error)?,
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
            Command::Ping => self.output.write("pong")?,
            Command::Position(history) => {
                for oddity in history.position().oddities(|square| square.number().to_string()) {
                    self.output.write_error(&oddity)?;
                }
                self.history = history;
            }
            Command::Level(level) => self.level = level,
            Command::Stop => self.end_search()?,
            Command::PonderHit => self.control(SearchControl::hit),
            Command::Go(purpose) => self.go(purpose)?,
            Command::Hub => {
                let parameters = self.idle_player()?.parameters();
                self.output.write(concat!("id name=kingline version=", env!("CARGO_PKG_VERSION")))?;
                parameters.iter().try_for_each(|parameter| self.output.write(parameter))?;
                self.output.write("wait")?;
            }
            Command::SetParameter(name, value) => {
                if let Err(error) = self.idle_player()?.set(&name, &value) {
                    self.output.write_error(&format!("{error:#}"))?;
                }
            }
            Command::Init => {
                self.idle_player()?.engine.forget();
                self.output.write("ready")?;
            }
            Command::NewGame => self.idle_player()?.engine.forget(),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Starts a search, which writes its move at the end.
    fn go(&mut self, purpose: Purpose) -> io::Result<()> {
        self.end_search()?;
        let control = Arc::new(SearchControl::new(purpose));
        let (player, output) = (self.player, self.output);
        let history = self.history.clone().under(locked(player).rules);
        let (level, watched) = (self.level, control.clone());
        let think = move || {
            let write = &mut |info: &str| output.write(info);
            let (best, answer) = locked(player).think(&history, level, &watched, write)?;
            watched.wait_for_end();
            if watched.is_move_wanted() { output.write(Done { best, answer, notation: write_move }) } else { Ok(()) }
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

struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    fn write(&self, answer: impl Display) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{answer}")?;
        output.flush()
    }

    /// Answers a line that was not understood, or could not be followed, or whose position is odd.
    fn write_error(&self, message: &str) -> io::Result<()> {
        self.write(format_args!("error message={}", quoted(message)))
    }
}

fn locked(player: &Mutex<HubPlayer>) -> MutexGuard<'_, HubPlayer> {
    player.lock().unwrap_or_else(PoisonError::into_inner)
}

const VARIANTS: [&str; 1] = ["english"];

/// Parameters that are settings of the engine.
const SETTINGS: [(&str, Setting); 4] = [
    ("threads", Setting::Threads),
    ("hash", Setting::Hash),
    ("evaluation", Setting::Evaluation),
    ("tables", Setting::Tables),
];

#[derive(Default)]
struct HubPlayer {
    engine: BoardEngine,
    rules: Rules,
}

impl HubPlayer {
    /// A line for each parameter, with its present value and its values.
    fn parameters(&self) -> Vec<String> {
        let variant = format!("param name=variant value={} type=enum values=\"{}\"", VARIANTS[0], VARIANTS.join(" "));
        let settings = SETTINGS.iter().map(|&(name, setting)| {
            let value = quoted(&self.engine.settings().value(setting));
            let values = match setting.most() {
                Some(most) => format!("int min=1 max={most}"),
                None => "string".to_owned(),
            };
            format!("param name={name} value={value} type={values}")
        });
        let rules =
            format!("param name=rules value={} type=enum values=\"{} {}\"", self.rules, Rules::Game, Rules::Course);
        [variant, rules].into_iter().chain(settings).collect()
    }

    /// Sets a parameter, and empties the memory. An empty file name stands for what the program contains.
    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let mut settings = self.engine.settings().clone();
        match SETTINGS.iter().find(|&&(known, _)| known == name) {
            Some(&(_, setting)) => settings.set(setting, value).map_err(|error| match error.is::<ParseError>() {
                true => error.context(name.to_owned()),
                false => error,
            })?,
            None if name == "rules" => self.rules = value.parse().context("rules")?,
            None if name != "variant" => {
                bail!("found parameter {name:?}, expected variant, rules, threads, hash, evaluation or tables")
            }
            None if VARIANTS.contains(&value) => {}
            None => bail!("variant: found {value:?}, expected {}", VARIANTS.join(" or ")),
        }
        self.engine = BoardEngine::new(settings);
        Ok(())
    }

    /// Returns a move and the answer that it expects, as far as there are any. Writes each finished iteration.
    fn think(
        &mut self,
        history: &History<Position>,
        level: Level,
        control: &SearchControl,
        write: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> io::Result<(Option<Move>, Option<Move>)> {
        let purpose = control.purpose;
        if purpose != Purpose::Analyze
            && let Some(best) = self.known(history)
        {
            return Ok((Some(best), None));
        }
        let Level { depth, nodes, .. } = level;
        let (mut limits, mut time, mut after_hit) = (Limits::default(), None, HitLimits::default());
        match purpose {
            Purpose::Think => {
                limits = Limits { depth, nodes, ..limits };
                time = move_time(level).map(|time| (time, Instant::now()));
            }
            // The clock may begin to run during the search, so the observer keeps the limits.
            Purpose::Ponder => {
                after_hit = HitLimits { time: move_time(level).map(|time| time.share), depth, nodes };
            }
            Purpose::Analyze => {}
        }
        let mut write =
            |report: &Report<Position>, time: Duration| write(&Info { report, time, notation: write_move }.to_string());
        let mut watch = Watch::new(control, after_hit, &mut write);
        let report = self.engine.search(history, limits, time, &mut watch);
        watch.finish(&report)?;
        Ok((report.best, report.principal_variation.get(1).copied()))
    }

    /// The only legal move, or one by the endgame tables.
    fn known(&self, history: &History<Position>) -> Option<Move> {
        self.engine.only_move(history).or_else(|| self.engine.tabled(history).map(|choice| choice.mv))
    }
}

/// Time for a move at a level; `None` if time does not limit it.
fn move_time(level: Level) -> Option<MoveTime> {
    match level.move_time {
        Some(time) => Some(MoveTime::exact(time)),
        None => level.time.map(|left| MoveTime::on_clock(left, level.increment, level.moves)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_list_their_values() {
        assert_eq!(
            HubPlayer::default().parameters(),
            [
                "param name=variant value=english type=enum values=\"english\"",
                "param name=rules value=game type=enum values=\"game course\"",
                "param name=threads value=1 type=int min=1 max=256",
                "param name=hash value=64 type=int min=1 max=65536",
                "param name=evaluation value=\"\" type=string",
                "param name=tables value=\"\" type=string",
            ]
        );
    }
}
