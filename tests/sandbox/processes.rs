//! Long-lived agents.

use std::time::{Duration, Instant};

use kingline::master::sandbox::{Cell, DiskLimit, End, Heard, Job, Limits, Output, Process, Wait};

use super::{limits, sandbox};
use crate::command::Dir;

/// Longer than anything here takes.
const LONG: Wait = Wait { cpu: None, wall: Duration::from_secs(30) };

fn cell(dir: &Dir) -> Cell {
    sandbox().cell(&dir.path(""), "cell", DiskLimit::default()).expect("a cell")
}

fn shell(cell: &mut Cell, script: &str, limits: Limits) -> Process {
    let job = Job {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        readable: Vec::new(),
        input: Vec::new(),
        output: Output::Keep { bytes: 1 << 16 },
        limits,
    };
    cell.start(&job).expect("a process")
}

fn line(text: &str) -> Heard {
    Heard::Line(text.to_owned())
}

#[test]
fn lines_go_to_and_fro() {
    let dir = Dir::new();
    let mut cell = cell(&dir);
    let mut process = shell(&mut cell, "while read word; do echo \"heard $word\"; done; printf 'and a rest'", limits());
    for word in ["one", "two", "three"] {
        process.send(word).expect("somebody who listens");
        assert_eq!(process.line(LONG).expect("a line"), line(&format!("heard {word}")));
    }
    let run = process.finish(LONG.wall).expect("an end");
    assert_eq!((run.end, &run.stdout[..]), (End::Exited(0), &b"and a rest"[..]));
    let mut process = shell(&mut cell, "echo a; printf b", limits());
    let heard: Vec<Heard> = (0..3).map(|_| process.line(LONG).expect("something")).collect();
    assert_eq!(heard, [line("a"), line("b"), Heard::Closed]);
    let start = Instant::now();
    while process.send("anybody there?").is_ok() {
        assert!(start.elapsed() < LONG.wall, "who has ended still listens");
    }
}

#[test]
fn who_takes_too_long_is_ended() {
    let dir = Dir::new();
    let mut cell = cell(&dir);
    let mut over = |script: &str, limits: Limits, wait: Wait| {
        let mut process = shell(&mut cell, script, limits);
        let heard = process.line(wait).expect("an end");
        let run = process.kill().expect("an end");
        (heard, run.end)
    };
    let spin = "while :; do :; done";
    let (little, none) = (Duration::from_millis(50), Wait { wall: Duration::from_millis(50), ..LONG });
    let expected = |end: End| (Heard::Over(end.clone()), end);
    assert_eq!(over("read nothing", limits(), none), expected(End::OverWall));
    assert_eq!(over(spin, limits(), Wait { cpu: Some(little), ..LONG }), expected(End::OverCpu));
    assert_eq!(over(spin, Limits { cpu: Some(little), ..limits() }, LONG), expected(End::OverCpu));
    assert_eq!(over(spin, Limits { wall: little, ..limits() }, LONG), expected(End::OverWall));
    assert_eq!(over("while :; do echo xxxxxxxxxxxxxxxx; done", limits(), LONG).0, line("xxxxxxxxxxxxxxxx"));
}

#[test]
fn who_does_not_listen_holds_nobody_up() {
    let dir = Dir::new();
    let mut cell = cell(&dir);
    let mut process = shell(&mut cell, "read -r word; sleep 100; exec sleep 100", limits());
    let (start, text) = (Instant::now(), "x".repeat(1000));
    let sent = (0..10_000).take_while(|_| process.send(&text).is_ok()).count();
    assert!((1000..2000).contains(&sent), "{sent} lines");
    let run = process.finish(Duration::from_millis(50)).expect("an end");
    assert!(matches!(run.end, End::OverWall | End::Exited(2)), "{run:?}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn cpu_time_goes_on_from_line_to_line() {
    let dir = Dir::new();
    let mut cell = cell(&dir);
    let script = "while read word; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; done";
    let mut process = shell(&mut cell, script, limits());
    let mut last = Duration::ZERO;
    for _ in 0..3 {
        process.send("go").expect("somebody who listens");
        assert_eq!(process.line(LONG).expect("a line"), line("done"));
        let now = process.cpu().expect("a clock");
        assert!(now > last + Duration::from_millis(1), "{last:?}, then {now:?}");
        last = now;
    }
    let run = process.finish(LONG.wall).expect("an end");
    assert!(run.cpu >= last && run.cpu < last + Duration::from_millis(50), "{last:?}, then {:?}", run.cpu);
}
