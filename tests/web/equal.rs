//! The engine in the page finds what the engine of this machine finds: the same moves, scores, depths and lines.

use kingline::draw::shown::Shown;
use kingline::game::{Evaluator, Game, History, Knowledge, NoKnowledge, Searched};
use kingline::knowledge::tablebase::{TableFile, Tablebase, Trust};
use kingline::score::Ply;
use kingline::search::{Limits, Searcher};
use kingline::{checkers, evaluate, loa};
use serde_json::{Value, json};

use super::built;
use super::page::LOADED;
use crate::display::browser::{Browser, Screen};
use crate::support::moves;

/// Positions of each game.
const POSITIONS: usize = 250;
/// Positions that the page searches before the test looks again.
const AT_ONCE: usize = 25;
const LIMITS: Limits = Limits { time: None, nodes: Some(20_000), depth: None, game_plies: None, lines: 0 };

/// Returns the answers of the page's engine in a worker to searches of these positions.
fn in_the_page(browser: &Browser, game: &str, positions: &[String]) -> Vec<Value> {
    browser.run(&format!("window.compared = module_engine.engine('{game}')"));
    let mut answers = Vec::new();
    for some in positions.chunks(AT_ONCE) {
        let request = |position: &String| format!("search {game}\nstart {position}\nnodes 20000");
        let requests = json!(some.iter().map(request).collect::<Vec<_>>());
        browser.run(&format!(
            "window.answers = null; \
             (async () => {{ const all = []; for (const each of {requests}) all.push(await compared.ask(each)); \
             return all; }})().then((all) => (window.answers = all), (error) => (window.answers = [String(error)]))"
        ));
        browser.wait("searches", "answers !== null");
        answers.extend(browser.value("answers").as_array().expect("answers").clone());
    }
    answers
}

/// Returns what the page should answer, by the library of this machine.
fn searched<G: Shown + Searched, E: Evaluator<G>, T: Knowledge<G>>(
    position: &G,
    searcher: &mut Searcher<G, E, T>,
) -> Value {
    let report = searcher.search(*position, LIMITS, &mut ());
    let mut after = *position;
    let mut words = Vec::new();
    for &mv in report.lines.first().map_or(&[][..], |line| &line.moves) {
        words.push(after.written(mv));
        after = after.play(mv);
    }
    json!({
        "best": report.best.map(|mv| position.notation(mv).to_string()),
        "value": report.score.value(),
        "depth": report.depth.0,
        "nodes": report.nodes,
        "line": words.join(" "),
    })
}

/// The same properties of an answer of the page.
fn properties(answer: &Value) -> Value {
    let line = &answer["lines"][0]["moves"];
    let line = if line.is_null() { json!("") } else { line.clone() };
    json!({
        "best": answer["best"], "value": answer["value"], "depth": answer["depth"], "nodes": answer["nodes"],
        "line": line,
    })
}

/// Every `n`-th position that is not the end of a game.
fn some<G: Game>(positions: impl Iterator<Item = G>) -> Vec<G> {
    let found: Vec<G> = positions.filter(|position| position.ending().is_none()).collect();
    let step = found.len() / POSITIONS;
    found.into_iter().step_by(step.max(1)).take(POSITIONS).collect()
}

#[test]
fn the_page_finds_the_moves_and_scores_of_this_machine() {
    let Some(folder) = built::folder() else { return };
    let Some(browser) = Browser::start(Screen::Desktop) else { return };
    browser.open_when(&built::serve(folder), LOADED);
    let text = |positions: &[String], game: &str| in_the_page(&browser, game, positions);

    let positions = some(moves::lines().map(|(position, _)| position));
    let tables = std::fs::read(folder.join("checkers.tables")).expect("tables");
    let tables = TableFile::open(&tables, Trust::CheckPages).expect("tables");
    let tables = Tablebase::new(&tables);
    let evaluation = evaluate::checkers::Evaluation::default();
    let mut searcher = Searcher::new(evaluation.clone()).with_knowledge(&tables);
    let answers = text(&positions.iter().map(ToString::to_string).collect::<Vec<_>>(), "checkers");
    let mut known = 0;
    for (position, answer) in positions.iter().zip(&answers) {
        let expected = match tables.choose(&History::new(*position), &evaluation, 100_000) {
            Ok(choice) => {
                known += 1;
                let line = checkers::Route::of(position, choice.mv).to_string();
                let value = choice.value.score(Ply(0)).value();
                json!({"best": position.notation(choice.mv).to_string(), "value": value, "depth": 0, "nodes": 0, "line": line})
            }
            Err(_) => searched(position, &mut searcher),
        };
        assert_eq!(properties(answer), expected, "{position}");
    }
    let all = positions.len();

    let positions = some(moves::loa_lines::<8>().map(|(position, _)| position));
    let mut searcher = Searcher::new(evaluate::loa::Evaluation::<8>::default()).with_knowledge(NoKnowledge);
    let answers = text(&positions.iter().map(loa::Position::to_string).collect::<Vec<_>>(), "loa");
    for (position, answer) in positions.iter().zip(&answers) {
        assert_eq!(properties(answer), searched(position, &mut searcher), "{position}");
    }
    println!("{} positions, {known} of them by the tables", all + positions.len());
    assert_eq!(all + positions.len(), 2 * POSITIONS);
}
