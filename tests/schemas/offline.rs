//! Outputs of `calibrate`.

use super::Table;
use crate::support::command::Dir;

const NUMBERS: &str = r#"{"params.prob_cut.margin": {"min": 0, "max": 100, "step": 8}}"#;
const STRONG: &str = "{\"nodes\":100}";
const WEAK: &str = "{\"nodes\":50}";

#[test]
fn outputs_of_calibrate_fit_their_schemas() {
    let mut table = Table::under("calibrate");
    let dir = Dir::new().with("numbers.json", NUMBERS);
    let done = |words: &str| dir.calibrate(words).exits_with(0).stdout.clone();
    for more in ["", " --game loa6 --sprt 0,5 --level 2 --record games --figures rows"] {
        table.hold("calibrate match --json", &done(&format!("match {STRONG} {WEAK} --openings 2 --json{more}")));
    }
    table.hold("calibrate match --record FILE", &dir.text("games"));
    table.hold("--figures FILE, also of master", &dir.text("rows"));

    let tune = format!("tune checkers numbers.json --folder tuned --player {WEAK} --pairs 20 --json --openings");
    for openings in ["0", "2"] {
        table.hold("calibrate tune --json", &done(&format!("{tune} {openings}")));
    }
    table.hold("calibrate tune: games.jsonl", &dir.text("tuned/games.jsonl"));
    table.hold("calibrate tune: match.jsonl", &dir.text("tuned/match.jsonl"));

    done("round --folder r --games 200 --nodes 30 --passes 2 --openings 2");
    table.hold("calibrate round: history.json", &dir.text("r/history.json"));
    let games = "r/checkers-1-of-1.games";
    table.hold("calibrate positions --json", &done(&format!("positions checkers {games} --out merged --json")));
    table.hold("calibrate chances --json", &done(&format!("chances checkers {games} --json")));
    table.hold("calibrate judge --json", &done(&format!("judge checkers {games} --json")));
    let damaged = [&dir.bytes(games)[..], b"a torn game"].concat();
    dir.write("torn.games", damaged);
    table.hold("calibrate positions --json", &done("positions checkers torn.games --json"));

    table.hold("calibrate tables --json", &done("tables --pieces 2 --output tables --json"));
    table.is_complete();
}
