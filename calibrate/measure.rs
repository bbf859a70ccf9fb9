//! Measures what a turn costs on this machine, for calibration.txt.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use kingline::clock::Clock;
use kingline::files;
use kingline::protocol::turn_files::{CALIBRATION, Calibration, Costs, NodesPerSecond};
use kingline::terminal::{stderr_line, stdout_line};
use serde_json::{Map, Value, json};

use crate::progress::Progress;
use crate::{bench, calibration, child};

/// Processes started for each figure.
const REPEATS: usize = 40;
/// Memory of the larger ones, in MiB.
const LARGE_MIB: usize = 64;

/// Measures, and writes calibration.txt in this directory; what stands there beside the measurements stays.
pub(crate) fn calibrate() -> Result<()> {
    let path = Path::new(CALIBRATION);
    let before = calibration::read(path).unwrap_or_else(|error| {
        stderr_line(format_args!("warning: {error:#}; written anew"));
        Map::new()
    });
    let mut progress = Progress::new("calibrating", 2 * REPEATS + 4);
    let small = ends(0, &mut progress)?;
    let large = ends(LARGE_MIB, &mut progress)?;
    let (clock, step) = clock();
    progress.step("clock");
    // What stands there stays until all is measured, also if this is interrupted.
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

/// The fields of a calibration.txt with other measurements, and the frugality for the user to see.
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
    stdout_line(format_args!("its exit                {:8.3} ms", costs.exit_ms))?;
    stdout_line(format_args!("  more for each MiB     {:8.3} ms", costs.exit_ms_per_mib))?;
    stdout_line(format_args!("files of a turn         {:8.3} ms", costs.files_ms))?;
    stdout_line(format_args!("a look at the CPU clock {:8.5} ms", costs.clock_ms))?;
    stdout_line(format_args!("its smallest step       {:8.5} ms", costs.clock_step_ms))?;
    stdout_line(format_args!(
        "search, checkers        {:8.2} million nodes a second",
        measured.nodes_per_second.checkers / 1e6
    ))?;
    stdout_line(format_args!("frugality               {:8.2}", measured.frugality))?;
    stdout_line(format_args!("written to {}", path.display()))
}

/// CPU time before the first and after the last line of a process that uses this much memory: the
/// longest but a tenth.
fn ends(mib: usize, progress: &mut Progress) -> Result<(Duration, Duration)> {
    let this = std::env::current_exe().context("cannot find this program")?;
    let (mut starts, mut exits) = (Vec::new(), Vec::new());
    for _ in 0..REPEATS {
        let cost = child::run(&this, &["probe", &mib.to_string()], Path::new("."))?;
        let mut read = cost.printed.split_whitespace().map(str::parse::<u64>);
        let (Some(Ok(first)), Some(Ok(last))) = (read.next(), read.next()) else {
            anyhow::bail!("the probe printed {:?}, expected two times", cost.printed);
        };
        starts.push(Duration::from_nanos(first));
        exits.push(cost.cpu.saturating_sub(Duration::from_nanos(last)));
        progress.step("processes");
    }
    Ok((high(&mut starts), high(&mut exits)))
}

/// The value that nine of ten do not pass.
fn high(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() * 9 / 10]
}

/// The child's side of [`ends`]: tells its clock at the begin and, having used `mib` MiB, at the end.
pub(crate) fn probe(mib: usize) -> Result<()> {
    let first = Clock::Process.now();
    let memory = black_box(vec![1u8; mib << 20]);
    let said = stdout_line(format_args!("{} {}", first.as_nanos(), Clock::Process.now().as_nanos()));
    std::mem::forget(memory);
    said
}

/// What a look at the CPU clock costs, and the clock's smallest step.
fn clock() -> (Duration, Duration) {
    const LOOKS: u32 = 20_000;
    /// Windows's clock steps about 64 times a second: fewer looks than that takes may see no step.
    const LONGEST: Duration = Duration::from_millis(100);
    let begin = Instant::now();
    let mut last = Clock::Process.now();
    let mut step = LONGEST;
    let mut looks = 0;
    while looks < LOOKS || step == LONGEST && begin.elapsed() < LONGEST {
        let now = Clock::Process.now();
        if now > last {
            step = step.min(now - last);
        }
        last = now;
        looks += 1;
    }
    let cost = begin.elapsed() / looks;
    // A step as small as a look may be smaller still.
    (cost, if step > cost * 2 { step } else { cost })
}

/// What the files of a turn cost, as large as this text: two written, three read.
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
    Ok(high(&mut times))
}
