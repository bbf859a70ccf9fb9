//! `master report --watch`: a site that follows its tournament.

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::read_game;
use crate::report::{Site, Tournament};
use crate::stop::StopFlag;
use crate::tournament::store::Store;
use kingline_players::terminal::stderr_line;

/// The command waits this many times as long as the last update took, so that it does not disturb the games.
const WAITS: u32 = 9;
/// Time between two checks of the stop flag.
const STEP: Duration = Duration::from_millis(100);

/// Updates a site whenever its store has changed, at most every `seconds`, until no games are missing or the command is
/// stopped.
pub(super) fn watch(mut site: Site, path: &Path, mut missing: u64, seconds: u32, stop: &StopFlag) -> Result<()> {
    let watched = Store::open(path)?;
    // Games may have been added since the site was written.
    let mut version = None;
    let mut took = Duration::ZERO;
    while missing > 0 {
        wait(Duration::from_secs(seconds.into()).max(took * WAITS), stop);
        if stop.is_requested() {
            return Ok(());
        }
        let now = watched.version()?;
        if version.replace(now) == Some(now) {
            continue;
        }
        let start = Instant::now();
        // Opened again, since the rules may have changed.
        let store = Store::open(path)?;
        let tournament = Tournament::of(&store)?;
        let mut changed = BTreeSet::new();
        site.update(&tournament, |id| read_game(&store, id, &mut changed))?;
        took = start.elapsed();
        missing = tournament.missing;
        let games = tournament.games.len();
        stderr_line(format_args!("master: {games} games on the site, {missing} still to be played, {took:.1?}"));
    }
    Ok(())
}

fn wait(time: Duration, stop: &StopFlag) {
    let end = Instant::now() + time;
    while Instant::now() < end && !stop.is_requested() {
        thread::sleep(STEP);
    }
}
