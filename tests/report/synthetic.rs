//! Synthetic tournaments: agents play at random, the better ones more carefully.

use std::fs;
use std::path::PathBuf;

use kingline_master::league::League;
use kingline_master::record::GameRecord;
use kingline_master::tournament::schedule::{PlannedGame, TournamentRules};
use kingline_master::tournament::store::{NextRound, Store, StoreError, StoreWriter};
use tempfile::TempDir;

use crate::support::command::Dir;
use crate::support::games::play_with_care;

pub(crate) const PLAIN: [(&str, Option<&str>); 4] = [("alpha", None), ("beta", None), ("gamma", None), ("delta", None)];
/// Agents whose names try to be markup.
pub(crate) const NASTY: [(&str, Option<&str>); 5] = [
    ("<script>alert(1)</script>", Some("</title><script src=//evil.example></script>")),
    ("\"><img src=x onerror=alert(1)>", Some("javascript:alert(1) data:text/html,x")),
    ("../../../etc/passwd", Some("me https://example.org/a?b=1&c=<b>\"onclick=\"x")),
    ("' onmouseover='x", Some("http://localhost/%22%3E<svg/onload=alert(1)>")),
    ("\u{202e}drawkcab\u{0}&lt;b&gt;", None),
];

/// A league with at least two random turns before each game.
pub(crate) fn league(name: &str) -> League {
    let league = League::named(name).expect("a league");
    League { opening: league.opening.max(2), ..league }
}

/// Store of a synthetic tournament.
pub(crate) struct Sample {
    folder: TempDir,
}

impl Sample {
    /// Plays a tournament of agents with these names and titles. The first plays best; later ones commit more faults.
    pub(crate) fn new(league: &League, agents: &[(&str, Option<&str>)], games: u32) -> Sample {
        let (sample, mut writer) = Sample::begin(league, agents, games);
        play_all(&mut writer, &agents.iter().map(|&(name, _)| name).collect::<Vec<_>>());
        sample
    }

    /// Plays the next round, of agents with these names and hashes. Its store is called `store`, that of the earlier
    /// round `week1`.
    pub(crate) fn next_round(&self, agents: &[(&str, &str)]) -> Sample {
        let sample = Sample { folder: tempfile::tempdir().expect("a folder") };
        fs::copy(self.store(), self.path("week1.db")).expect("a copy");
        let earlier = Store::open(&self.path("week1.db")).expect("a store");
        NextRound::begin(&earlier, &sample.store()).and_then(NextRound::place).expect("a new round");
        let mut writer = StoreWriter::resume(&sample.store()).expect("a store");
        writer.enter(agents.iter().copied()).expect("agents");
        play_all(&mut writer, &agents.iter().map(|&(name, _)| name).collect::<Vec<_>>());
        sample
    }

    /// Hash of the files of an agent with this name.
    pub(crate) fn hash(name: &str) -> String {
        format!("{:064x}", name.len())
    }

    /// A tournament before its first game.
    pub(crate) fn begin(league: &League, agents: &[(&str, Option<&str>)], games: u32) -> (Sample, StoreWriter) {
        let sample = Sample { folder: tempfile::tempdir().expect("a folder") };
        let rules = TournamentRules { pairing: league.pairing, games, seed: 7 };
        let mut writer = StoreWriter::create(&sample.store(), league, &rules).expect("a store");
        let hashes: Vec<String> = agents.iter().map(|(name, _)| Sample::hash(name)).collect();
        writer.enter(agents.iter().zip(&hashes).map(|(&(name, _), hash)| (name, hash.as_str()))).expect("agents");
        for (name, title) in agents {
            title.iter().for_each(|title| writer.set_title(name, title).expect("a title"));
        }
        (sample, writer)
    }

    /// Copies the store to `spring.db` in a directory to run commands in.
    pub(crate) fn dir(&self) -> Dir {
        let dir = Dir::new();
        fs::copy(self.store(), dir.path("spring.db")).expect("a copy");
        dir
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.folder.path().join("store.db")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Plays the missing games. Earlier agents in `order` play with more care.
pub(crate) fn play_all(writer: &mut StoreWriter, order: &[&str]) {
    let (stored, league) = (writer.agents().expect("agents"), writer.league().clone());
    let play = |game: PlannedGame| -> Result<(PlannedGame, GameRecord), StoreError> {
        let names = game.agents.map(|agent| stored[agent].name.clone());
        let rank = |name: &String| order.iter().position(|other| other == name).expect("an agent");
        let care = names.each_ref().map(|name| 1.0 - rank(name) as f64 / order.len() as f64);
        Ok((game, play_with_care(&league, names, care, game.seed)))
    };
    loop {
        let missing = writer.schedule(&|_| false).expect("a schedule").missing;
        if missing.is_empty() {
            return;
        }
        // One at a time, since the records of a large tournament do not fit into memory.
        writer.record_each(missing.into_iter().map(play)).expect("games recorded");
    }
}
