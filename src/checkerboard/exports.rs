//! The functions that CheckerBoard calls. Only this file uses its pointers.
//!
//! No panic crosses the boundary, and null pointers are not used. Arrays may have any alignment. Only the bytes of a
//! text and its end are written, since buffers are often shorter than the sources say.

use std::ffi::{c_char, c_int};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::thread;

use super::board::{Board, CbMove, read_position, write_position};
use super::engine::{Claim, Engine, Refusal, Request, Watcher};
use super::time::{TimeControl, is_reset};
use kingline::game::Game;

const COMMAND_BYTES: usize = 256;
/// Most bytes of a reply, its end included: CheckerBoard's dialogs have no more.
const REPLY_BYTES: usize = 256;
/// Most bytes of a text about a search, its end included. There is room for 1024, but CheckerBoard adds words of its own
/// to copies of the same size.
const TEXT_BYTES: usize = 512;
/// Stack of the thread that searches: the caller's may be small.
const STACK: usize = 8 << 20;

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);

/// Chooses a move for `color` on `board`, plays it there, and describes it in `mv`. Returns a result: 0 draw, 1 win, 2
/// loss, 3 unknown. The crate's page describes the arguments.
///
/// # Safety
/// Each pointer is null, or points to: `board`, 64 numbers to read and write; `text`, 512 bytes to write; `play_now`, a
/// number that other threads may change; `mv`, a move to write.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a C interface")]
pub unsafe extern "system" fn getmove(
    board: *mut Board,
    color: c_int,
    maxtime: f64,
    text: *mut c_char,
    play_now: *mut c_int,
    info: c_int,
    more_info: c_int,
    mv: *mut CbMove,
) -> c_int {
    let mut text = Text { bytes: text, most: TEXT_BYTES };
    let chosen = catch_unwind(AssertUnwindSafe(|| {
        if board.is_null() {
            return Err("no board".to_owned());
        }
        // SAFETY: `board` is not null, so the caller guarantees 64 numbers; they may have any alignment.
        let mut squares = unsafe { board.read_unaligned() };
        let position = read_position(&squares, color).map_err(|error| error.to_string())?;
        // SAFETY: `play_now` is not null and aligned, so the caller guarantees a number as long as the call lasts. It is
        // only read here, in one piece.
        let play_now = unsafe { if play_now.is_aligned() { play_now.cast::<AtomicI32>().as_ref() } else { None } };
        let time = TimeControl::read(maxtime, info, more_info);
        let request = Request { position, time, is_new_game: is_reset(info) };
        let (best, claim) = on_large_stack(|| ENGINE.choose(&request, &mut Caller { play_now, text: &mut text }))
            .map_err(|error| error.to_string())?;
        if let Some(best) = best {
            write_position(&position.play(best), &mut squares);
            // SAFETY: as above.
            unsafe { board.write_unaligned(squares) };
            if !mv.is_null() {
                // SAFETY: `mv` is not null, so the caller guarantees room for a move; it may have any alignment.
                unsafe { mv.write_unaligned(CbMove::new(&position, best)) };
            }
        }
        Ok(claim)
    }));
    match chosen {
        Ok(Ok(Claim::Draw)) => 0,
        Ok(Ok(Claim::Win)) => 1,
        Ok(Ok(Claim::Loss)) => 2,
        Ok(Ok(Claim::Unknown)) => 3,
        Ok(Err(reason)) => {
            text.write(&reason);
            3
        }
        Err(_) => {
            text.write("the engine has failed");
            3
        }
    }
}

