//! `calibrate chances`: fits winning chances to search scores and results.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `samples` | which positions count |
//! | `fit` | which slopes predict the results best |
//! | `bins` | how far are predicted chances from results, on held-out games |
//! | `report` | what is printed |
//! | `draw` | how does the picture look |

mod bins;
mod draw;
mod fit;
mod report;
mod samples;

use super::game_name::packing;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use kingline::checkers;
use kingline::loa;
use kingline_players::figures::{FiguresOption, Topic};
use kingline_players::files::{FileKind, UsedFile, check_different, check_target, write_whole};
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::review::{Curve, Judged};
use kingline_players::terminal::{stdout_json, stdout_line};

use crate::help::help_end;
use bins::Prediction;
use fit::{Fit, Terms};
use kingline_players::exit::BadInput;
use report::{Fitted, Losses, Report};
use samples::Sample;

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
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    figures: FiguresOption,
}

const PICTURE: FileKind = FileKind { name: "an SVG picture", is_start: |start| start.starts_with(b"<svg ") };

/// Fits, prints the report and draws the picture.
///
/// # Errors
/// Fails if a file cannot be read or written, contains other games, or has fewer games than there are groups.
pub(crate) fn run(arguments: &ChancesArguments) -> Result<()> {
    if let Some(picture) = &arguments.picture {
        let games: Vec<UsedFile> = arguments.games.iter().map(|path| UsedFile::named("the games", path)).collect();
        check_different(&games, &[UsedFile::named("--picture", picture)])?;
        check_target(picture, PICTURE)?;
    }
    let embedded = curve(arguments.game);
    let samples = samples::read(&arguments.games, packing(arguments.game))?;
    let games = samples::count_games(&samples);
    ensure!(
        games >= arguments.groups as usize,
        BadInput::new(format!(
            "found {games} games with positions, expected at least one in each of {} groups",
            arguments.groups
        ))
    );
    let report = fit_and_hold_out(&samples, embedded, arguments.groups);
    if let Some(picture) = &arguments.picture {
        write_whole(picture, draw::svg(&report, arguments.game.word()).as_bytes())?;
    }
    if arguments.json {
        stdout_json(serde_json::to_string(&report)?)?;
    } else {
        stdout_line(&report)?;
    }
    let figure = report.figure(arguments.game.word());
    arguments.figures.record(Topic::Evaluation, [figure])
}

/// Returns the curve in the programs.
fn curve(game: GameName) -> Curve<'static> {
    match game {
        GameName::Checkers => checkers::Position::CURVE,
        GameName::Loa => loa::Position::<8>::CURVE,
        GameName::Loa6 => loa::Position::<6>::CURVE,
    }
}

/// Fits a curve of the form of `embedded` to all samples, and to all but each group of games.
fn fit_and_hold_out(samples: &[Sample], embedded: Curve, groups: u32) -> Report {
    let without = |terms| -> Vec<Fit> {
        let fit = |group| fit::fit(samples.iter().filter(|sample| sample.game % groups != group), embedded, terms);
        (0..groups).map(fit).collect()
    };
    let predictions = |without: &[Fit]| -> Vec<Prediction> {
        let predict = |sample: &Sample| {
            let log_odds = without[(sample.game % groups) as usize].log_odds(sample, embedded);
            Prediction { log_odds, points: sample.points, game: sample.game }
        };
        samples.iter().map(predict).collect()
    };
    let terms = if embedded.of_move == 0.0 { Terms::Slopes } else { Terms::SlopesAndMove };
    let (all, held_out) = (fit::fit(samples.iter(), embedded, terms), without(terms));
    let fitted = |embedded, of: &dyn Fn(&Fit) -> f64| Fitted {
        value: of(&all),
        error: jackknife(&held_out.iter().map(of).collect::<Vec<_>>()),
        embedded,
    };
    let knots = embedded.knots.iter().enumerate();
    let held_out_loss = |terms| bins::loss(&predictions(&without(terms)));
    Report {
        positions: samples.len(),
        games: samples::count_games(samples),
        knots: knots.map(|(place, knot)| (knot.pieces, fitted(knot.slope, &|fit| fit.slopes[place]))).collect(),
        of_move: fitted(embedded.of_move, &|fit| fit.of_move),
        losses: Losses {
            slopes: held_out_loss(Terms::Slopes),
            with_move: held_out_loss(Terms::SlopesAndMove),
            embedded: fit::loss(samples, |sample| embedded.log_odds(sample.pieces, sample.score)),
            even: fit::loss(samples, |_| 0.0),
        },
        bins: bins::bins(&predictions(&held_out)),
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
