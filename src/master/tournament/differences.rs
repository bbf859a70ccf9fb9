//! Differences between two leagues, in words.

use serde_json::{Value, json};

use crate::league::League;
use crate::league::agent_limits::Bytes;
use kingline_players::journal::Difference;

/// Descriptions of a league's fields; a dot separates a field from the one that contains it.
const NAMES: [(&str, &str); 30] = [
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
const SIZES: [&str; 5] =
    ["limits.memory", "limits.disk", "limits.output", "preparation.files.bytes", "preparation.build.memory"];

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
        let [found, wanted] = [found, wanted].map(|value| in_words(&field, &value));
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
fn in_words(field: &str, value: &str) -> String {
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
