//! Options that print JSON.

use super::Table;
use crate::support::help::{long_options, printed, with_commands};
use crate::support::programs::{Program, paths_in};

/// Tables of outputs.
const TABLES: [&str; 3] = ["Players", "calibrate", "master"];

#[test]
fn every_option_that_prints_json_has_a_schema() {
    let rows: Vec<String> = TABLES.iter().flat_map(|name| Table::under(name).rows).map(|row| row.output).collect();
    let mut found = 0;
    for command in Program::ALL.into_iter().flat_map(|program| with_commands((program, Vec::new()))) {
        let words = [&[command.0.name().to_owned()], &command.1[..]].concat().join(" ");
        let has_json = long_options(&command).iter().any(|option| option == "--json");
        // A value of an option, in the list of its values.
        let has_value = printed(&command, "--help").lines().any(|line| line.trim_start().starts_with("- json:"));
        for (is_there, option) in [(has_json, "--json"), (has_value, "--format json")] {
            let output = format!("{words} {option}");
            found += usize::from(is_there);
            assert!(!is_there || rows.contains(&output), "`{output}` has no schema: add one to samples/schemas");
        }
    }
    assert!(found > 15, "only {found} options are found");
}

#[test]
fn every_schema_is_in_a_table() {
    let tables = TABLES.iter().chain(&["Input"]).map(|name| Table::under(name));
    let named: Vec<String> = tables.flat_map(|table| table.rows).map(|row| row.schema).collect();
    for path in paths_in("samples/schemas", ".json") {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(named.contains(&name), "{name} is in no table of samples/schemas/README.md");
    }
}
