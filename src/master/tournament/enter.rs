//! Opening or creating a tournament's store on the requested terms, and beginning a new round with the games of an earlier one.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::error::TournamentError;
use crate::intake::agent::Agent;
use crate::league::agent_limits::Bytes;
use crate::league::{League, Pairing};
use crate::tournament::schedule::{GameKey, TournamentRules};
use crate::tournament::store::{
    Changes, EarlierRound, NextRound, Store, StoreError, StoreWriter, StoredAgent, Summary,
};
use crate::tournament::verify::verify;
use kingline_players::files::FileId;
use kingline_players::journal::Difference;

/// Requested terms of a tournament. A missing term is taken from the store or, for a new store, from the defaults.
#[derive(Clone, Debug, Default)]
pub struct TournamentTerms {
    /// Rules and clocks. Default: checkers.
    pub league: Option<League>,
    /// Pairing of the agents. Default: the league's.
    pub pairing: Option<Pairing>,
    /// Number of games between two agents that meet, even and positive. Default: 2. In an existing store, the number
    /// can grow but not shrink.
    pub games: Option<u32>,
    /// Seed of the openings. Default: 1.
    pub seed: Option<u64>,
    /// Store of the earlier round whose games a new store begins with, and whose terms it has. Default: none.
    pub since: Option<PathBuf>,
}

const DEFAULT_LEAGUE: &str = "checkers";

/// Name of the number of games in messages.
const GAMES: &str = "the number of games per pair of agents";

impl TournamentTerms {
    /// Returns the terms of the tournament whose store is, or will be, at `path`.
    ///
    /// # Errors
    /// The store or that of the earlier round cannot be read or has other terms, the store did not begin with that
    /// earlier round, or one of the two is an elimination.
    pub fn settle(&self, path: &Path) -> Result<(League, TournamentRules), StoreError> {
        match (is_new(path), &self.since) {
            (true, None) => self.settle_first(path),
            (true, Some(since)) => self.settle_next(since),
            (false, since) => {
                let store = Store::open(path)?;
                since.iter().try_for_each(|since| check_since(&store, path, since))?;
                self.settle_again(&store, path)
            }
        }
    }

    /// Returns the terms of a new store at `path`.
    fn settle_first(&self, path: &Path) -> Result<(League, TournamentRules), StoreError> {
        let Some(mut league) = self.league.clone().or_else(|| League::named(DEFAULT_LEAGUE)) else {
            return Err(StoreError::OtherTournament(path.to_owned(), "it has no league".to_owned()));
        };
        league.pairing = self.pairing.unwrap_or(league.pairing);
        let pairing = league.pairing;
        Ok((league, TournamentRules { pairing, games: self.games.unwrap_or(2), seed: self.seed.unwrap_or(1) }))
    }

    /// Returns the terms of a new round: those of the earlier one, so that its games can be taken over.
    fn settle_next(&self, since: &Path) -> Result<(League, TournamentRules), StoreError> {
        let earlier = Store::open(since)?;
        check_round_robin(&earlier, since, self.pairing)?;
        let mut differs = self.differences(&earlier);
        differs.extend(differs_in(GAMES, &earlier.rules().games, self.games.as_ref()));
        if differs.is_empty() {
            return Ok((earlier.league().clone(), *earlier.rules()));
        }
        let help = "leave these options out, or give the stored values, to take over its games; or leave --since out";
        Err(StoreError::OtherTournament(since.to_owned(), format!("{}\nhelp: {help}", differs.join("; "))))
    }

    /// Returns the terms of an existing store, which is at `path`.
    fn settle_again(&self, store: &Store, path: &Path) -> Result<(League, TournamentRules), StoreError> {
        let (league, rules) = (store.league(), store.rules());
        let mut differs = self.differences(store);
        let games = self.games.unwrap_or(rules.games);
        if games < rules.games {
            differs.push(format!("{GAMES} is {}, not {games} as requested, and can only grow", rules.games));
        }
        if differs.is_empty() {
            return Ok((league.clone(), TournamentRules { games, ..*rules }));
        }
        let help = "leave these options out, or give the stored values, to continue it; or start another tournament \
                    with --store FILE";
        Err(StoreError::OtherTournament(path.to_owned(), format!("{}\nhelp: {help}", differs.join("; "))))
    }

    /// Lists the differences between a store and these terms, except in the number of games.
    fn differences(&self, store: &Store) -> Vec<String> {
        let (league, rules) = (store.league(), store.rules());
        let mut differs = self.league.as_ref().map_or_else(Vec::new, |asked| differences(league, asked));
        differs.extend(differs_in("the pairing", &rules.pairing, self.pairing.as_ref()));
        differs.extend(differs_in("the seed", &rules.seed, self.seed.as_ref()));
        differs
    }
}

