//! `calibrate chances`: winning chances fitted to small self-play.

use serde_json::Value;

use super::REFUSED;
use super::selfplay::{HEADER, RECORD};
use crate::support::command::*;
use crate::support::json::{list, number};

fn report(dir: &Dir, words: &str) -> Value {
    dir.calibrate(&format!("chances {words} --json")).exits_with(0).json()
}

#[test]
fn chances_of_small_games_are_fitted_and_held_out_games_are_compared() {
    let dir = Dir::new();
    for game in ["checkers", "loa", "loa6"] {
        dir.calibrate(&format!("selfplay {game} --folder g --games 40 --nodes 100")).exits_with(0);
        let file = format!("g/{game}-1-of-1.games");
        let report = report(&dir, &format!("{game} {file} --picture {game}.svg --figures rows"));
        let positions = (dir.bytes(&file).len() - HEADER) / RECORD;
        assert_eq!((&report["positions"], &report["games"]), (&positions.into(), &40.into()), "{report}");
        let bins = list(&report["bins"]);
        let counts: Vec<u64> = bins.iter().map(|bin| bin["positions"].as_u64().expect("a number")).collect();
        assert_eq!(counts.iter().sum::<u64>(), positions as u64);
        assert!(counts.len() == 10 && counts.iter().all(|count| count.abs_diff(counts[0]) <= 1), "{counts:?}");
        for bin in bins {
            assert!(number(bin, "from") <= number(bin, "predicted") && number(bin, "predicted") <= number(bin, "to"));
        }
        let losses = &report["losses"];
        assert!(number(losses, "slopes") < number(losses, "even"), "{report}");
        assert!(number(losses, "with_move") < number(losses, "even"), "{report}");
        assert!(number(losses, "embedded") < number(losses, "even"), "{report}");
        assert!(report["knots"].as_array().is_some_and(|knots| !knots.is_empty()), "{report}");
        let picture = dir.text(&format!("{game}.svg"));
        assert!(picture.starts_with("<svg ") && picture.matches("<circle").count() == 10, "{picture}");
        let last = dir.text("rows").lines().last().map(str::to_owned).expect("a row");
        let row: Value = serde_json::from_str(&last).expect("JSON");
        assert!(row["measured"].as_str().is_some_and(|text| text.contains("points of 100 over")), "{row}");
    }
}

#[test]
fn decided_scores_do_not_count_and_equal_files_give_equal_reports() {
    let dir = Dir::new();
    dir.calibrate("selfplay loa6 --folder g --games 30 --nodes 100").exits_with(0);
    let file = "g/loa6-1-of-1.games";
    dir.calibrate(&format!("relabel loa6 {file} --captures --percent 100 --nodes 3000 --output long")).exits_with(0);
    let is_decided = |record: &&[u8; RECORD]| i16::from_le_bytes([record[20], record[21]]).abs() >= 1000;
    let decided = dir.bytes("long")[HEADER..].as_chunks::<RECORD>().0.iter().filter(is_decided).count();
    let [short, long] = [file, "long"].map(|file| report(&dir, &format!("loa6 {file} --groups 3")));
    assert!(decided > 0, "the longer searches prove some wins");
    assert_eq!(number(&short, "positions") - number(&long, "positions"), decided as f64);
    assert_eq!(report(&dir, &format!("loa6 {file} --groups 3")), short);
}

#[test]
fn the_report_is_a_table() {
    let dir = Dir::new();
    dir.calibrate("selfplay checkers --folder g --games 20 --nodes 100").exits_with(0);
    let ran = dir.calibrate("chances checkers g/checkers-1-of-1.games");
    let lines: Vec<&str> = ran.exits_with(0).stdout.lines().collect();
    assert!(lines[0].ends_with(" positions with an estimated score, of 20 games"), "{ran:#?}");
    assert_eq!(lines[2].split_whitespace().collect::<Vec<_>>(), ["log-odds", "fitted", "error", "in", "programs"]);
    assert!(lines.iter().any(|line| line.starts_with("log loss ") && line.contains(" on held-out games")), "{ran:#?}");
    let bins = lines.iter().skip_while(|line| !line.trim_start().starts_with("chances, %")).skip(1);
    assert_eq!(bins.take_while(|line| line.contains(" to ")).count(), 10, "{ran:#?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("mean error of the bins: ")), "{ran:#?}");
}

#[test]
fn other_files_are_refused_unchanged() {
    let dir = Dir::new().with("text", "my only copy");
    dir.calibrate("selfplay loa6 --folder g --games 8 --nodes 100").exits_with(0);
    let file = "g/loa6-1-of-1.games";
    let games = dir.bytes(file);
    dir.run_rows(Program::Calibrate, REFUSED, "chances");
    assert!(dir.bytes(file) == games && dir.read("text").as_deref() == Some("my only copy"));
    dir.write("damaged", [&games[..HEADER + 40], &[1], &games[HEADER + 41..]].concat());
    dir.calibrate("chances loa6 damaged --groups 2")
        .exits_with(2)
        .stderr_contains(&["damaged: record 2: its checksum is wrong"]);
}
