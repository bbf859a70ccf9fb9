//! `calibrate judge`: measures how well an evaluation predicts the results of unseen games.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use kingline::game::{Color, Evaluator, LineError};
use kingline::{checkers, loa};
use kingline_players::exit::BadInput;
use kingline_players::figures::{Figure, FiguresOption, Topic};
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::terminal::in_thousands;
use serde::Serialize;

use super::file::FORMAT;
use super::game::{Learned, View, view};
use super::game_records;
use super::loss::{best_scale, log_loss, loss_of_chance, mean};
use crate::options::{JsonOption, help_end};

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
    #[command(flatten)]
    json: JsonOption,
    #[command(flatten)]
    figures: FiguresOption,
}

/// Judges an evaluation and prints the report.
///
/// # Errors
/// Fails if the evaluation or the file cannot be read. A [`LineError`] names the line and
/// what is wrong with it.
pub(crate) fn run(arguments: &JudgeArguments) -> Result<()> {
    let predictions = match arguments.game {
        GameName::Checkers => predict::<checkers::Position>(arguments)?,
        GameName::Loa => predict::<loa::Position<8>>(arguments)?,
        GameName::Loa6 => predict::<loa::Position<6>>(arguments)?,
    };
    let report = judge(&predictions, view(arguments.game));
    arguments.json.print(&report)?;
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

/// Evaluates each position.
fn predict<G: Learned>(arguments: &JudgeArguments) -> Result<Vec<Prediction>> {
    let evaluator = G::evaluation(arguments.evaluation.as_deref())?;
    let predict = |(position, points): (G, f64)| {
        let [black, white] = position.pack();
        let [own, other] = if position.turn() == Color::Black { [black, white] } else { [white, black] };
        Prediction {
            pieces: black.count_ones() + white.count_ones(),
            evaluation: evaluator.evaluate(&evaluator.start(&position), &position).value().into(),
            material: ((G::VIEW.material)(own) - (G::VIEW.material)(other)).into(),
            points,
        }
    };
    Ok(read(&arguments.file)?.into_iter().map(predict).collect())
}

/// Reads positions, each with the points of its side to move: from all lines of a file, or from a game file.
///
/// # Errors
/// Fails if the file cannot be read, is empty, or has games of another kind. A [`LineError`] names the line and what is
/// wrong with it.
fn read<G: Learned>(path: &Path) -> Result<Vec<(G, f64)>> {
    let name = path.display();
    let failed = || format!("cannot read {name}");
    let mut file = BufReader::new(File::open(path).with_context(failed)?);
    if file.fill_buf().with_context(failed)?.starts_with(FORMAT.as_bytes()) {
        return judged_games(path);
    }
    let mut judged = Vec::new();
    let mut bytes = Vec::new();
    while file.read_until(b'\n', &mut bytes).with_context(failed)? > 0 {
        let text = String::from_utf8_lossy(&bytes);
        judged.push(judged_line(judged.len() + 1, text.trim_end()).with_context(|| name.to_string())?);
        bytes.clear();
    }
    let empty = "found an empty file, expected lines with a position, a semicolon and a result";
    ensure!(!judged.is_empty(), BadInput::new(format!("{name}: {empty}")));
    Ok(judged)
}

fn judged_games<G: Learned>(path: &Path) -> Result<Vec<(G, f64)>> {
    let records = game_records::<G>(path)?;
    let judged: Vec<_> = records
        .iter()
        .filter_map(|record| Some((G::unpack(record.turn, record.pieces)?, record.result.points().into())))
        .collect();
    ensure!(!judged.is_empty(), BadInput::new(format!("{}: found no complete game", path.display())));
    Ok(judged)
}

fn judged_line<G: Learned>(line: usize, text: &str) -> Result<(G, f64), LineError> {
    let wrong = |expected: &str| match text {
        "" => LineError::missing(line, "a blank line", expected),
        text => LineError::new(line, text, expected),
    };
    let (position, result) = text.split_once(';').ok_or_else(|| wrong("a position, a semicolon and a result"))?;
    let points = match result {
        "0" => 0.0,
        "0.5" => 0.5,
        "1" => 1.0,
        _ => return Err(LineError::new(line, result, "1, 0.5 or 0, the result for the side to move")),
    };
    let position = position.parse().map_err(|error| LineError { line, error })?;
    Ok((position, points))
}

fn judge(all: &[Prediction], view: &View) -> Report {
    let pairs = |all: &[&Prediction], value: fn(&Prediction) -> f64| -> Vec<(f64, f64)> {
        all.iter().map(|prediction| (value(prediction), prediction.points)).collect()
    };
    let loss =
        |pairs: Vec<(f64, f64)>, scale| mean(pairs.iter().map(|&(value, points)| log_loss(scale * value, points)));
    let (by_material, by_evaluation) =
        (|prediction: &Prediction| prediction.material, |prediction: &Prediction| prediction.evaluation);
    let whole: Vec<&Prediction> = all.iter().collect();
    let points = mean(all.iter().map(|prediction| prediction.points)).unwrap_or_default();
    let (material_scale, scale) = (best_scale(&pairs(&whole, by_material)), best_scale(&pairs(&whole, by_evaluation)));
    let losses = |all: &[&Prediction]| Losses {
        positions: all.len(),
        constant: mean(all.iter().map(|prediction| loss_of_chance(points, prediction.points))),
        material: loss(pairs(all, by_material), material_scale),
        evaluation: loss(pairs(all, by_evaluation), scale),
        rescaled: loss(pairs(all, by_evaluation), best_scale(&pairs(all, by_evaluation))),
    };
    let slices = view.phase_names().into_iter().enumerate().map(|(phase, pieces)| {
        let of_phase = all.iter().filter(|prediction| view.phase(prediction.pieces) == phase);
        Slice { pieces, losses: losses(&of_phase.collect::<Vec<_>>()) }
    });
    Report { all: losses(&whole), scale, material_scale, slices: slices.collect() }
}

/// Losses of an evaluation: the output of `calibrate judge --json`. Losses are mean log losses of results, in natural
/// logarithms; null without positions.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "Judged"))]
pub(crate) struct Report {
    #[serde(flatten)]
    all: Losses,
    /// Scale of the evaluation: at a value of 1 / scale, a side has e times the other's chances.
    scale: f64,
    /// Scale of the material, in tenths of a piece.
    material_scale: f64,
    /// Positions by the number of pieces.
    slices: Vec<Slice>,
}

/// Losses over the positions with some numbers of pieces.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Slice {
    /// Range of the number of pieces.
    pieces: String,
    #[serde(flatten)]
    losses: Losses,
}

