//! Ends of jobs, and how they are reported.

use std::path::Path;
use std::time::Duration;

use kingline_master::sandbox::{Job, JobEnd, JobLimits, Run};

use super::{As, cell, hostile, job, limits, ways};
use crate::support::command::Dir;

#[test]
fn every_kind_of_end_is_recognized() {
    for way in ways() {
        for (behavior, expected) in [
            ("nothing", "exit code 0"),
            ("exit-code", "exit code 3"),
            ("crash", "ended by SIGSEGV"),
            // Its output is read without limit until its time is up.
            ("print", "CPU time used up"),
            ("complain", "CPU time used up"),
            ("fill-inodes", "working directory full"),
            ("large-file", "working directory full"),
            ("sleep", "hung"),
        ] {
            // An agent run by another agent exhausts the outer one's limits as well. Besides, it is not the first
            // process of a namespace, which would ignore the signal for a large file.
            if way.who == As::Agent && ["print", "fill-inodes", "large-file"].contains(&behavior) {
                continue;
            }
            let wall = if behavior == "sleep" { "0.2" } else { "20" };
            let time = if ["print", "complain"].contains(&behavior) { "0.3" } else { "5" };
            let tried = way.behave(&["--time", time, "--wall", wall], &[behavior]);
            assert_eq!(tried.end, expected, "{way:?} {behavior} {}", tried.stderr);
        }
    }
}

#[test]
fn programs_in_many_languages_run() {
    for way in ways() {
        for (program, arguments, expected) in [
            ("/bin/sh", &["-c", "echo $((6 * 7))"][..], "42"),
            ("/usr/bin/perl", &["-e", "print 6 * 7"], "42"),
            ("/usr/bin/python3", &["-c", "print(6 * 7)"], "42"),
            ("/usr/bin/java", &["--version"], "OpenJDK"),
        ] {
            if Path::new(program).exists() {
                let command = [&[program], arguments].concat();
                let tried = way.run(&[], &command);
                assert!(tried.end == "exit code 0" && tried.stdout.contains(expected), "{way:?} {command:?} {tried:?}");
            }
        }
    }
}

/// Runs a job in a new cell.
fn run(job: &Job) -> Run {
    cell(&Dir::new()).run(job).expect("a run")
}

#[test]
fn memory_is_limited() {
    let limits = JobLimits { memory: 64 << 20, ..limits() };
    let end = run(&Job { limits, ..job(hostile(), &["memory"]) }).end;
    // If memory is limited per process, a program notices that it has run out, and aborts.
    assert!(matches!(end, JobEnd::OverMemory | JobEnd::Signalled(_)), "{end}");
}

#[test]
fn the_reason_is_reported_if_a_program_cannot_start() {
    let dir = Dir::new();
    dir.set_mode("", 0o755);
    dir.write_program("script", "#!/bin/nothing\n");
    dir.write("data", "no program");
    for (name, expected) in [("script", "No such file"), ("data", "Permission denied"), ("data/x", "Not a directory")] {
        let end = run(&Job { readable: vec![dir.path("")], ..job(dir.path(name), &[]) }).end;
        assert!(matches!(&end, JobEnd::NotStarted(why) if why.contains(expected)), "{name}: {end}");
    }
    dir.write_program("plain", "echo without a first line\n");
    let run = run(&Job { readable: vec![dir.path("plain")], ..job(dir.path("plain"), &[]) });
    assert_eq!((run.end, &run.stdout[..]), (JobEnd::Exited(0), &b"without a first line\n"[..]));
}

#[test]
fn streams_are_complete() {
    let long = "x".repeat(1 << 18);
    let echo = Job { input: long.clone().into_bytes(), ..job("/bin/cat", &[]) };
    let run = run(&echo);
    assert_eq!((run.end, run.stdout.len()), (JobEnd::Exited(0), long.len()));
    let run = self::run(&Job { input: long.into_bytes(), ..job("/bin/true", &[]) });
    assert_eq!(run.end, JobEnd::Exited(0), "unread input does no harm");
    let shell = |script| self::run(&job("/bin/sh", &["-c", script]));
    let run = shell("read word < /dev/stdin; echo out > /dev/stdout; echo err > /dev/stderr; exit 5");
    assert_eq!((run.end, &run.stdout[..], &run.stderr[..]), (JobEnd::Exited(5), &b"out\n"[..], &b"err\n"[..]));
    assert!(run.wall < Duration::from_secs(20) && run.cpu > Duration::ZERO);
}
