//! `calibrate chances`: fits winning chances to search scores and results.

mod bins;
mod regression;

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use kingline::{checkers, loa};
use kingline_players::chart::{Axis, Chart, Point, Series};
use kingline_players::exit::BadInput;
use kingline_players::figures::{Figure, FiguresOption, Topic};
use kingline_players::files::{FileKind, UsedFile, check_different, check_target, write_whole};
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::review::{Curve, Judged};
use kingline_players::terminal::in_thousands;
use serde::Serialize;

use super::game::{View, view};
use super::loss::{log_loss, mean};
use super::reader::{self, Games};
use super::relabel::MOST_SCORE;
use crate::options::{JsonOption, help_end};
use bins::{Bin, Prediction, bins, mean_error};
use regression::{Fit, Sample, Terms, fit};

/// Fits winning chances to game files: how many points the side to move can expect at a search score.
///
/// The log-odds of the expected points (1 for a win, 1/2 for a draw) are a slope times the score (bent where it is
/// large), in Lines of Action with a constant for the side to move. The slope is fitted at some numbers of pieces and linear between them; the fit
/// minimizes the log loss of the results. Decided scores are left out.
///
/// The calibration is of held-out games: they are divided into groups, and the chances in each group are predicted by
/// slopes fitted to the others. The predictions, sorted, are cut into ten bins of equal counts; the error of a bin is the
/// difference between its mean chance and its mean result. Errors of slopes and bins take the positions of a game as
/// dependent.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Review))]
pub(crate) struct ChancesArguments {
    /// Game in the files.
    #[arg(value_enum)]
    game: GameName,
    /// Game files, as written by `calibrate selfplay` or `calibrate relabel`.
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Number of groups of games, each held out once.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=100))]
    groups: u32,
    /// Draw the calibration into FILE, as SVG. Only SVG files are overwritten.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    #[command(flatten)]
    json: JsonOption,
    #[command(flatten)]
    figures: FiguresOption,
}

const PICTURE: FileKind = FileKind { name: "an SVG picture", is_start: |start| start.starts_with(b"<svg ") };

pub(crate) fn run(arguments: &ChancesArguments) -> Result<()> {
    if let Some(picture) = &arguments.picture {
        let games: Vec<UsedFile> = arguments.games.iter().map(|path| UsedFile::named("the games", path)).collect();
        check_different(&games, &[UsedFile::named("--picture", picture)])?;
        check_target(picture, PICTURE)?;
    }
    let view = view(arguments.game);
    let samples = read(&arguments.games, view)?;
    let games = count_games(&samples);
    ensure!(
        games >= arguments.groups as usize,
        BadInput::new(format!(
            "found {games} games with positions, expected at least one in each of {} groups",
            arguments.groups
        ))
    );
    let report = fit_and_hold_out(&samples, curve(arguments.game), arguments.groups);
    if let Some(picture) = &arguments.picture {
        write_whole(picture, report.picture(view.name).as_bytes())?;
    }
    arguments.json.print(&report)?;
    arguments.figures.record(Topic::Evaluation, [report.figure(view.name)])
}

fn curve(game: GameName) -> Curve<'static> {
    match game {
        GameName::Checkers => checkers::Position::CURVE,
        GameName::Loa => loa::Position::<8>::CURVE,
        GameName::Loa6 => loa::Position::<6>::CURVE,
    }
}

/// Reads the positions of all files whose scores are estimates.
fn read(paths: &[PathBuf], view: &'static View) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for path in paths {
        let Games { header, records } = reader::read(path, view)?;
        // A relabelled win has the largest score.
        let estimated = records.iter().filter(|record| record.score.abs() < MOST_SCORE);
        samples.extend(estimated.map(|record| Sample {
            pieces: record.pieces.map(u64::count_ones).iter().sum(),
            score: record.score.into(),
            points: record.result.points().into(),
            game: header.id(record.game),
        }));
    }
    ensure!(!samples.is_empty(), BadInput::new("found no positions with an estimated score"));
    Ok(samples)
}

fn count_games(samples: &[Sample]) -> usize {
    samples.iter().map(|sample| sample.game).collect::<BTreeSet<u32>>().len()
}

/// Fits a curve of the form of `embedded` to all samples, and to all but each group of games.
fn fit_and_hold_out(samples: &[Sample], embedded: Curve, groups: u32) -> Report {
    let without = |terms| -> Vec<Fit> {
        let fit = |group| fit(samples.iter().filter(|sample| sample.game % groups != group), embedded, terms);
        (0..groups).map(fit).collect()
    };
    let terms = if embedded.of_move == 0.0 { Terms::Slopes } else { Terms::SlopesAndMove };
    let (all, held_out) = (fit(samples.iter(), embedded, terms), without(terms));
    let fitted = |embedded, of: &dyn Fn(&Fit) -> f64| Fitted {
        value: of(&all),
        error: jackknife(&held_out.iter().map(of).collect::<Vec<_>>()),
        embedded,
    };
    let knots = embedded.knots.iter().enumerate();
    let predictions = samples.iter().map(|sample| Prediction {
        log_odds: held_out[(sample.game % groups) as usize].log_odds(sample, embedded),
        points: sample.points,
        game: sample.game,
    });
    let loss = |log_odds: &dyn Fn(&Sample) -> f64| {
        mean(samples.iter().map(|sample| log_loss(log_odds(sample), sample.points))).unwrap_or_default()
    };
    let held_out_loss = |terms| {
        let without = without(terms);
        loss(&|sample| without[(sample.game % groups) as usize].log_odds(sample, embedded))
    };
    Report {
        positions: samples.len(),
        games: count_games(samples),
        knots: knots.map(|(place, knot)| (knot.pieces, fitted(knot.slope, &|fit| fit.slopes[place]))).collect(),
        of_move: fitted(embedded.of_move, &|fit| fit.of_move),
        losses: Losses {
            slopes: held_out_loss(Terms::Slopes),
            with_move: held_out_loss(Terms::SlopesAndMove),
            embedded: loss(&|sample| embedded.log_odds(sample.pieces, sample.score)),
            even: loss(&|_| 0.0),
        },
        bins: bins(predictions.collect()),
    }
}

