//! Every readable calibration gives a time budget and stays within the memory limit.
#![no_main]

use std::time::Duration;

use kingline::checkers::Position;
use kingline::game::Game;
use kingline_players::play::TimeBudget;
use kingline_players::protocol::turn_files::{Calibration, Mode, Playdata, TurnRequest};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut warnings = Vec::new();
    let Ok(calibration) = Calibration::parse(&String::from_utf8_lossy(bytes), &mut warnings) else { return };
    assert!(warnings.len() < 20 && warnings.iter().all(|warning| warning.len() < 1000));
    assert!(calibration.costs.after_search(512.0) < Duration::from_secs(3600));
    let position = Position::start();
    for mode in [Mode::Single, Mode::Game] {
        for left in [Duration::ZERO, Duration::from_millis(10), Duration::from_secs(300), Duration::from_secs(1 << 31)]
        {
            let request = TurnRequest { mode, left, position, warnings: Vec::new() };
            let budget = TimeBudget::new(&request, &calibration, &Playdata::fresh(position));
            assert!(budget.table_bytes() <= 1 << 30);
        }
    }
});
