//! What does a script of 2015 mean (§2)? One file for one or two programs, with instructions that begin with `%`.

pub(super) mod read;

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::clocks::Clocks;
use super::test_run::{Actor, Halt, Role};
use crate::game::{Color, Outcome};
use crate::protocol::commands::grammar::{Event, ended};

/// An end of a game comes within this time of its instruction (§2).
const END_TIME: Duration = Duration::from_secs(6);

/// A program's part of a script.
#[derive(Debug)]
pub(super) struct Script2015 {
    /// For the shell.
    command: String,
    steps: Vec<Step2015>,
    /// Shared with the other script.
    clocks: Arc<Clocks>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step2015 {
    Send(Vec<u8>),
    /// The other program's move of a color is sent here.
    Insert(Color),
    /// This program moves for a color.
    Make(Color),
    /// This program plays both sides, a color first.
    PlayAlone(Color),
    /// The other program moves for a color, this one for the other, until the end.
    PlayAgainst(Color),
    /// The end of a game.
    End(Wanted, EndUse),
}

/// Which end of a game is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Any,
    Only(Outcome),
}

/// What the end of a game is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndUse {
    Nothing,
    /// It is the test's result.
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
                Step2015::Send(ref bytes) => actor.send(bytes),
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

/// The game of one program.
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
        match taken.message {
            Event::End(result) if wanted == Wanted::Any || wanted == Wanted::Only(result) => {
                if then == EndUse::Announced {
                    self.actor.announce(result);
                }
                Ok(())
            }
            other => Err(Halt::unexpected(&other, awaited)),
        }
    }

    /// This program's next message: a move of `color`, or an end, which stays unread.
    fn own(&self, color: Color) -> Result<Event, Halt> {
        let awaited = move_of(color);
        let message = self.clocks.during(color, |deadline| self.actor.next(deadline, &awaited))?;
        if let Event::End(_) = message {
            return Ok(message);
        }
        self.actor.take(Instant::now(), &awaited)?;
        check(message, color)
    }

    /// The other program's next message: a move of `color`, or an end.
    fn others(&self, color: Color) -> Result<Event, Halt> {
        let awaited = format!("the other program's {}", move_of(color));
        check(self.clocks.during(color, |deadline| self.actor.take_other(deadline, &awaited))?, color)
    }
}

/// A move must be one of `color`.
fn check(message: Event, color: Color) -> Result<Event, Halt> {
    match message {
        Event::Move { by, .. } if by != Some(color) => Err(Halt::unexpected(&message, &move_of(color))),
        message => Ok(message),
    }
}

fn move_of(color: Color) -> String {
    format!("move of {color}")
}