/// Follows a command, and writes a reply. Returns 1 if the command was followed, else 0.
///
/// # Safety
/// `command` is null, or points to a text of at most 256 bytes; a shorter one ends with a zero. `reply` is null, or points
/// to 256 bytes to write.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a C interface")]
pub unsafe extern "system" fn enginecommand(command: *const c_char, reply: *mut c_char) -> c_int {
    let mut reply = Text { bytes: reply, most: REPLY_BYTES };
    let followed = catch_unwind(|| {
        if command.is_null() {
            return Err(Refusal::Unknown);
        }
        // SAFETY: `command` is not null, so the caller guarantees that the bytes up to the first zero can be read, or 256
        // if none of them is zero. The iterator reads no byte after that.
        let bytes = (0..COMMAND_BYTES).map(|place| unsafe { command.add(place).read() }.cast_unsigned());
        let bytes: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
        ENGINE.follow(&decoded(bytes))
    });
    let (text, result) = match followed {
        Ok(Ok(text)) => (text, 1),
        Ok(Err(Refusal::Unknown)) => ("?".to_owned(), 0),
        Ok(Err(Refusal::Wrong(reason))) => (reason, 0),
        Err(_) => ("the engine has failed".to_owned(), 0),
    };
    reply.write(&text);
    result
}

/// Text of a command: UTF-8, or else one letter a byte.
fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

/// Runs a function in a thread with a large stack. A panic there goes on here.
fn on_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let running = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run)?;
        Ok(running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

struct Caller<'a> {
    play_now: Option<&'a AtomicI32>,
    text: &'a mut Text,
}

impl Watcher for Caller<'_> {
    fn is_move_wanted(&self) -> bool {
        self.play_now.is_some_and(|play_now| play_now.load(Relaxed) != 0)
    }

    fn show(&mut self, text: &str) {
        self.text.write(text);
    }
}

/// A caller's buffer for a text.
struct Text {
    /// Null, or `most` bytes.
    bytes: *mut c_char,
    most: usize,
}

// SAFETY: the caller of the function that made it waits until no other thread uses it, and guarantees the bytes that long.
#[expect(unsafe_code, reason = "a pointer of the caller")]
unsafe impl Send for Text {}

impl Text {
    /// Writes a text and its end, as far as there is room. Letters outside of ASCII become `?`.
    fn write(&mut self, text: &str) {
        if self.bytes.is_null() {
            return;
        }
        let letters =
            text.chars().take(self.most - 1).map(|letter| if letter.is_ascii() { letter as u8 } else { b'?' });
        let letters: Vec<u8> = letters.collect();
        // CheckerBoard may read at any time. The end is written first, so that the text always has one.
        let ending = std::iter::once((letters.len(), 0));
        for (place, letter) in ending.chain(letters.iter().copied().enumerate()) {
            // SAFETY: `place` is below `most`, so the byte is one of the caller's. Volatile writes keep their order and
            // are never left out.
            #[expect(unsafe_code, reason = "a pointer of the caller")]
            unsafe {
                self.bytes.add(place).write_volatile(letter.cast_signed());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_within_their_buffer() {
        let mut buffer = [7; 8];
        let mut text = Text { bytes: buffer.as_mut_ptr(), most: 6 };
        text.write("abcdefgh");
        assert_eq!(buffer.map(i8::cast_unsigned), *b"abcde\0\x07\x07");
        let mut text = Text { bytes: buffer.as_mut_ptr(), most: 6 };
        text.write("é\n");
        assert_eq!(buffer.map(i8::cast_unsigned), *b"?\n\0de\0\x07\x07");
    }

    #[test]
    fn a_panic_is_caught_and_the_engine_plays_on() {
        let engine = Engine::default();
        struct Broken;
        impl Watcher for Broken {
            fn is_move_wanted(&self) -> bool {
                panic!("a planted panic")
            }
            fn show(&mut self, _: &str) {}
        }
        struct Calm;
        impl Watcher for Calm {
            fn is_move_wanted(&self) -> bool {
                false
            }
            fn show(&mut self, _: &str) {}
        }
        let time = TimeControl::Exact(std::time::Duration::from_millis(20));
        let request = Request { position: kingline::checkers::Position::start(), time, is_new_game: false };
        let caught = catch_unwind(AssertUnwindSafe(|| on_large_stack(|| engine.choose(&request, &mut Broken))));
        assert!(caught.is_err());
        assert!(on_large_stack(|| engine.choose(&request, &mut Calm)).is_ok_and(|(best, _)| best.is_some()));
    }
}
