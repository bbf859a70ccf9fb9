//! Nodes a second of the page's engine as a program of this machine: `speed FOLDER`, with the folder of the built page.
//! `speed.mjs` measures the same searches in the compiled page:
//!
//!     samples/web/build.sh /tmp/page
//!     cargo run --profile web -p kingline-web --example speed -- /tmp/page
//!     node samples/web/speed.mjs /tmp/page

use std::path::Path;

use kingline::clock::Clock;
use kingline_web::{Engine, Part};

/// Searches of each game, which play it with their moves.
const SEARCHES: u32 = 8;
const NODES: u32 = 1_000_000;

fn main() {
    let folder = std::env::args().nth(1).expect("usage: speed FOLDER");
    let read = |name| std::fs::read(Path::new(&folder).join(name)).expect(name);
    let mut engine = Engine::default();
    let files = ["checkers.weights", "loa.weights", "checkers.tables"];
    for (part, name) in Part::ALL.into_iter().zip(files) {
        engine.load(part, &read(name)).expect(name);
    }
    for game in ["checkers", "loa"] {
        let start = Clock::Process.now();
        let mut moves = String::new();
        for _ in 0..SEARCHES {
            let request = format!("search {game}\nmoves{moves}\nnodes {NODES}");
            let answer = engine.answer(request.as_bytes(), &mut |_| ());
            assert!(answer.contains(&format!("\"nodes\":{NODES}")), "{answer}");
            let best = answer.split("\"best\":\"").nth(1).and_then(|rest| rest.split('"').next());
            moves += &format!(" {}", best.expect("a move"));
        }
        let took = (Clock::Process.now() - start).as_secs_f64();
        let rate = f64::from(NODES) * f64::from(SEARCHES) / took / 1e6;
        println!("{game}: {rate:.2} million nodes a second of CPU time;{moves}");
    }
}