/// Mean log losses; `None` without positions.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Losses {
    /// Positions.
    positions: usize,
    /// Loss of a constant prediction: the mean result of all positions.
    constant: Option<f64>,
    /// Loss of material alone.
    material: Option<f64>,
    /// Loss of the evaluation.
    evaluation: Option<f64>,
    /// Loss of the evaluation at the scale that is best for these positions alone.
    rescaled: Option<f64>,
}

impl Report {
    /// Returns the evaluation's loss over all positions; `None` without positions.
    fn figure(&self) -> Option<Figure> {
        let loss = self.all.evaluation?;
        let measured = format!("{loss:.4} over {} positions", in_thousands(self.all.positions as u64));
        Some(Figure::new("log loss of the evaluation", measured))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [constant, material, evaluation, rescaled] = ["constant", "material", "evaluation", "rescaled"];
        writeln!(
            f,
            "{:<12} {:>12} {constant:>10} {material:>10} {evaluation:>10} {rescaled:>10}",
            "pieces", "positions"
        )?;
        line(f, "all", &self.all)?;
        self.slices.iter().try_for_each(|Slice { pieces, losses }| line(f, pieces, losses))?;
        write!(f, "best scale of the evaluation: {:.6}", self.scale)
    }
}

fn line(f: &mut fmt::Formatter<'_>, pieces: &str, losses: &Losses) -> fmt::Result {
    let &Losses { positions, constant, material, evaluation, rescaled } = losses;
    write!(f, "{pieces:<12} {:>12}", in_thousands(positions as u64))?;
    for loss in [constant, material, evaluation, rescaled] {
        write!(f, " {:>10}", loss.map_or("-".to_owned(), |loss| format!("{loss:.4}")))?;
    }
    writeln!(f)
}
