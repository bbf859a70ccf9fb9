//! `calibrate judge`: how well does an evaluation tell the results of games that it has not learned from?
//!
//! | file | question it answers |
//! | --- | --- |
//! | `lines` | which positions, with which results |
//! | `loss` | how far values are from results |
//! | `report` | what is printed |

mod lines;
mod loss;
mod report;

use std::path::PathBuf;

use anyhow::Result;
use kingline::checkers;
use kingline::figures::{FiguresOption, Topic};
use kingline::game::{Color, Evaluator};
use kingline::help::GuidePage;
use kingline::loa;
use kingline::terminal::stdout_line;

use super::GameName;
use super::game::Learned;
use super::packing::Packing;
use crate::help_end;
use lines::Judged;
use loss::{best_scale, log_loss, of_values};
use report::{Losses, Report, Slice};

/// Measures how well an evaluation predicts the results of games from positions in a file.
///
/// A position counts by the log loss of its result, -(p ln q + (1-p) ln(1-q)) with q = 1 / (1 + exp(-scale * value)); a
/// draw is half a win and half a loss. The scale is the one that is best over all positions. Beside the evaluation: the
/// mean result as a constant, and the difference in material with a best scale of its own. Rescaled: the evaluation with
/// the scale that is best over the positions of the line alone.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Learning))]
pub(crate) struct JudgeArguments {
    /// The game of the positions.
    #[arg(value_enum)]
    game: GameName,
    /// File of lines like `B:W18,21,22:B1,2,3;0.5`: a position, and the result for its side to move, 1, 0.5 or 0.
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

/// Judges, and prints the report.
///
/// # Errors
/// The evaluation or the file cannot be read; a [`LineError`](kingline::game::LineError) says what is wrong in which line.
pub(crate) fn run(arguments: &JudgeArguments) -> Result<()> {
    let predictions = match arguments.game {
        GameName::Checkers => predict::<checkers::Position>(arguments)?,
        GameName::Loa => predict::<loa::Position<8>>(arguments)?,
        GameName::Loa6 => predict::<loa::Position<6>>(arguments)?,
    };
    let report = judge(&predictions, arguments.game.packing());
    if arguments.json {
        stdout_line(serde_json::to_string(&report)?)?;
    } else {
        stdout_line(&report)?;
    }
    arguments.figures.record(Topic::Evaluation, report.figure())
}

/// What is said of a position, and what became of it.
#[derive(Clone, Copy)]
struct Prediction {
    /// On the board.
    pieces: u32,
    /// In the evaluation's unit.
    evaluation: f64,
    /// In tenths of a piece.
    material: f64,
    points: f64,
}

/// What the evaluation says of each line.
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

/// Of nothing there is none.
fn average(all: &[Prediction], loss: impl Fn(&Prediction) -> f64) -> Option<f64> {
    (!all.is_empty()).then(|| all.iter().map(loss).sum::<f64>() / all.len() as f64)
}

/// What the side to move has more.
fn material<G: Learned>(position: &G) -> i32 {
    let [black, white] = position.pack().map(G::PACKING.material);
    match position.turn() {
        Color::Black => black - white,
        Color::White => white - black,
    }
}