/// Opens or creates a tournament's store on these terms and enters these agents. In an existing store, the number of
/// games per meeting may grow.
pub fn enter(
    path: &Path,
    (league, rules): &(League, TournamentRules),
    agents: &[Agent],
) -> Result<(StoreWriter, Changes), StoreError> {
    let mut store = if is_new(path) { StoreWriter::create(path, league, rules)? } else { StoreWriter::resume(path)? };
    if rules.games > store.rules().games {
        store.set_games(rules.games)?;
    }
    let changes = store.enter(agents.iter().map(|agent| (agent.name.as_str(), agent.hash.as_str())))?;
    Ok((store, changes))
}

/// Returns true if there is no store yet: no file, or an empty one left by a master that was killed at startup.
pub fn is_new(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |about| about.is_file() && about.len() == 0)
}

fn differs_in<T: Display + PartialEq>(what: &str, found: &T, asked: Option<&T>) -> Option<String> {
    let asked = asked.filter(|&asked| asked != found)?;
    Some(format!("{what} is {found}, not {asked} as requested"))
}

/// Creates the store of a new round at `path`, with the agents and games of the store at `since`. Replays every game
/// first, and calls `watch` before each with the number of games. The new store appears completely or not at all.
///
/// # Errors
/// The earlier store cannot be read, its games contradict their moves or were changed after they were recorded, or the
/// new store cannot be written.
pub fn begin_round(path: &Path, since: &Path, watch: &mut dyn FnMut(usize)) -> Result<(), TournamentError> {
    let next = NextRound::begin(&Store::open(since)?, path)?;
    let found = verify(&next.open()?, &mut |games| {
        watch(games);
        true
    })?;
    if !found.is_right() {
        let what = match found.different.len() {
            0 => "the standings do not follow from the moves".to_owned(),
            games => format!("{games} of them contradict their moves or were changed after they were recorded"),
        };
        let help = format!("help: `master verify {}` lists them", since.display());
        let what = format!("its games cannot be taken over: {what}\n{help}");
        return Err(TournamentError::Content(since.to_owned(), what));
    }
    Ok(next.place()?)
}

/// Checks that a new round can begin with the games of `earlier`, which is at `since`.
fn check_round_robin(earlier: &Store, since: &Path, requested: Option<Pairing>) -> Result<(), StoreError> {
    if [Some(earlier.rules().pairing), requested].contains(&Some(Pairing::Elimination)) {
        let why = "games are taken over only in a round robin: in an elimination, who meets whom depends on the results \
                   of earlier rounds, so that a changed agent changes the games of the others\nhelp: leave --since out";
        return Err(StoreError::OtherRound(since.to_owned(), why.to_owned()));
    }
    Ok(())
}

/// Checks that a store at `path` began with the round at `since`, which may have moved meanwhile.
fn check_since(store: &Store, path: &Path, since: &Path) -> Result<(), StoreError> {
    let refuse = |why: String| Err(StoreError::OtherRound(path.to_owned(), why));
    let shown = since.display();
    if FileId::of(path) == FileId::of(since) {
        return refuse(format!(
            "found the same store for --since, expected that of an earlier round\nhelp: give the new round a store of its \
             own with --store FILE; {shown} is only read"
        ));
    }
    let other = "help: leave --since out to continue it, or start another round with --store FILE";
    let Some(EarlierRound { name, agents, games, .. }) = store.earlier()?.pop() else {
        return refuse(format!("it began without an earlier round, not with {shown} as requested\n{other}"));
    };
    if is_round(&games, &agents, &Store::open(since)?)? {
        return Ok(());
    }
    refuse(format!("it began with the games of {name}, not with those of {shown} as it is now\n{other}"))
}

/// Returns true if the tournament in `store` has these agents, and no games but these.
fn is_round(games: &[Summary], agents: &[StoredAgent], store: &Store) -> Result<bool, StoreError> {
    fn identities(agents: &[StoredAgent]) -> impl Iterator<Item = (&str, &str)> {
        agents.iter().map(|agent| (&*agent.name, &*agent.hash))
    }
    let known: HashMap<GameKey, &Summary> = games.iter().map(|game| (game.key(), game)).collect();
    let is_known = |game: &Summary| known.get(&game.key()) == Some(&game);
    Ok(identities(&store.agents()?).eq(identities(agents)) && store.summaries()?.iter().all(is_known))
}

/// Descriptions of a league's fields; a dot separates a field from the one that contains it.
const NAMES: [(&str, &str); 31] = [
    ("name", "its name"),
    ("game", "its game"),
    ("protocol", "its agents' protocol"),
    ("clock.counts", "the time that counts"),
    ("clock.turn", "the time for one turn"),
    ("clock.game", "each side's time for a game"),
    ("clock.patience", "the time that an agent may sleep"),
    ("clock.resolution", "the clock's resolution"),
    ("limits.memory", "the memory of an agent"),
    ("limits.processes", "the number of processes and threads of an agent"),
    ("limits.open_files", "the number of open files of a process"),
    ("limits.disk", "the size of an agent's working directory"),
    ("limits.files", "the number of files in an agent's working directory"),
    ("limits.playdata", "the size of playdata.txt"),
    ("limits.output", "the longest line that an agent may print"),
    ("submissions", "the table of build commands"),
    ("modules", "the Python modules that agents may use"),
    ("class_path", "the class path of agents in Java"),
    ("preparation.files.bytes", "the size of a submission"),
    ("preparation.files.entries", "the number of files and folders of a submission"),
    ("preparation.files.depth", "the depth of a submission's folders"),
    ("preparation.files.name", "the longest file name of a submission"),
    ("preparation.files.path", "the longest path of a submission"),
    ("preparation.build.seconds", "the time of a build in seconds"),
    ("preparation.build.memory", "the memory of a build"),
    ("preparation.calibrate.seconds", "the time of `calibrate` in seconds"),
    ("faults", "the penalty for a fault"),
    ("draws", "the rule for drawn games"),
    ("format", "how strictly answers are read"),
    ("longest", "the maximum number of turns in a game"),
    ("opening", "the number of random opening turns"),
];

