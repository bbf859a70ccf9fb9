//! `calibrate judge`: measures how well an evaluation predicts the results of unseen games.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `lines` | which positions are judged, with which results |
//! | `loss` | how far are values from results |
//! | `report` | what is printed |

mod lines;
mod loss;
mod report;

use std::path::PathBuf;

use anyhow::Result;
use kingline::checkers;
use kingline::game::{Color, Evaluator};
use kingline::loa;
use kingline_players::figures::{FiguresOption, Topic};
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::terminal::{stdout_json, stdout_line};

pub(super) use loss::of_values;

use super::game::Learned;
use super::game_name::packing;
use super::packing::Packing;
use crate::help::help_end;
use lines::Judged;
use loss::{best_scale, log_loss};
use report::{Losses, Report, Slice};

/// Measures how well an evaluation predicts the results of games from positions in a file.
///
/// The measure is the mean log loss of the results, -(p ln q + (1-p) ln(1-q)) with q = 1 / (1 + exp(-scale * value)). A
/// draw is half a win and half a loss. The scale is the best one over all positions. For comparison, the report shows
/// the loss of the mean result as a constant, and of the difference in material at its own best scale. The column
/// "rescaled" shows the evaluation's loss at the scale that is best for the positions in that row alone.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Learning))]
pub(crate) struct JudgeArguments {
    /// Game of the positions.
    #[arg(value_enum)]
    game: GameName,
    /// File with lines like `B:W18,21,22:B1,2,3;0.5`: a position and the result for its side to move, 1, 0.5 or 0. Or a
    /// game file, as written by `calibrate selfplay`.
    file: PathBuf,
    /// Judge the evaluation in FILE. Default: the embedded one.
    #[arg(long, value_name = "FILE")]
    evaluation: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    figures: FiguresOption,
}

/// Judges an evaluation and prints the report.
///
/// # Errors
/// Fails if the evaluation or the file cannot be read. A [`LineError`](kingline::game::LineError) names the line and
/// what is wrong with it.
pub(crate) fn run(arguments: &JudgeArguments) -> Result<()> {
    let predictions = match arguments.game {
        GameName::Checkers => predict::<checkers::Position>(arguments)?,
        GameName::Loa => predict::<loa::Position<8>>(arguments)?,
        GameName::Loa6 => predict::<loa::Position<6>>(arguments)?,
    };
    let report = judge(&predictions, packing(arguments.game));
    if arguments.json {
        stdout_json(serde_json::to_string(&report)?)?;
    } else {
        stdout_line(&report)?;
    }
    arguments.figures.record(Topic::Evaluation, report.figure())
}

/// Values of a position, and the result of its game.
#[derive(Clone, Copy)]
struct Prediction {
    /// Number of pieces on the board.
    pieces: u32,
    /// Value of the evaluation, in its unit.
    evaluation: f64,
    /// Difference in material for the side to move, in tenths of a piece.
    material: f64,
    points: f64,
}

/// Evaluates the position of each line.
fn predict<G: Learned>(arguments: &JudgeArguments) -> Result<Vec<Prediction>> {
    let evaluator = G::evaluation(arguments.evaluation.as_deref())?;
    let predict = |Judged { position, points }: Judged<G>| Prediction {
        pieces: position.pack().map(u64::count_ones).iter().sum(),
        evaluation: evaluator.evaluate(&evaluator.start(&position), &position).value().into(),
        material: material(&position).into(),
        points,
    };
    Ok(lines::read(&arguments.file)?.into_iter().map(predict).collect())
}

fn judge(all: &[Prediction], packing: &Packing) -> Report {
    let mut phases = vec![Vec::new(); packing.phases.len()];
    for prediction in all {
        phases[packing.phase(prediction.pieces)].push(*prediction);
    }
    let mean = all.iter().map(|prediction| prediction.points).sum::<f64>() / all.len() as f64;
    let material_scale =
        best_scale(&all.iter().map(|prediction| (prediction.material, prediction.points)).collect::<Vec<_>>());
    let scale = scale_of_evaluation(all);
    let losses = |all: &[Prediction]| {
        let own_scale = scale_of_evaluation(all);
        Losses {
            positions: all.len(),
            constant: average(all, |prediction| log_loss(mean, prediction.points)),
            material: average(all, |prediction| of_values(material_scale * prediction.material, prediction.points)),
            evaluation: average(all, |prediction| of_values(scale * prediction.evaluation, prediction.points)),
            rescaled: average(all, |prediction| of_values(own_scale * prediction.evaluation, prediction.points)),
        }
    };
    let slice = |(pieces, phase): (String, &Vec<Prediction>)| Slice { pieces, losses: losses(phase) };
    let slices = packing.phase_names().into_iter().zip(&phases).map(slice).collect();
    Report { all: losses(all), scale, material_scale, slices }
}

fn scale_of_evaluation(all: &[Prediction]) -> f64 {
    best_scale(&all.iter().map(|prediction| (prediction.evaluation, prediction.points)).collect::<Vec<_>>())
}

/// Returns the mean loss; `None` without positions.
fn average(all: &[Prediction], loss: impl Fn(&Prediction) -> f64) -> Option<f64> {
    (!all.is_empty()).then(|| all.iter().map(loss).sum::<f64>() / all.len() as f64)
}

/// Returns the side to move's lead in material.
fn material<G: Learned>(position: &G) -> i32 {
    let [black, white] = position.pack().map(G::PACKING.material);
    match position.turn() {
        Color::Black => black - white,
        Color::White => white - black,
    }
}
