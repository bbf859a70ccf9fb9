//! Long-lived agents.

use std::time::{Duration, Instant};

use kingline_master::sandbox::{Cell, Job, JobEnd, JobLimits, NextLine, Process};

use super::{cell, job, limits};
use crate::support::command::Dir;

/// Longer than any test here takes.
const LONG: Duration = Duration::from_secs(30);

fn shell(cell: &mut Cell, script: &str, limits: JobLimits) -> Process {
    cell.start(&Job { limits, ..job("/bin/sh", &["-c", script]) }).expect("a process")
}

fn line(text: &str) -> NextLine {
    NextLine::Line(text.to_owned())
}

#[test]
fn lines_are_exchanged() {
    let dir = Dir::new();
    let mut cell = cell(&dir);
    let mut process = shell(&mut cell, "while read word; do echo \"heard $word\"; done; printf 'and a rest'", limits());
    for word in ["one", "two", "three"] {
        process.send(word).expect("an open input");
        assert_eq!(process.line(LONG).expect("a line"), line(&format!("heard {word}")));
    }
    let run = process.finish(LONG).expect("an end");
    assert_eq!((run.end, &run.stdout[..]), (JobEnd::Exited(0), &b"and a rest"[..]));
    let mut process = shell(&mut cell, "echo a; printf b", limits());
    let lines: Vec<NextLine> = (0..3).map(|_| process.line(LONG).expect("something")).collect();
    assert_eq!(lines, [line("a"), line("b"), NextLine::Closed]);
    let start = Instant::now();
    while process.send("more").is_ok() {
        assert!(start.elapsed() < LONG, "the process has ended but still accepts lines");
    }
}

#[test]
fn an_agent_that_takes_too_long_is_ended() {
    let dir = Dir::new();
    let mut cell = cell(&dir);
    let mut over = |script: &str, limits: JobLimits, wait: Duration| {
        let mut process = shell(&mut cell, script, limits);
        let next = process.line(wait).expect("an end");
        let run = process.kill().expect("an end");
        (next, run.end)
    };
    let spin = "while :; do :; done";
    let little = Duration::from_millis(50);
    let expected = |end: JobEnd| (NextLine::Over(end.clone()), end);
    assert_eq!(over("read nothing", limits(), little), expected(JobEnd::OverWall));
    assert_eq!(over(spin, JobLimits { cpu: Some(little), ..limits() }, LONG), expected(JobEnd::OverCpu));
    assert_eq!(over(spin, JobLimits { wall: little, ..limits() }, LONG), expected(JobEnd::OverWall));
    assert_eq!(over("while :; do echo xxxxxxxxxxxxxxxx; done", limits(), LONG).0, line("xxxxxxxxxxxxxxxx"));
}

#[test]
fn an_agent_that_does_not_read_blocks_nobody() {
    let dir = Dir::new();
    let mut cell = cell(&dir);
    let mut process = shell(&mut cell, "read -r word; sleep 100; exec sleep 100", limits());
    let (start, text) = (Instant::now(), "x".repeat(1000));
    let sent = (0..10_000).take_while(|_| process.send(&text).is_ok()).count();
    assert!((1000..2000).contains(&sent), "{sent} lines");
    let run = process.finish(Duration::from_millis(50)).expect("an end");
    assert!(matches!(run.end, JobEnd::OverWall | JobEnd::Exited(2)), "{run:?}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn cpu_time_accumulates_from_line_to_line() {
    let dir = Dir::new();
    let mut cell = cell(&dir);
    let script = "while read word; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; done";
    let mut process = shell(&mut cell, script, limits());
    let mut last = Duration::ZERO;
    for _ in 0..3 {
        process.send("go").expect("an open input");
        assert_eq!(process.line(LONG).expect("a line"), line("done"));
        let now = process.cpu().expect("a clock");
        assert!(now > last + Duration::from_millis(1), "{last:?}, then {now:?}");
        last = now;
    }
    let run = process.finish(LONG).expect("an end");
    assert!(run.cpu >= last && run.cpu < last + Duration::from_millis(50), "{last:?}, then {:?}", run.cpu);
}

/// Without a control group, an agent starts while the other side thinks, and nothing observes it.
#[test]
fn time_before_a_turn_is_not_part_of_it() {
    let dir = Dir::new();
    let mut cell = cell(&dir);
    let mut process = shell(&mut cell, "while read word; do sleep 0.1; echo $word; done", limits());
    for word in ["one", "two"] {
        std::thread::sleep(Duration::from_millis(1200));
        process.thaw().expect("a process");
        let start = process.time().expect("times");
        process.send(word).expect("an open input");
        assert_eq!(process.line(LONG).expect("a line"), line(word));
        let turn = process.time().expect("times") - start;
        assert!(turn.unseen + turn.own < Duration::from_millis(1000), "{word}: {turn:?}");
    }
}
