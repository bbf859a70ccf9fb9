//! The other side of the interface: loads the library, and calls its two functions.

use std::env::{self, consts::DLL_PREFIX, consts::DLL_SUFFIX};
use std::ffi::{c_char, c_int};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kingline_checkerboard::board::{Board, CbMove};
use libloading::Library;

type GetMove =
    unsafe extern "system" fn(*mut Board, c_int, f64, *mut c_char, *mut c_int, c_int, c_int, *mut CbMove) -> c_int;
type EngineCommand = unsafe extern "system" fn(*const c_char, *mut c_char) -> c_int;

/// Filling of the buffers, which shows the bytes that were written.
const FILLING: c_char = 0x55;
/// Bytes that a text about a search may take.
pub(crate) const TEXT: usize = 512;
/// Bytes that a reply may take.
pub(crate) const REPLY: usize = 256;
/// Result of `getmove` if nothing is certain.
pub(crate) const UNKNOWN: c_int = 3;

/// A process has one engine, which one test at a time uses.
static ONE: Mutex<()> = Mutex::new(());

pub(crate) struct Engine {
    getmove: GetMove,
    enginecommand: EngineCommand,
    _library: Library,
    _one: MutexGuard<'static, ()>,
}

/// Arguments of `getmove`; pointers that are `None` become null.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) board: Option<Board>,
    pub(crate) color: c_int,
    pub(crate) time: f64,
    pub(crate) has_text: bool,
    pub(crate) play_now: Option<c_int>,
    pub(crate) info: c_int,
    pub(crate) more_info: c_int,
    pub(crate) has_move: bool,
}

/// Result of `getmove`, and what it wrote; `None` where the pointer was null.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) result: c_int,
    pub(crate) board: Option<Board>,
    pub(crate) text: Option<String>,
    pub(crate) mv: Option<CbMove>,
}

impl Engine {
    /// Loads the library, which is beside this program, and sets a small table.
    pub(crate) fn load() -> Engine {
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder: PathBuf = env::current_exe().expect("this program").parent().expect("its folder").to_owned();
        let path = folder.join(format!("{DLL_PREFIX}kingline_checkerboard{DLL_SUFFIX}"));
        #[expect(unsafe_code, reason = "loading runs the library's own start, which does nothing")]
        let library = unsafe { Library::new(&path) }.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // SAFETY: the types are those of the functions' definitions.
        #[expect(unsafe_code, reason = "a symbol has no type")]
        let (getmove, enginecommand) = unsafe {
            let getmove = library.get::<GetMove>(b"getmove").expect("getmove");
            (*getmove, *library.get::<EngineCommand>(b"enginecommand").expect("enginecommand"))
        };
        let engine = Engine { getmove, enginecommand, _library: library, _one: one };
        for setting in ["hashsize 16", "searchthreads 1", "allscores 0", "nodes 0", "dbpath", "gamehist"] {
            let reply = engine.command(&format!("set {setting}"));
            assert_eq!(reply.0, 1, "{reply:?}");
        }
        engine
    }

    /// Sends a command. Returns the result and the reply.
    pub(crate) fn command(&self, text: &str) -> (c_int, String) {
        self.command_bytes(text.as_bytes(), true)
    }

    /// The same for any bytes, with an end if there is room for it among 256.
    pub(crate) fn command_bytes(&self, bytes: &[u8], has_reply: bool) -> (c_int, String) {
        let mut command = [0; 256];
        for (place, &byte) in command.iter_mut().zip(bytes) {
            *place = byte.cast_signed();
        }
        let mut reply = [FILLING; 1024];
        let to = if has_reply { reply.as_mut_ptr() } else { std::ptr::null_mut() };
        // SAFETY: both arrays are as long as the interface says, or null.
        #[expect(unsafe_code, reason = "a C interface")]
        let result = unsafe { (self.enginecommand)(command.as_ptr(), to) };
        (result, if has_reply { read(&reply, REPLY) } else { String::new() })
    }

    pub(crate) fn no_command(&self) -> (c_int, String) {
        let mut reply = [FILLING; 1024];
        // SAFETY: the array is as long as the interface says; the other pointer is null.
        #[expect(unsafe_code, reason = "a C interface")]
        let result = unsafe { (self.enginecommand)(std::ptr::null(), reply.as_mut_ptr()) };
        (result, read(&reply, REPLY))
    }

    pub(crate) fn getmove(&self, mut call: Call) -> Answer {
        let (mut text, mut mv) = ([FILLING; 1024], CbMove::default());
        let text_pointer = if call.has_text { text.as_mut_ptr() } else { std::ptr::null_mut() };
        let move_pointer = if call.has_move { &raw mut mv } else { std::ptr::null_mut() };
        // SAFETY: everything is as large as the interface says, or null.
        #[expect(unsafe_code, reason = "a C interface")]
        let result = unsafe {
            (self.getmove)(
                pointer(call.board.as_mut()),
                call.color,
                call.time,
                text_pointer,
                pointer(call.play_now.as_mut()),
                call.info,
                call.more_info,
                move_pointer,
            )
        };
        let text = call.has_text.then(|| read(&text, TEXT));
        Answer { result, board: call.board, text, mv: call.has_move.then_some(mv) }
    }
}

fn pointer<T>(value: Option<&mut T>) -> *mut T {
    value.map_or(std::ptr::null_mut(), std::ptr::from_mut)
}

/// The text in a buffer, which may have changed it up to `most` bytes only.
fn read(buffer: &[c_char; 1024], most: usize) -> String {
    let end = buffer.iter().position(|&byte| byte == 0).expect("an end of the text");
    let changed = buffer.iter().rposition(|&byte| byte != FILLING).map_or(0, |last| last + 1);
    assert!(end < most && changed <= most, "{end} and {changed} of {most} bytes");
    let bytes = buffer[..end].iter().map(|byte| byte.cast_unsigned()).collect();
    let text = String::from_utf8(bytes).expect("a text");
    assert!(text.is_ascii(), "{text}");
    text
}
