//! The cost of tables: `calibrate bench tables`.

use kingline_players::figures::Row;

use super::built;
use crate::support::command::*;

#[test]
fn bench_tables_prints_every_figure() {
    let dir = Dir::new().with("t", built("3"));
    let ran = dir.run_with_input(Program::Calibrate, &["bench", "tables", "--side-file", "t", "--figures", "rows"], "");
    let names: Vec<&str> = ran
        .exits_with(0)
        .stdout
        .lines()
        .skip(2)
        .filter_map(|line| line.split(" | ").next()?.strip_prefix("| "))
        .collect();
    let tables = |name: &str| {
        let choice = ["won", "drawn", "lost"].map(|value| format!("choice of a move, {name}, {value}"));
        let probes = ["no jump", "a jump is due"].map(|kind| format!("probe, {name}, {kind}"));
        [&probes[..], &choice[..]].concat()
    };
    let turn = "exec to exit in a game, tabled position".to_owned();
    let expected = [tables("up to five pieces"), vec![turn], tables("3 pieces, from a file")].concat();
    assert_eq!(names, expected, "{ran:#?}");
    assert_eq!(dir.names(), ["rows", "t"]);
    let text = dir.text("rows");
    let rows: Vec<Row> = text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
    assert_eq!(rows.iter().map(|row| row.figure.as_str()).collect::<Vec<_>>(), names);
    for row in &rows {
        assert!(row.command.join(" ").ends_with("/calibrate bench tables --side-file t"), "{row:?}");
        let shown = format!("| {} | {} | {} | ", row.figure, row.measured, row.target.as_deref().expect("a target"));
        let met = if row.met == Some(true) { "yes" } else { "**no**" };
        assert!(ran.stdout.contains(&format!("{shown}{met} |\n")), "{row:?} {ran:#?}");
    }
}

#[test]
fn an_invalid_side_file_is_refused_before_measuring() {
    let dir = Dir::new().with("t", "something else").with("calibration.txt", "{\"tables\": \"t\"}");
    for (arguments, error) in [
        (&["bench", "tables"][..], ": not an endgame table file: "),
        (&["bench", "tables", "--side-file", "none"], ": cannot be read: "),
    ] {
        let ran = dir.run_with_input(Program::Calibrate, arguments, "");
        ran.exits_with(1).stderr_contains(&["calibrate: cannot use ", error]);
        assert_eq!(ran.stdout.lines().count(), 2, "only the table header: {ran:#?}");
    }
}
