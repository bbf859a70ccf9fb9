//! Right and wrong answers to a turn of checkers played by files.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use kingline::checkers::Route;
use kingline::game::Game;
use kingline_players::protocol::turn_files::{INPUT, OUTPUT, PLAYDATA, TurnRequest, write_answer};

/// Answers with the first legal move, if input.txt can be read.
pub(crate) fn answer() {
    let Ok(request) = TurnRequest::read(Path::new(INPUT)) else { return };
    let moves = request.position.legal_moves();
    if let Some(&mv) = moves.first() {
        write(write_answer(&Route::of(&request.position, mv)));
    }
}

fn write(answer: impl AsRef<[u8]>) {
    fs::write(OUTPUT, answer).expect("an output.txt");
}

pub(crate) fn empty() {
    write("");
}

pub(crate) fn garbage() {
    write([0, 159, 146, 150, b'\n', 0xff, b'E', b' ', 7]);
}

pub(crate) fn megabyte() {
    write("E c3 b4\n".repeat(1 << 17));
}

/// Answers with a link to a file that exists on every system.
pub(crate) fn link() {
    symlink("/etc/passwd", OUTPUT).expect("a link");
}

/// Answers with a pipe, which blocks forever when opened.
pub(crate) fn fifo() {
    nix::unistd::mkfifo(OUTPUT, nix::sys::stat::Mode::from_bits_truncate(0o666)).expect("a pipe");
}

pub(crate) fn directory() {
    fs::create_dir_all(Path::new(OUTPUT).join("a/b")).expect("a directory");
    fs::write(Path::new(OUTPUT).join("a/b/c"), "c").expect("a file");
    fs::set_permissions(Path::new(OUTPUT).join("a"), PermissionsExt::from_mode(0o000)).expect("modes");
}

pub(crate) fn unreadable() {
    answer();
    fs::set_permissions(OUTPUT, PermissionsExt::from_mode(0o000)).expect("modes");
}

/// Answers only the first turn of a game.
pub(crate) fn stale() {
    if fs::exists(PLAYDATA).is_ok_and(|there| !there) {
        answer();
        fs::write(PLAYDATA, "answered\n").expect("a playdata.txt");
    }
}

/// Answers, then overwrites input.txt with another board and more time.
pub(crate) fn alter_input() {
    answer();
    let board = "........\n........\n........\n........\n........\nw.......\n........\n........\n";
    fs::write(INPUT, format!("GAME\nWHITE\n100000.0\n{board}")).expect("an input.txt");
}

pub(crate) fn exit_code() {
    answer();
    std::process::exit(3);
}

/// Crashes by writing to a bad address.
pub(crate) fn crash() {
    let nowhere = std::hint::black_box(std::ptr::dangling_mut::<u64>());
    // SAFETY: none; the write is meant to fail.
    unsafe { nowhere.write_volatile(1) };
}
