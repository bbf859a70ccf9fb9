//! The functions that the page's script calls, with numbers only.
//!
//! The script asks for room with `reserve`, writes bytes there, and calls `load` or `answer` with their number. These
//! return the length of a text, which begins at `output`. Every length is checked against the room, and no function here
//! follows a pointer from the script: any arguments in any order give an answer or an error.

#![allow(unsafe_code, reason = "exported names and imported functions count as unsafe; nothing here is dereferenced")]

use std::cell::RefCell;
use std::ptr;
use std::time::Duration;

use crate::answer::failure;
use crate::{Engine, Part};

/// Most bytes that the script can write at once.
const MOST_BYTES: usize = 64 << 20;

// SAFETY: both are functions of the page's worker with these types. `report` only reads the text, during the call.
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since the page was opened.
    safe fn now() -> f64;
    /// Receives the text of this length, the JSON of an iteration.
    safe fn report(text: *const u8, length: usize);
}

#[derive(Default)]
struct Edge {
    engine: Engine,
    input: Vec<u8>,
    output: String,
}

thread_local! {
    static EDGE: RefCell<Edge> = RefCell::default();
}

/// Makes room for `length` bytes and returns its address; null if that is too much.
#[unsafe(no_mangle)]
extern "C" fn reserve(length: usize) -> *mut u8 {
    EDGE.with_borrow_mut(|edge| {
        edge.input.clear();
        if length > MOST_BYTES || edge.input.try_reserve_exact(length).is_err() {
            return ptr::null_mut();
        }
        edge.input.resize(length, 0);
        edge.input.as_mut_ptr()
    })
}

/// Gives the engine the first `length` bytes as a part. Returns the length of an error, or 0.
#[unsafe(no_mangle)]
extern "C" fn load(part: usize, length: usize) -> usize {
    EDGE.with_borrow_mut(|edge| {
        let loaded = match (Part::ALL.get(part), edge.input.get(..length)) {
            (Some(&part), Some(bytes)) => edge.engine.load(part, bytes),
            (None, _) => Err(format!("found part {part}, expected one below {}", Part::ALL.len())),
            (_, None) => Err(format!("found {length} bytes, expected at most {}", edge.input.len())),
        };
        edge.input = Vec::new();
        edge.output = loaded.err().unwrap_or_default();
        edge.output.len()
    })
}

/// Answers the request in the first `length` bytes. Returns the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn answer(length: usize) -> usize {
    kingline::clock::provide(page_time);
    EDGE.with_borrow_mut(|edge| {
        edge.output = match edge.input.get(..length) {
            Some(bytes) => edge.engine.answer(bytes, &mut |text| report(text.as_ptr(), text.len())),
            None => failure(format!("found {length} bytes, expected at most {}", edge.input.len())),
        };
        edge.output.len()
    })
}

/// Time since the page was opened. A page whose clock is broken ends every limited search.
fn page_time() -> Duration {
    Duration::try_from_secs_f64(now() / 1000.0).unwrap_or(Duration::MAX)
}

/// Address of the last text.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    EDGE.with_borrow(|edge| edge.output.as_ptr())
}