/// Standard error of a number by its values without each of the groups. Source: Quenouille, "Notes on bias in
/// estimation", 1956, and Tukey, 1958.
fn jackknife(without: &[f64]) -> f64 {
    let count = without.len() as f64;
    let mean = without.iter().sum::<f64>() / count;
    let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
    (squares * (count - 1.0) / count).sqrt()
}

/// Largest mean error of the bins that is good enough, a share of 1.
const TARGET: f64 = 0.03;

/// Fitted winning chances: the output of `calibrate chances --json`. Log-odds are natural logarithms.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "Chances"))]
pub(crate) struct Report {
    /// Positions with an estimated score.
    positions: usize,
    /// Their games.
    games: usize,
    /// Slopes at numbers of pieces, in log-odds per hundredth.
    knots: Vec<(u32, Fitted)>,
    /// Log-odds of the side to move at a score of 0.
    of_move: Fitted,
    losses: Losses,
    /// Held-out positions by their chances, the smallest first.
    bins: Vec<Bin>,
}

/// A fitted constant.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Fitted {
    /// Fitted value.
    value: f64,
    /// Its standard error.
    error: f64,
    /// The constant in the programs.
    embedded: f64,
}

/// Mean log losses of the results.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Losses {
    /// Loss of held-out games with slopes only.
    slopes: f64,
    /// Loss of held-out games with slopes and a constant for the side to move.
    with_move: f64,
    /// Loss of the curve in the programs.
    embedded: f64,
    /// Loss of even chances always.
    even: f64,
}

impl Report {
    /// Returns the calibration of a game as a figure.
    fn figure(&self, game: &str) -> Figure {
        let mean = mean_error(&self.bins);
        let (positions, games) = (in_thousands(self.positions as u64), in_thousands(self.games as u64));
        let measured = format!("{:.1} points of 100 over {positions} positions of {games} games", 100.0 * mean);
        let name = format!("winning chances of `{game}`: mean error of ten bins, games held out");
        Figure::new(name, measured).against("at most 3 points", mean <= TARGET)
    }

    /// Draws the bins as SVG: results by predicted chances. The bars are two standard errors to each side.
    fn picture(&self, game: &str) -> String {
        let (positions, games) = (in_thousands(self.positions as u64), in_thousands(self.games as u64));
        let percent = |label: &str| Axis {
            ends: [0.0, 1.0],
            marks: (0..=5).map(|tick| (f64::from(tick) / 5.0, format!("{} %", 20 * tick))).collect(),
            label: label.to_owned(),
        };
        let point = |&Bin { predicted, points, error, .. }: &Bin| Point {
            at: [predicted, points],
            error: Some([-2.0, 2.0].map(|errors: f64| (points + errors * error).clamp(0.0, 1.0))),
            ..Point::default()
        };
        let exact = [0.0, 1.0].map(|share| Point { at: [share, share], ..Point::default() });
        Chart {
            title: format!("{game}: mean error {:.1} points", 100.0 * mean_error(&self.bins)),
            note: format!("{positions} positions of {games} held-out games"),
            size: [300.0, 300.0],
            x: percent("predicted chances of the side to move"),
            y: percent("points scored"),
            series: vec![
                Series { color: "#999999", has_line: true, points: exact.to_vec(), ..Series::default() },
                Series {
                    color: "#1f77b4",
                    has_dots: true,
                    points: self.bins.iter().map(point).collect(),
                    ..Series::default()
                },
            ],
        }
        .file()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (positions, games) = (in_thousands(self.positions as u64), in_thousands(self.games as u64));
        writeln!(f, "{positions} positions with an estimated score, of {games} games\n")?;
        writeln!(f, "{:<20}  {:>8}  {:>7}  {:>11}", "log-odds", "fitted", "error", "in programs")?;
        for (pieces, slope) in &self.knots {
            line(f, &format!("slope at {pieces} pieces"), slope)?;
        }
        line(f, "side to move", &self.of_move)?;
        let Losses { slopes, with_move, embedded, even } = self.losses;
        writeln!(f, "\nlog loss  {slopes:.5} on held-out games with slopes only")?;
        writeln!(f, "          {with_move:.5} on held-out games with a constant for the side to move")?;
        writeln!(f, "          {embedded:.5} with the constants in the programs")?;
        writeln!(f, "          {even:.5} with even chances")?;
        writeln!(
            f,
            "\n{:>14}  {:>9}  {:>6}  {:>10}  {:>5}",
            "chances, %", "predicted", "points", "difference", "error"
        )?;
        for &Bin { from, to, predicted, points, error, .. } in &self.bins {
            let [from, to, predicted, points, error] = [from, to, predicted, points, error].map(|share| 100.0 * share);
            let bin = format!("{from:.1} to {to:.1}");
            let difference = points - predicted;
            writeln!(f, "{bin:>14}  {predicted:>9.1}  {points:>6.1}  {difference:>+10.1}  {error:>5.1}")?;
        }
        write!(f, "mean error of the bins: {:.1} points of 100", 100.0 * mean_error(&self.bins))
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, &Fitted { value, error, embedded }: &Fitted) -> fmt::Result {
    writeln!(f, "{name:<20}  {value:>8.5}  {error:>7.5}  {embedded:>11.5}")
}