/// Fields that are durations, stored as microseconds.
const TIMES: [&str; 4] = ["clock.turn", "clock.game", "clock.patience", "clock.resolution"];
/// Fields that are sizes, stored as bytes.
const SIZES: [&str; 6] = [
    "limits.memory",
    "limits.disk",
    "limits.playdata",
    "limits.output",
    "preparation.files.bytes",
    "preparation.build.memory",
];

/// Lists every difference, such as `each side's time for a game is 300 s, not 30 s as requested`. For leagues with
/// different names, reports only the names. Does not compare pairings.
pub(super) fn differences(found: &League, requested: &League) -> Vec<String> {
    if found.name != requested.name {
        return vec![format!("its league is \"{}\", not \"{}\" as requested", found.name, requested.name)];
    }
    // Compared as JSON, so that no field can be forgotten.
    let mut all = Difference::all(&compared(found), &compared(requested));
    let place = |name: &str| NAMES.iter().position(|(field, _)| *field == name).unwrap_or(NAMES.len());
    all.sort_by_key(|difference| place(&difference.name));
    let describe = |Difference { name: field, found, wanted }: Difference| {
        let name = NAMES.get(place(&field)).map_or_else(|| format!("its \"{field}\""), |(_, name)| (*name).to_owned());
        let [found, wanted] = [found, wanted].map(|value| with_unit(&field, &value));
        format!("{name} is {found}, not {wanted} as requested")
    };
    all.into_iter().map(describe).collect()
}

/// The fields of a league that are compared, also those that are written only if they differ from the default.
fn compared(league: &League) -> Value {
    let mut fields = json!(league);
    fields["preparation"] = json!(league.preparation);
    fields["modules"] = json!(league.modules);
    fields["class_path"] = json!(league.class_path);
    fields.as_object_mut().map(|fields| fields.remove("pairing"));
    fields
}

/// Formats a field's JSON with its unit.
fn with_unit(field: &str, value: &str) -> String {
    match value.parse::<u64>() {
        Ok(micros) if TIMES.contains(&field) => format!("{} s", micros as f64 / 1e6),
        Ok(bytes) if SIZES.contains(&field) => Bytes(bytes).to_string(),
        _ if value == "null" => "unlimited".to_owned(),
        _ if field == "clock.counts" => format!("{} time", value.trim_matches('"')),
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn differences_are_named_in_words_with_their_units() {
        let found = League::named("checkers").unwrap();
        assert_eq!(differences(&found, &found), Vec::<String>::new());
        let mut asked = League { opening: found.opening + 1, ..found.clone() };
        asked.clock.game = Some(Duration::from_millis(30_500));
        asked.clock.turn = Some(Duration::from_secs(2));
        asked.limits.memory = 1 << 30;
        asked.preparation.build.memory = 1 << 30;
        asked.preparation.calibrate.seconds = 60;
        let opening = found.opening;
        assert_eq!(
            differences(&found, &asked),
            [
                "the time for one turn is unlimited, not 2 s as requested".to_owned(),
                "each side's time for a game is 300 s, not 30.5 s as requested".to_owned(),
                "the memory of an agent is 4 GiB, not 1 GiB as requested".to_owned(),
                "the memory of a build is 2 GiB, not 1 GiB as requested".to_owned(),
                "the time of `calibrate` in seconds is 300, not 60 as requested".to_owned(),
                format!("the number of random opening turns is {opening}, not {} as requested", opening + 1),
            ]
        );
        let loa6 = League::named("loa6").unwrap();
        assert_eq!(differences(&found, &loa6), ["its league is \"checkers\", not \"loa6\" as requested"]);
        let other = differences(&found, &League { name: found.name.clone(), ..loa6 });
        for text in [
            "its game is \"checkers\", not \"loa6\" as requested",
            "the time that counts is cpu time, not wall time as requested",
            "the clock's resolution is 0.01 s, not 0.000001 s as requested",
        ] {
            assert!(other.iter().any(|name| name == text), "{text}: {other:#?}");
        }
    }

    #[test]
    fn every_field_of_a_league_has_a_name() {
        let fields = Difference::all(&compared(&League::named("loa").unwrap()), &json!({}));
        let mut names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        let mut keys: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
        keys.sort_unstable();
        assert_eq!(keys, names);
    }
}
