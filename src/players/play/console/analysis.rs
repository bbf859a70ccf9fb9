//! Analysis: a search in the background while lines are read. A line that only asks is answered during the search; any
//! other ends it.

use std::io::{self, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use super::{Console, StreamError, Strictness};
use crate::play::reply::Thought;
use crate::play::search_control::{HitLimits, SearchControl, Watch};
use crate::play::session::Session;
use crate::play::thinker::Analyst;
use crate::protocol::commands::{Command, InputLine, analyzed, iteration, read_line};
use crate::protocol::hub::Purpose;
use kingline::loa::{Move, Position};
use kingline::search::{Limits, Report};

/// Event during an analysis.
enum Event {
    /// Text about a finished iteration.
    Iteration(String),
    /// A line was read.
    Line(io::Result<InputLine>),
}

/// An analysis in progress.
struct Analysis<'a> {
    control: &'a SearchControl,
    sender: Sender<Event>,
    events: Receiver<Event>,
}

impl Console<'_> {
    /// Searches a position until a line ends that. Prints each finished iteration, and at the end the best move. Returns the
    /// line, which has not been logged or executed.
    ///
    /// # Errors
    /// A stream fails.
    pub(super) fn analyze(
        &mut self,
        session: &mut Session,
        thought: &Thought,
        strictness: Strictness,
    ) -> Result<InputLine, StreamError> {
        // Dropped after the move was printed, since giving back a large table takes time.
        let mut analyst = session.analyst();
        let control = &SearchControl::new(Purpose::Analyze);
        let (sender, events) = mpsc::channel();
        let analysis = Analysis { control, sender, events };
        thread::scope(|scope| {
            let (sender, analyst) = (analysis.sender.clone(), &mut analyst);
            let search = scope.spawn(move || search(analyst, thought, control, &sender));
            let ended = self.answer_meanwhile(session, &analysis, strictness);
            control.stop();
            let (best, answer) = search.join().unwrap_or_else(|panic| resume_unwind(panic));
            let line = ended?;
            for event in analysis.events.try_iter() {
                if let Event::Iteration(text) = event {
                    self.print(&text)?;
                }
            }
            self.print(&analyzed(best, answer))?;
            self.flush()?;
            Ok(line)
        })
    }

    /// Reads lines and answers those that only ask, until one ends the analysis.
    fn answer_meanwhile(
        &mut self,
        session: &mut Session,
        analysis: &Analysis,
        strictness: Strictness,
    ) -> Result<InputLine, StreamError> {
        loop {
            self.prompt(session.prompt())?;
            let line = analysis.next_line(self)?;
            if let Some(line) = self.answer(session.parts().0, line, strictness, Command::is_query)? {
                return Ok(line);
            }
        }
    }
}

impl Analysis<'_> {
    /// Reads the next line, and prints the iterations that finish meanwhile.
    fn next_line(&self, console: &mut Console) -> Result<InputLine, StreamError> {
        let Console { input, output, .. } = console;
        thread::scope(|scope| {
            let sender = self.sender.clone();
            scope.spawn(move || sender.send(Event::Line(read_line(&mut **input))));
            loop {
                match self.events.recv() {
                    Ok(Event::Iteration(text)) => {
                        if let Err(error) = output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
                            // Nobody reads on, and the next line may be long in coming.
                            self.control.stop();
                            return Err(StreamError::Output(error));
                        }
                    }
                    Ok(Event::Line(line)) => return line.map_err(StreamError::Input),
                    // Unreachable: the analysis itself holds a sender.
                    Err(_) => return Ok(InputLine::End),
                }
            }
        })
    }
}

/// Searches until `control` ends that; returns the best move and the expected answer.
fn search(
    analyst: &mut Analyst,
    thought: &Thought,
    control: &SearchControl,
    sender: &Sender<Event>,
) -> (Option<Move>, Option<Move>) {
    let limits = Limits { game_plies: thought.plies, ..Limits::default() };
    let mut write = |report: &Report<Position<8>>, time: Duration| {
        sender.send(Event::Iteration(iteration(report, time))).map_err(io::Error::other)
    };
    let mut watch = Watch::new(control, HitLimits::default(), &mut write);
    let report = analyst.search(&thought.history, limits, &mut watch);
    // The receiver outlives the search.
    let _ = watch.finish(&report);
    (report.best, report.principal_variation.get(1).copied())
}
