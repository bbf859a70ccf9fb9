//! Refused lines and queries leave the game unchanged.
#![no_main]

use std::ops::ControlFlow;
use std::time::Duration;

use kingline_players::play::{Reply, Session, Spectators};
use kingline_players::protocol::commands::{COURSE_2015, COURSE_2020, Command, Pace};
use libfuzzer_sys::fuzz_target;

/// Returns true if a command may change the game.
fn changes(command: &Command) -> bool {
    use Command::{Board, Dump, Help, Moves, Print, Quit};
    !matches!(command, Dump | Board | Print | Moves | Help | Quit)
}

fuzz_target!(|text: &str| {
    for dialect in [&COURSE_2020, &COURSE_2015] {
        let mut session = Session::new(dialect, Some(Pace::Constant(Duration::from_nanos(1))));
        for line in text.lines() {
            let dump = |session: &mut Session| match session.execute(&Command::Dump) {
                Ok(Reply::Output(text)) => (text, session.state.prompt()),
                other => panic!("{other:?}"),
            };
            let before = dump(&mut session);
            let changed = match dialect.read(line) {
                // No files may be read or written.
                Ok(Some(Command::Save(_) | Command::Load(_) | Command::Seed(_))) | Ok(None) | Err(_) => false,
                Ok(Some(command)) => changes(&command) && session.execute(&command).is_ok(),
            };
            assert!(changed || dump(&mut session) == before);
            while session.automatic_turn(Spectators::Present, &mut |_| ControlFlow::Continue(())).is_some() {
                assert!(changed);
            }
        }
    }
});
