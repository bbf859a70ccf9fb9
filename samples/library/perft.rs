//! Counts the positions of each game by depth, to test its rules:
//!
//!     cargo run --release -p kingline-library-samples --bin perft -- 9

use std::time::Instant;

use kingline::game::{Game, perft};
use kingline::{checkers, loa};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(6), |depth| depth.parse())?;
    count::<checkers::Position>("American checkers", depth);
    count::<loa::Position<6>>("Lines of Action, 6x6", depth.min(6));
    count::<loa::Position<8>>("Lines of Action, 8x8", depth.min(5));
    Ok(())
}

fn count<G: Game>(name: &str, deepest: usize) {
    println!("{name}\n{}", G::start());
    for depth in 1..=deepest {
        let start = Instant::now();
        let leaves = perft(G::start(), depth);
        println!("{depth:>3} {leaves:>12} {:>8.3} s", start.elapsed().as_secs_f64());
    }
}
