use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::exchange::{Exchange, TakenEvent, WaitError};
use super::program::TestedProgram;
use super::rules::Fault;
use super::script::{EndUse, Step, WaitLimits};
use crate::protocol::commands::grammar::{Event, ended};
use kingline::game::{Color, Outcome, ParseError};

/// Longest wait of `#*win+` (§1).
const WIN_TIME: Duration = Duration::from_secs(5);
/// Longest wait of `%e` (§2).
const END_TIME: Duration = Duration::from_secs(6);

/// Names of awaited events in errors.
const NEXT: &str = "a move or the end of a game";
const END: &str = "the end of the game";

/// Reason why a script cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The program has failed the test, for this reason.
    Failed(String),
    /// The program prints nothing more, for this reason. Its exit status may explain it better.
    Silent(String),
    /// The test has failed elsewhere, or all programs are being closed.
    Stopped,
}

impl Halt {
    /// Failure of a program that printed `found` instead of `expected`.
    fn unexpected(found: &Event, expected: &str) -> Halt {
        Halt::Failed(ParseError::new(&found.to_string(), expected).to_string())
    }
}

/// A program and its part in the exchange.
pub(super) struct Actor<'a> {
    pub(super) exchange: &'a Exchange,
    pub(super) program: &'a TestedProgram,
    /// 0-based.
    pub(super) number: usize,
    pub(super) clocks: &'a Clocks,
}

impl Actor<'_> {
    pub(super) fn take_steps(&self, steps: &[Step]) -> Result<(), Halt> {
        let mut limits = WaitLimits { event: Duration::from_secs(10), instruction: Duration::from_secs(60) };
        for step in steps {
            let waits = Waits { actor: self, event: limits.event, until: Instant::now() + limits.instruction };
            match *step {
                Step::Send(ref bytes) => {
                    self.exchange.await_line(self.number);
                    self.program.send(bytes);
                }
                Step::Limit(new) => limits = new,
                Step::Move => waits.own_move()?,
                Step::LocalGame(then) => waits.local_game(then)?,
                Step::Win => Waits { event: limits.event.min(WIN_TIME), ..waits }.win()?,
                Step::RemoteGame(then) => waits.remote_game(then)?,
                Step::Insert(color) => self.insert(color)?,
                Step::Make(color) => self.make(color)?,
                Step::PlayAlone(color) => self.play_alone(color)?,
                Step::PlayAgainst(color) => self.play_against(color)?,
                Step::End(wanted, then) => self.end(wanted, then)?,
            }
        }
        Ok(())
    }

    fn send_move(&self, text: &str) {
        self.program.send(format!("{text}\n").as_bytes());
    }

    /// Waits for the program's next event, which stays unread; `awaited` names it in errors. When all programs are
    /// being closed, this one is closed as well. Its remaining output still counts, so that the slower of two scripts
    /// sees it in every run.
    fn next(&self, deadline: Instant, awaited: &str) -> Result<Event, Halt> {
        let next = match self.exchange.await_own(self.number, deadline) {
            Err(WaitError::Stopped) => {
                self.program.close();
                self.exchange.await_last(self.number).ok_or(Halt::Stopped)?
            }
            next => next,
        };
        next.map_err(|error| match error {
            WaitError::Malformed(reason) => Halt::Failed(reason),
            WaitError::Late => Halt::Failed(format!("time limit exceeded, waiting for {awaited}")),
            WaitError::Ended => Halt::Silent(format!("its output ended before {awaited}")),
            WaitError::Stopped => Halt::Stopped,
        })
    }

    fn take(&self, deadline: Instant, awaited: &str) -> Result<TakenEvent, Halt> {
        self.next(deadline, awaited)?;
        self.exchange.take_own(self.number).ok_or(Halt::Stopped)
    }

    /// Waits for the next event from the other program; `awaited` names it in errors.
    fn take_other(&self, deadline: Instant, awaited: &str) -> Result<Event, Halt> {
        self.exchange.take_forwarded(self.number, deadline).map_err(|error| match error {
            WaitError::Malformed(reason) => Halt::Failed(reason),
            WaitError::Late => Halt::Failed(format!("time limit exceeded, waiting for {awaited}")),
            WaitError::Ended => Halt::Failed(format!("the other script is done, waiting for {awaited}")),
            WaitError::Stopped => Halt::Stopped,
        })
    }

    /// Queues an event for the other program, if there is one.
    fn pass_on(&self, event: Event) {
        self.exchange.forward(self.number, event);
    }
}

