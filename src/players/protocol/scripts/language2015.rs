//! 2015 scripts (§2): one file for one or two programs, with instructions that begin with `%`.

pub(super) mod read;

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::clocks::Clocks;
use super::test_run::{Actor, Halt, Role};
use crate::protocol::commands::grammar::{Event, ended};
use kingline::game::{Color, Outcome};

/// Longest wait for the end of a game (§2).
const END_TIME: Duration = Duration::from_secs(6);

/// Part of a script for one program.
#[derive(Debug)]
pub(super) struct Script2015 {
    /// Shell command.
    command: String,
    steps: Vec<Step2015>,
    /// Shared with the other script.
    clocks: Arc<Clocks>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step2015 {
    Send(Vec<u8>),
    /// Sends this program the other program's move for a color.
    Insert(Color),
    /// Waits for this program's move for a color.
    Make(Color),
    /// Lets this program play both sides, starting with a color.
    PlayAlone(Color),
    /// Lets the other program play a color and this one the opposite color, until the game ends.
    PlayAgainst(Color),
    /// Waits for the end of a game.
    End(Wanted, EndUse),
}

/// Expected end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Any,
    Only(Outcome),
}

/// Use of the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndUse {
    Nothing,
    /// Result of the test.
    Announced,
}

impl Role for Script2015 {
    fn command(&self) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(&self.command);
        command
    }

    fn perform(&self, actor: &Actor) -> Result<(), Halt> {
        let game = ProgramGame { actor, clocks: &self.clocks };
        for step in &self.steps {
            match *step {
                Step2015::Send(ref bytes) => actor.send_line(bytes),
                Step2015::Insert(color) => game.insert(color)?,
                Step2015::Make(color) => game.make(color)?,
                Step2015::PlayAlone(color) => game.play_alone(color)?,
                Step2015::PlayAgainst(color) => game.play_against(color)?,
                Step2015::End(wanted, then) => game.end(wanted, then)?,
            }
        }
        Ok(())
    }
}

/// Game of one program.
struct ProgramGame<'a> {
    actor: &'a Actor<'a>,
    clocks: &'a Clocks,
}

impl ProgramGame<'_> {
    fn insert(&self, color: Color) -> Result<(), Halt> {
        match self.others(color)? {
            Event::Move { text, .. } => self.actor.send_move(&text),
            end => return Err(Halt::unexpected(&end, &format!("the other program's {}", move_of(color)))),
        }
        Ok(())
    }

    fn make(&self, color: Color) -> Result<(), Halt> {
        match self.own(color)? {
            moved @ Event::Move { .. } => self.actor.pass_on(moved),
            end => return Err(Halt::unexpected(&end, &move_of(color))),
        }
        Ok(())
    }

    fn play_alone(&self, mut color: Color) -> Result<(), Halt> {
        while let Event::Move { .. } = self.own(color)? {
            color = !color;
        }
        Ok(())
    }

    fn play_against(&self, color: Color) -> Result<(), Halt> {
        while let Event::Move { text, .. } = self.others(color)? {
            self.actor.send_move(&text);
            let own = self.own(!color)?;
            let is_end = matches!(own, Event::End(_));
            self.actor.pass_on(own);
            if is_end {
                break;
            }
        }
        Ok(())
    }

    fn end(&self, wanted: Wanted, then: EndUse) -> Result<(), Halt> {
        let awaited = match wanted {
            Wanted::Any => "the end of the game",
            Wanted::Only(result) => ended(result),
        };
        let taken = self.actor.take(Instant::now() + END_TIME, awaited)?;
        match taken.event {
            Event::End(result) if wanted == Wanted::Any || wanted == Wanted::Only(result) => {
                if then == EndUse::Announced {
                    self.actor.announce(result);
                }
                Ok(())
            }
            other => Err(Halt::unexpected(&other, awaited)),
        }
    }

    /// Waits for this program's next event: a move of `color`, which is taken, or an end, which stays unread.
    fn own(&self, color: Color) -> Result<Event, Halt> {
        let awaited = move_of(color);
        let event = self.clocks.during(color, |deadline| self.actor.next(deadline, &awaited))?;
        if let Event::End(_) = event {
            return Ok(event);
        }
        self.actor.take(Instant::now(), &awaited)?;
        check(event, color)
    }

    /// Takes the other program's next event: a move of `color`, or an end.
    fn others(&self, color: Color) -> Result<Event, Halt> {
        let awaited = format!("the other program's {}", move_of(color));
        check(self.clocks.during(color, |deadline| self.actor.take_other(deadline, &awaited))?, color)
    }
}

/// Checks that a move was made by `color`.
fn check(event: Event, color: Color) -> Result<Event, Halt> {
    match event {
        Event::Move { by, .. } if by != Some(color) => Err(Halt::unexpected(&event, &move_of(color))),
        event => Ok(event),
    }
}

fn move_of(color: Color) -> String {
    format!("move of {color}")
}
