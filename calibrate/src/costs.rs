//! Measures what a turn costs on this machine besides its search, for calibration.txt.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use kingline::clock::Clock;
use kingline_players::files;
use kingline_players::progress::Progress;
use kingline_players::protocol::turn_files::{CALIBRATION, Calibration, Costs, NodesPerSecond};
use kingline_players::terminal::{stderr_line, stdout_line};
use serde_json::{Map, Value, json};

use crate::program::Spread;
use crate::{bench, calibration, program};

/// Number of processes started for each measurement.
const REPEATS: usize = 40;
/// Memory used by the larger processes, in MiB.
const LARGE_MIB: usize = 64;

/// Measures, writes calibration.txt in the current directory, and prints it. Other fields keep their values.
pub(crate) fn calibrate() -> Result<()> {
    let path = Path::new(CALIBRATION);
    let before = calibration::read(path).unwrap_or_else(|error| {
        stderr_line(format_args!("warning: {error:#}; replaced"));
        Map::new()
    });
    let mut progress = Progress::new("calibrating", 2 * REPEATS + 4);
    let small = start_up_and_exit(0, &mut progress)?;
    let large = start_up_and_exit(LARGE_MIB, &mut progress)?;
    let (clock, step) = clock();
    progress.step("clock");
    // The file keeps its contents until everything is measured, so that an interrupted run changes nothing.
    let text = if before.is_empty() { with_measured(Map::new(), &Calibration::default())? } else { before.clone() };
    let files = files(path, &calibration::text(&text)?)?;
    progress.step("files");
    let speed = bench::search_speed(Duration::from_millis(300)).0;
    progress.step("search");
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let costs = Costs {
        start_up_ms: ms(small.0),
        exit_ms: ms(small.1),
        exit_ms_per_mib: (ms(large.1) - ms(small.1)).max(0.0) / LARGE_MIB as f64,
        files_ms: ms(files),
        clock_ms: ms(clock),
        clock_step_ms: ms(step),
    };
    let measured =
        Calibration { costs, nodes_per_second: NodesPerSecond { checkers: speed }, ..Calibration::default() };
    drop(progress);
    let written = calibration::write(path, &with_measured(before, &measured)?)?;
    show(&written, path)
}

/// Returns the fields of a calibration.txt with new measurements. Includes the frugality, so that users see it.
fn with_measured(mut fields: Map<String, Value>, measured: &Calibration) -> Result<Map<String, Value>> {
    fields.insert("version".to_owned(), json!(measured.version));
    fields.insert("costs".to_owned(), serde_json::to_value(&measured.costs)?);
    fields.insert("nodes_per_second".to_owned(), serde_json::to_value(&measured.nodes_per_second)?);
    fields.entry("frugality").or_insert_with(|| json!(measured.frugality));
    Ok(fields)
}

fn show(measured: &Calibration, path: &Path) -> Result<()> {
    let costs = &measured.costs;
    stdout_line(format_args!("start-up of a process   {:8.3} ms", costs.start_up_ms))?;
    stdout_line(format_args!("exit of a process       {:8.3} ms", costs.exit_ms))?;
    stdout_line(format_args!("  more per MiB          {:8.3} ms", costs.exit_ms_per_mib))?;
    stdout_line(format_args!("files of a turn         {:8.3} ms", costs.files_ms))?;
    stdout_line(format_args!("reading the CPU clock   {:8.5} ms", costs.clock_ms))?;
    stdout_line(format_args!("its smallest step       {:8.5} ms", costs.clock_step_ms))?;
    stdout_line(format_args!(
        "search, checkers        {:8.2} million nodes per second",
        measured.nodes_per_second.checkers / 1e6
    ))?;
    stdout_line(format_args!("frugality               {:8.2}", measured.frugality))?;
    stdout_line(format_args!("written to {}", path.display()))
}

/// Measures the CPU time before the first line of `main` and after its last one, in a process that uses `mib` MiB.
/// Returns the 90th percentiles.
fn start_up_and_exit(mib: usize, progress: &mut Progress) -> Result<(Duration, Duration)> {
    let this = program::this()?;
    let (mut starts, mut exits) = (Vec::new(), Vec::new());
    for _ in 0..REPEATS {
        let run = program::run(&this, &["probe", &mib.to_string()], Path::new("."))?;
        let mut read = run.stdout.split_whitespace().map(str::parse::<u64>);
        let (Some(Ok(first)), Some(Ok(last))) = (read.next(), read.next()) else {
            anyhow::bail!("the probe printed {:?}, expected two CPU times", run.stdout);
        };
        starts.push(Duration::from_nanos(first));
        exits.push(run.cpu.saturating_sub(Duration::from_nanos(last)));
        progress.step("processes");
    }
    Ok((Spread::of(starts).percent(90), Spread::of(exits).percent(90)))
}

/// Runs as the child process of [`start_up_and_exit`]: prints its CPU clock at the start and, after using `mib` MiB, at
/// the end.
pub(crate) fn probe(mib: usize) -> Result<()> {
    let first = Clock::Process.now();
    let memory = black_box(vec![1u8; mib << 20]);
    let said = stdout_line(format_args!("{} {}", first.as_nanos(), Clock::Process.now().as_nanos()));
    std::mem::forget(memory);
    said
}

/// Measures the cost of reading the CPU clock, and the smallest step of the clock.
fn clock() -> (Duration, Duration) {
    const READINGS: u32 = 20_000;
    /// The Windows clock advances about 64 times a second, so many readings may see no step.
    const LONGEST: Duration = Duration::from_millis(100);
    let begin = Instant::now();
    let mut last = Clock::Process.now();
    let mut step = LONGEST;
    let mut readings = 0;
    while readings < READINGS || step == LONGEST && begin.elapsed() < LONGEST {
        let now = Clock::Process.now();
        if now > last {
            step = step.min(now - last);
        }
        last = now;
        readings += 1;
    }
    let cost = begin.elapsed() / readings;
    // If a step is as short as a reading, the true step may be shorter.
    (cost, if step > cost * 2 { step } else { cost })
}

/// Measures the CPU time that a turn takes to write two files and read three, each as large as `text`. Returns the 90th
/// percentile.
fn files(path: &Path, text: &str) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        let begin = Clock::Process.now();
        for _ in 0..2 {
            files::write_whole(path, text.as_bytes())?;
        }
        for _ in 0..3 {
            black_box(files::read_text(path).with_context(|| format!("cannot read {}", path.display()))?);
        }
        times.push(Clock::Process.now() - begin);
    }
    Ok(Spread::of(times).percent(90))
}
