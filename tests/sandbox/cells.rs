//! Working directories, and the files that agents leave in them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use kingline_master::sandbox::{Cell, DiskLimit, Job, JobEnd, UntrustedFileError, read_untrusted};
use nix::sys::stat::Mode;

use super::{cell, hostile, job, sandbox};
use crate::support::command::Dir;

fn behave(cell: &mut Cell, behavior: &str) {
    let end = cell.run(&job(hostile(), &[behavior])).expect("a run").end;
    // If the sandbox counts files, a tree too deep to count exceeds the limit.
    let is_deep = behavior == "dig" && end == JobEnd::OverDisk;
    assert!(end == JobEnd::Exited(0) || is_deep, "{behavior}: {end}");
}

#[test]
fn only_regular_files_of_the_right_size_are_read() {
    let dir = Dir::new();
    let mut cell = cell(&dir);
    let mut found = |behavior: &str| {
        cell.renew().expect("a clean cell");
        cell.write("input.txt", b"?").expect("a question");
        behave(&mut cell, behavior);
        cell.read("output.txt", 1000)
    };
    assert!(matches!(found("nothing"), Err(UntrustedFileError::Missing)));
    assert!(matches!(found("empty"), Ok(bytes) if bytes.is_empty()));
    assert!(matches!(found("garbage"), Ok(bytes) if bytes.starts_with(&[0, 159])));
    assert!(matches!(found("megabyte"), Err(UntrustedFileError::TooLarge { bytes: 1_048_576 })));
    assert!(matches!(found("link"), Err(UntrustedFileError::Link)));
    assert!(matches!(found("fifo"), Err(UntrustedFileError::Fifo)));
    assert!(matches!(found("directory"), Err(UntrustedFileError::Directory)));
}

#[test]
fn anything_under_a_name_is_replaced_or_removed() {
    let (dir, outside) = (Dir::new(), Dir::new());
    outside.write("precious", "kept");
    let mut cell = cell(&dir);
    for behavior in ["megabyte", "link", "fifo", "directory"] {
        behave(&mut cell, behavior);
        cell.write("output.txt", b"ours").expect("a file");
        assert_eq!(cell.read("output.txt", 10).expect("a file"), b"ours", "{behavior}");
        cell.remove("output.txt").expect("nothing left");
        assert!(matches!(cell.read("output.txt", 10), Err(UntrustedFileError::Missing)), "{behavior}");
    }
    cell.remove("output.txt").expect("a missing file is no error");
    symlink(outside.path(""), cell.dir().join("elsewhere")).expect("a link");
    behave(&mut cell, "dig");
    cell.renew().expect("a clean cell");
    assert_eq!(fs::read_dir(cell.dir()).expect("a cell").count(), 0);
    assert_eq!(outside.read("precious").as_deref(), Some("kept"));
}

#[test]
fn files_persist_between_runs_and_are_removed_at_the_end() {
    let dir = Dir::new();
    let mut cell = cell(&dir);
    let mut shell = |script: &str| cell.run(&job("/bin/sh", &["-c", script])).expect("a run");
    assert_eq!(shell("echo 1 > playdata.txt; exec mkdir -m 0 closed").end, JobEnd::Exited(0));
    assert_eq!(shell("echo 2 >> playdata.txt; exec cat playdata.txt").stdout, b"1\n2\n");
    drop(cell);
    assert_eq!(dir.names(), [""; 0]);
}

#[test]
fn parent_folders_may_be_unreadable() {
    let dir = Dir::new();
    dir.make_dir("closed");
    dir.make_dir("closed/agent");
    dir.make_dir("closed/run");
    dir.write_program(
        "closed/agent/run.sh",
        "#!/bin/sh\nread line < \"${0%/*}/data\"; echo \"$line\" > \"$HOME/output.txt\"\n",
    );
    dir.write("closed/agent/data", "42\n");
    dir.set_mode("closed/agent", 0o755);
    dir.set_mode("closed", 0o700);
    let mut cell = sandbox().cell(&dir.path("closed/run"), "cell", DiskLimit::default()).expect("a cell");
    let run = cell
        .run(&Job { readable: vec![dir.path("closed/agent")], ..job(dir.path("closed/agent/run.sh"), &[]) })
        .expect("a run");
    assert_eq!(run.end, JobEnd::Exited(0), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(cell.read("output.txt", 10).expect("an answer"), b"42\n");
}

#[test]
fn errors_name_the_kind_of_a_file_that_is_not_regular() {
    let dir = Dir::new();
    let path = dir.path("x");
    let read = || read_untrusted(&path, 3);
    assert!(matches!(read(), Err(UntrustedFileError::Missing)));
    fs::write(&path, "abc").expect("a file");
    assert_eq!(read().expect("three bytes"), b"abc");
    fs::write(&path, "abcd").expect("a file");
    assert!(matches!(read(), Err(UntrustedFileError::TooLarge { bytes: 4 })));
    fs::remove_file(&path).expect("a file");
    nix::unistd::mkfifo(&path, Mode::S_IRWXU).expect("a pipe");
    assert!(matches!(read(), Err(UntrustedFileError::Fifo)));
    fs::remove_file(&path).expect("a pipe");
    let _socket = std::os::unix::net::UnixListener::bind(&path).expect("a socket");
    assert!(matches!(read(), Err(UntrustedFileError::Other)));
    assert!(matches!(read_untrusted(Path::new("/dev/null"), 3), Err(UntrustedFileError::Other)));
}