/// Steps of 2020, with limits on each wait.
struct Waits<'a> {
    actor: &'a Actor<'a>,
    /// Longest wait for an event.
    event: Duration,
    /// Deadline for all events.
    until: Instant,
}

impl Waits<'_> {
    fn own_move(&self) -> Result<(), Halt> {
        let taken = match self.own("a move") {
            Err(Halt::Silent(_)) if self.actor.exchange.rules.ended_before_move == Fault::Forgiven => return Ok(()),
            taken => taken?,
        };
        match taken.event {
            Event::Move { .. } => Ok(()),
            Event::End(_) => Err(Halt::unexpected(&taken.event, "a move")),
        }
    }

    fn local_game(&self, then: EndUse) -> Result<(), Halt> {
        loop {
            let taken = self.own(NEXT)?;
            if let Event::End(_) = taken.event {
                self.record(&taken, then);
                return Ok(());
            }
        }
    }

    fn win(&self) -> Result<(), Halt> {
        let taken = self.own(END)?;
        match taken.event {
            Event::End(_) => self.record(&taken, EndUse::Recorded),
            Event::Move { .. } => return Err(Halt::unexpected(&taken.event, END)),
        }
        Ok(())
    }

    /// Alternately takes an event of the other program and one of this program, until both have announced the winner.
    fn remote_game(&self, then: EndUse) -> Result<(), Halt> {
        let mut others_end = None;
        let mut own_end: Option<(Outcome, TakenEvent)> = None;
        loop {
            match self.actor.take_other(self.deadline(), "the other program's move")? {
                Event::Move { text, .. } if own_end.is_none() => self.actor.send_move(&text),
                Event::End(result) => others_end = Some(result),
                moved => return Err(Halt::unexpected(&moved, "the end of the game, as announced by this program")),
            }
            if own_end.is_none() {
                let taken = self.own(NEXT)?;
                match taken.event {
                    Event::End(result) => own_end = Some((result, taken)),
                    Event::Move { .. } if others_end.is_none() => {}
                    Event::Move { .. } => {
                        let expected = "the end of the game, as announced by the other program";
                        return Err(Halt::unexpected(&taken.event, expected));
                    }
                }
            }
            if let (Some(others), Some((own, taken))) = (others_end, &own_end) {
                if others != *own {
                    let expected = format!("{}, as announced by the other program", Event::End(others));
                    return Err(Halt::unexpected(&taken.event, &expected));
                }
                self.record(taken, then);
                return Ok(());
            }
        }
    }

    /// Takes the program's next event, and queues it for the other program.
    fn own(&self, awaited: &str) -> Result<TakenEvent, Halt> {
        let taken = self.actor.take(self.deadline(), awaited)?;
        self.actor.pass_on(taken.event.clone());
        Ok(taken)
    }

    fn deadline(&self) -> Instant {
        self.until.min(Instant::now() + self.event)
    }

    fn record(&self, taken: &TakenEvent, then: EndUse) {
        if then == EndUse::Recorded {
            self.actor.exchange.record(self.actor.number, taken);
        }
    }
}

