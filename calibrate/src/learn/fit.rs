//! `calibrate fit`: learns an evaluation from games.

mod network;
mod samples;
mod train;

use std::ops::Bound::{Excluded, Included};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use kingline::evaluate::network::{HIDDEN_ONE, MAGIC, MOST_OUTPUT, OUTPUT_ONE, Weights};
use kingline::evaluate::{checkers, loa};
use kingline_players::chart::{Axis, Chart, Point, Series};
use kingline_players::files::{FileKind, check_target, write_whole};
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::terminal::stdout_line;
use serde::Serialize;

use super::game::{View, view};
use crate::options::{ThreadsOption, help_end, number};
use network::Layout;
use samples::Choice;
use train::{Losses, Plan};

/// Learns an evaluation from game files.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Learning))]
pub(crate) struct FitArguments {
    /// Game in the files.
    #[arg(value_enum)]
    pub(super) game: GameName,
    /// Game files, as written by `calibrate selfplay`.
    #[arg(required = true, value_name = "FILE")]
    pub(super) games: Vec<PathBuf>,
    /// Weights file to write; the loss curve is written beside it as SVG. Only files of the same kind are overwritten.
    #[arg(long, value_name = "FILE")]
    pub(super) output: PathBuf,
    #[command(flatten)]
    pub(super) options: FitOptions,
    /// Seed for the initial weights and the order of positions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) threads: ThreadsOption,
}

#[derive(Clone, Copy, clap::Args)]
pub(super) struct FitOptions {
    /// Number of passes over all positions.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,
    /// Initial learning rate; it falls to 0 along a cosine.
    #[arg(long, value_name = "RATE", default_value_t = 0.003, value_parser = number(Excluded(0.0), Included(1.0)))]
    rate: f64,
    /// Share of the game results in the target, 0 to 1; the search scores make up the rest.
    #[arg(long, default_value_t = 0.25, value_parser = number(Included(0.0), Included(1.0)))]
    share: f64,
    /// Weight of a position with unequal material; one with level material has weight 1.
    #[arg(long, value_name = "WEIGHT", default_value_t = 1.0, value_parser = number(Included(0.0), Included(100.0)))]
    unequal: f64,
    /// Leave out positions in which the other side threatens to capture.
    #[arg(long)]
    calm: bool,
    /// Score at which a side has e times the other's chances. Default: the one at which the search scores predict the
    /// results best.
    #[arg(long, value_name = "SCORE", value_parser = number(Excluded(0.0), Included(10_000.0)))]
    unit: Option<f64>,
    /// Hold out one game in N, 2 or more.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..))]
    held_out: u32,
}

pub(super) const WEIGHTS: FileKind = FileKind { name: "a weights file", is_start: |start| start.starts_with(MAGIC) };
const CURVE: FileKind = FileKind { name: "an SVG curve", is_start: |start| start.starts_with(b"<svg ") };

/// Checks that weights can be written at `output`, and their curve beside them. Returns the path of the curve.
///
/// # Errors
/// Fails if a file cannot be written or is of another kind, such as games to learn from.
pub(super) fn check_output(output: &Path) -> Result<PathBuf> {
    let svg = output.with_extension("svg");
    ensure!(svg != output, "{}: the curve is written there; expected an extension other than .svg", output.display());
    check_target(output, WEIGHTS)?;
    check_target(&svg, CURVE)?;
    Ok(svg)
}

/// Summary of what was learned.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct LearnedWeights {
    /// Positions learned from.
    training: usize,
    /// Positions held out.
    held_out: usize,
    /// Score of the search at which a side has e times the other's chances.
    unit: f32,
    /// Losses on the held-out positions after the last pass.
    losses: Losses,
}

