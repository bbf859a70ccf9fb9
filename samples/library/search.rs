//! Searches a position of checkers or Lines of Action for a second:
//!
//!     cargo run --release -p kingline-library-samples --bin search -- checkers "W:W21,22,K30:B1,2,11"
//!     cargo run --release -p kingline-library-samples --bin search -- loa6 "-bbbb-/w----w/w----w/w----w/w----w/-bbbb- black"

use std::error::Error;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

use kingline::game::{Evaluator, Searched};
use kingline::search::{Limits, Report, Searcher};
use kingline::{checkers, evaluate, loa};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("search: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, position] = &arguments[..] else { return Err("usage: search checkers|loa|loa6 POSITION".into()) };
    match game.as_str() {
        "checkers" => search(position.parse::<checkers::Position>()?, evaluate::checkers::Evaluation::default()),
        "loa" => search(position.parse::<loa::Position<8>>()?, evaluate::loa::Evaluation::default()),
        "loa6" => search(position.parse::<loa::Position<6>>()?, evaluate::loa::Evaluation::default()),
        other => return Err(format!("found the game {other:?}, expected checkers, loa or loa6").into()),
    }
    Ok(())
}

/// Prints a line for each iteration, then the best move. A closure watches the search.
fn search<G: Searched>(position: G, evaluation: impl Evaluator<G>) {
    let mut watch = |report: &Report<G>| {
        let line = position.line(&report.principal_variation);
        println!("{:>3} {:>9} {:>12} {line}", report.depth.0, report.score.to_string(), report.nodes);
        ControlFlow::Continue(())
    };
    let report = Searcher::new(evaluation).search(position, Limits::time(Duration::from_secs(1)), &mut watch);
    match report.best {
        Some(best) => println!("{} plays {} ({})", position.turn(), position.notation(best), report.score),
        None => println!("{} has no legal move and loses", position.turn()),
    }
}