/// Steps of 2015, with a clock for each color.
impl Actor<'_> {
    fn insert(&self, color: Color) -> Result<(), Halt> {
        match self.others(color)? {
            Event::Move { text, .. } => self.send_move(&text),
            end => return Err(Halt::unexpected(&end, &format!("the other program's {}", move_of(color)))),
        }
        Ok(())
    }

    fn make(&self, color: Color) -> Result<(), Halt> {
        match self.own(color)? {
            moved @ Event::Move { .. } => self.pass_on(moved),
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
            self.send_move(&text);
            let own = self.own(!color)?;
            let is_end = matches!(own, Event::End(_));
            self.pass_on(own);
            if is_end {
                break;
            }
        }
        Ok(())
    }

    fn end(&self, wanted: Option<Outcome>, then: EndUse) -> Result<(), Halt> {
        let awaited = wanted.map_or(END, ended);
        let taken = self.take(Instant::now() + END_TIME, awaited)?;
        match taken.event {
            Event::End(result) if wanted.is_none_or(|wanted| wanted == result) => {
                if then == EndUse::Announced {
                    self.exchange.announce(result);
                }
                Ok(())
            }
            other => Err(Halt::unexpected(&other, awaited)),
        }
    }

    /// Waits for this program's next event: a move of `color`, which is taken, or an end, which stays unread.
    fn own(&self, color: Color) -> Result<Event, Halt> {
        let awaited = move_of(color);
        let event = self.clocks.during(color, |deadline| self.next(deadline, &awaited))?;
        if let Event::End(_) = event {
            return Ok(event);
        }
        self.take(Instant::now(), &awaited)?;
        check(event, color)
    }

    /// Takes the other program's next event: a move of `color`, or an end.
    fn others(&self, color: Color) -> Result<Event, Halt> {
        let awaited = format!("the other program's {}", move_of(color));
        check(self.clocks.during(color, |deadline| self.take_other(deadline, &awaited))?, color)
    }
}

fn check(event: Event, color: Color) -> Result<Event, Halt> {
    match event {
        Event::Move { by, .. } if by != Some(color) => Err(Halt::unexpected(&event, &move_of(color))),
        event => Ok(event),
    }
}

fn move_of(color: Color) -> String {
    format!("move of {color}")
}

/// Remaining time of both colors for a whole run of a 2015 script (§2). A color's clock runs while any script waits for
/// its move: the script of the program that must make it, the other script, or both.
#[derive(Debug)]
pub(super) struct Clocks(Mutex<[ColorClock; 2]>);

#[derive(Clone, Copy, Debug)]
struct ColorClock {
    left: Duration,
    waiting: u32,
    /// Start of the earliest wait still in progress.
    since: Instant,
}

impl Clocks {
    pub(super) fn new(time: Duration) -> Clocks {
        Clocks(Mutex::new([ColorClock { left: time, waiting: 0, since: Instant::now() }; 2]))
    }

    /// Runs the clock of `color` during `wait`, which receives the deadline.
    fn during<T>(&self, color: Color, wait: impl FnOnce(Instant) -> T) -> T {
        let deadline = {
            let clock = &mut self.lock()[color.index()];
            if clock.waiting == 0 {
                clock.since = Instant::now();
            }
            clock.waiting += 1;
            clock.since + clock.left
        };
        let waited = wait(deadline);
        let clock = &mut self.lock()[color.index()];
        clock.waiting -= 1;
        if clock.waiting == 0 {
            clock.left = clock.left.saturating_sub(clock.since.elapsed());
        }
        waited
    }

    fn lock(&self) -> MutexGuard<'_, [ColorClock; 2]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    const HOUR: Duration = Duration::from_secs(3600);

    fn left(clocks: &Clocks, color: Color) -> Duration {
        clocks.lock()[color.index()].left
    }

    #[test]
    fn concurrent_waits_count_time_once() {
        let clocks = Clocks::new(HOUR);
        let nap = Duration::from_millis(20);
        clocks.during(Color::Black, |first| {
            sleep(nap);
            clocks.during(Color::Black, |second| assert_eq!(first, second));
            assert_eq!(left(&clocks, Color::Black), HOUR, "somebody still waits");
        });
        assert!(left(&clocks, Color::Black) <= HOUR - nap);
        assert_eq!(left(&clocks, Color::White), HOUR);
    }

    #[test]
    fn used_up_time_stays_used_up() {
        let clocks = Clocks::new(Duration::from_millis(1));
        clocks.during(Color::White, |_| sleep(Duration::from_millis(5)));
        clocks.during(Color::White, |deadline| assert!(deadline <= Instant::now()));
    }
}