/// Learns, and writes the weights and the curve.
pub(super) fn learn(arguments: &FitArguments) -> Result<LearnedWeights> {
    let view = view(arguments.game);
    let svg = check_output(&arguments.output)?;
    let options = arguments.options;
    let choice = Choice { unequal: options.unequal as f32, threatened: !options.calm, held_out: options.held_out };
    let mut samples = samples::read(&arguments.games, view, choice)?;
    let unit = options.unit.map(|unit| unit as f32).unwrap_or_else(|| samples::best_unit(&samples.training));
    let by_search = train::losses_of_scores(&samples.held_out, unit);
    stdout_line(format_args!(
        "{} positions to learn from, {} held out; a unit of {unit:.0}\n\
         pass  all     level   (held out; search scores: {:.4} {:.4})",
        samples.training.len(),
        samples.held_out.len(),
        by_search.all,
        by_search.level
    ))?;
    let plan = Plan {
        passes: options.passes,
        rate: options.rate as f32,
        share: options.share as f32,
        unit,
        seed: arguments.seed,
        threads: arguments.threads.threads().count,
    };
    let layout = Layout::new(view);
    let most_output = f32::from(MOST_OUTPUT) / f32::from(OUTPUT_ONE);
    let mut curve: Vec<Losses> = Vec::new();
    let pass_done = |pass, losses: Losses| {
        curve.push(losses);
        stdout_line(format_args!("{pass:>4}  {:.4}  {:.4}", losses.all, losses.level))
    };
    let weights = match view.hidden {
        checkers::HIDDEN => train::train::<{ checkers::HIDDEN }>(&mut samples, &layout, plan, most_output, pass_done),
        _ => train::train::<{ loa::HIDDEN }>(&mut samples, &layout, plan, most_output, pass_done),
    }?;
    write_whole(&arguments.output, &bytes_of(&weights, &layout, unit))?;
    write_whole(&svg, curve_of(&curve).as_bytes()).context("the weights were written, but not their curve")?;
    stdout_line(format_args!("{} and {} written", arguments.output.display(), svg.display()))?;
    let losses = curve.last().copied().context("--passes: expected at least 1")?;
    Ok(LearnedWeights { training: samples.training.len(), held_out: samples.held_out.len(), unit, losses })
}

fn bytes_of(weights: &[f32], layout: &Layout, unit: f32) -> Vec<u8> {
    let &View { ref shape, hidden, stages, buckets, .. } = layout.view;
    let most_input = layout.view.most_input();
    let round = |weights: &[f32], one: i16, most: f32| -> Vec<i16> {
        weights.iter().map(|weight| (weight.clamp(-most, most) * f32::from(one)).round() as i16).collect()
    };
    let input = |feature| round(&weights[layout.input(feature)], HIDDEN_ONE, most_input);
    let bias = |stage| round(&weights[layout.hidden_bias(stage)], HIDDEN_ONE, most_input);
    let one = f32::from(HIDDEN_ONE) * f32::from(OUTPUT_ONE);
    let bucket = |bucket| {
        let (us, them) = weights[layout.output(bucket)].split_at(hidden);
        let bias = (weights[layout.output_bias(bucket)] * one).round() as i32;
        (round(us, OUTPUT_ONE, f32::MAX), round(them, OUTPUT_ONE, f32::MAX), bias)
    };
    let direct: Vec<i16> = weights[layout.direct()].iter().map(|weight| (weight * one).round() as i16).collect();
    Weights {
        game: shape.game,
        unit: unit.round() as i16,
        inputs: &(0..shape.inputs).map(input).collect::<Vec<_>>(),
        biases: &(0..stages).map(bias).collect::<Vec<_>>(),
        buckets: &(0..buckets).map(bucket).collect::<Vec<_>>(),
        direct: &direct,
    }
    .to_bytes()
}

/// Draws the held-out losses after each pass.
fn curve_of(losses: &[Losses]) -> String {
    let values = || losses.iter().flat_map(|losses| [losses.all, losses.level]);
    let ends = [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)];
    let last = losses.len().max(2);
    let line = |name: &str, color, of: fn(&Losses) -> f64| Series {
        name: format!("{name}: {:.4}", losses.last().map_or(f64::NAN, of)),
        color,
        has_line: true,
        has_dots: false,
        points: (1..)
            .zip(losses)
            .map(|(pass, losses)| Point { at: [pass.into(), of(losses)], ..Point::default() })
            .collect(),
    };
    Chart {
        title: "Loss on held-out positions".to_owned(),
        note: String::new(),
        size: [544.0, 264.0],
        x: Axis {
            ends: [1.0, last as f64],
            marks: [1, last].map(|pass| (pass as f64, pass.to_string())).to_vec(),
            label: "passes".to_owned(),
        },
        y: Axis {
            label: "log loss against results".to_owned(),
            ..Axis::in_steps(ends, 6.0, |loss| format!("{loss:.4}"))
        },
        series: vec![
            line("held out, all", "#1f77b4", |losses| losses.all),
            line("held out, level material", "#d62728", |losses| losses.level),
        ],
    }
    .file()
}
