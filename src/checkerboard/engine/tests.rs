use super::*;
use kingline::evaluate::checkers::Evaluation;
use kingline::search::Searcher;

/// Shown texts; the move is wanted after so many of them.
#[derive(Default)]
struct Texts {
    shown: Vec<String>,
    wanted_after: Option<usize>,
}

impl Watcher for Texts {
    fn is_move_wanted(&self) -> bool {
        self.wanted_after.is_some_and(|most| self.shown.len() >= most)
    }
    fn show(&mut self, text: &str) {
        self.shown.push(text.to_owned());
    }
}

fn follow(engine: &Engine, text: &str) -> Result<String, Refusal> {
    engine.follow(text)
}

/// The move in numbers, the claim, and the last text, for a second at most.
fn choose(engine: &Engine, text: &str) -> (Option<String>, Claim, String) {
    let position: Position = text.parse().unwrap();
    let time = TimeControl::Exact(Duration::from_secs(1));
    let mut texts = Texts::default();
    let (best, claim) = engine.choose(&Request { position, time, is_new_game: true }, &mut texts);
    let best = best.map(|best| position.notation(best).to_string());
    (best, claim, texts.shown.pop().unwrap_or_default())
}

#[test]
fn settings_are_kept_and_wrong_ones_change_nothing() {
    let engine = Engine::default();
    for (setting, default, value) in
        [("hashsize", "64", "1"), ("searchthreads", "1", "2"), ("allscores", "0", "1"), ("nodes", "0", "500")]
    {
        assert_eq!(follow(&engine, &format!("get {setting}")), Ok(default.to_owned()));
        assert!(follow(&engine, &format!("set {setting} x")).is_err());
        assert_eq!(follow(&engine, &format!("get {setting}")), Ok(default.to_owned()));
        follow(&engine, &format!("set {setting} {value}")).unwrap();
        assert_eq!(follow(&engine, &format!("get {setting}")), Ok(value.to_owned()));
    }
    let Err(Refusal::Wrong(reason)) = follow(&engine, "set dbpath no such file") else { panic!("no file") };
    assert!(reason.contains("no such file"), "{reason}");
    assert_eq!(follow(&engine, "get dbpath"), Ok(String::new()));
}

#[test]
fn questions_are_answered() {
    let engine = Engine::default();
    for (question, answer) in [
        ("get protocolversion", "2"),
        ("get gametype", "21"),
        ("help", "kingline.htm"),
        ("dblookup W:WK30,K31:BK11", "win, a capture or crowning within 33 plies"),
        ("dblookup B:W21-32:B1-12", "not in the tables"),
        ("staticevaluation W:WK1:B", "+"),
    ] {
        let reply = follow(&engine, question).unwrap();
        assert!(reply == answer || answer == "+" && reply.starts_with(answer), "{question}: {reply}");
    }
    assert!(follow(&engine, "name").unwrap().starts_with("kingline "));
    for (position, man) in [("B:W31:BK32,30", "Black's man on 30"), ("W:WK14,K22,1:BK9,K5", "White's man on 1")] {
        let reason = format!("no value: {man} is on its crowning row; it stays a man and cannot move");
        assert_eq!(follow(&engine, &format!("dblookup {position}")), Err(Refusal::Wrong(reason)));
    }
}

#[test]
fn certain_results_are_claimed() {
    let engine = Engine::default();
    follow(&engine, "set nodes 2000").unwrap();
    let (best, claim, text) = choose(&engine, "B:W21-32:B1-12");
    assert!(best.is_some() && claim == Claim::Unknown && text.starts_with("depth "), "{text}");
    assert_eq!(choose(&engine, "B:W18:B"), (None, Claim::Loss, "no legal move".to_owned()));
    let (best, claim, text) = choose(&engine, "W:WK30,K31:BK11");
    assert!(best.is_some() && claim == Claim::Win && text.starts_with("endgame tables: win"), "{text}");
    assert_eq!(choose(&engine, "B:W18:B15").1, Claim::Win, "the last piece is captured");
    let only = "B:W18,21,22,24,26,27,28,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,14";
    assert_eq!(choose(&engine, only), (Some("14x23".into()), Claim::Unknown, "the only move: 14x23".to_owned()));
}

#[test]
fn the_third_occurrence_is_a_draw_only_if_the_game_is_known() {
    let engine = Engine::default();
    follow(&engine, "set nodes 100").unwrap();
    let position = "B:WK32:BK1";
    let shuffle = ["1-5", "32-28", "5-1", "28-32"].repeat(2).join(" ");
    let fresh = choose(&engine, position);
    assert_eq!(fresh.1, Claim::Unknown);
    // Black has two moves; both lead to the third occurrence of a position if both have occurred twice.
    let other = ["1-6", "32-28", "6-1", "28-32"].repeat(2).join(" ");
    follow(&engine, &format!("set gamehist {position} {shuffle} {other}")).unwrap();
    assert_eq!(choose(&engine, position).1, Claim::Draw);
    assert_eq!(choose(&engine, position), fresh, "the history counts once");
}

#[test]
fn a_draw_by_the_tables_is_claimed_after_many_quiet_moves() {
    let engine = Engine::default();
    let position = "B:WK32:BK1";
    // A walk of the black king and one of the white, so that no position occurs three times.
    let walk = "1-6 32-27 6-10 27-23 10-14 23-27 14-17 27-32 17-21 32-28 21-17 28-32";
    let back = "17-14 32-27 14-10 27-23 10-6 23-19 6-1 19-24 1-5 24-28 5-1 28-32";
    follow(&engine, &format!("set gamehist {position} {walk} {back}")).unwrap();
    let (best, claim, text) = choose(&engine, position);
    assert!(best.is_some() && claim == Claim::Draw && text.starts_with("endgame tables: draw"), "{text}");
    follow(&engine, &format!("set gamehist {position} {walk} 17-14 32-27")).unwrap();
    assert_eq!(choose(&engine, "B:WK27:BK14").1, Claim::Unknown);
}

#[test]
fn a_wanted_move_comes_at_once_and_limits_on_nodes_ignore_the_time() {
    let engine = Engine::default();
    let position = Position::start();
    let time = TimeControl::Average(Duration::from_secs(3600));
    let request = Request { position, time, is_new_game: false };
    let mut texts = Texts { wanted_after: Some(3), ..Texts::default() };
    let (best, _) = engine.choose(&request, &mut texts);
    assert!(best.is_some() && texts.shown.len() == 4, "{:?}", texts.shown);
    follow(&engine, "set nodes 1000").unwrap();
    let mut texts = Texts::default();
    let request = Request { time: TimeControl::Exact(Duration::ZERO), ..request };
    assert!(engine.choose(&request, &mut texts).0.is_some());
    assert!(texts.shown.len() > 2, "{:?}", texts.shown);
}

#[test]
fn all_scores_are_shown_if_they_are_wanted() {
    let engine = Engine::default();
    follow(&engine, "set allscores 1").unwrap();
    follow(&engine, "set nodes 5000").unwrap();
    let (_, _, text) = choose(&engine, "B:W21-32:B1-12");
    assert_eq!(text.matches(", ").count(), 6, "{text}");
}

#[test]
fn commands_are_read() {
    let engine = Engine::default();
    for (command, reply) in [
        (" name ", format!("kingline {}", env!("CARGO_PKG_VERSION"))),
        ("set hashsize 128", "hash size set to 128 MiB".to_owned()),
        ("set searchthreads  2", "threads set to 2".to_owned()),
        ("set dbpath", "endgame tables set".to_owned()),
        ("set allscores 1", "all scores on".to_owned()),
        ("set nodes 0", "no limit of nodes".to_owned()),
        ("set nodes 500", "nodes set to 500".to_owned()),
        ("set gamehist", "game history set".to_owned()),
    ] {
        assert_eq!(follow(&engine, command), Ok(reply), "{command}");
    }
    let Err(Refusal::Wrong(reason)) = follow(&engine, "set dbpath C:\\my tables\\six.tables") else {
        panic!("no file")
    };
    assert!(reason.contains("my tables"), "{reason}");
    assert!(follow(&engine, "staticevaluation B:W21-32:B1-12.").is_ok());
}

#[test]
fn commands_that_the_engine_lacks_differ_from_wrong_values() {
    let engine = Engine::default();
    for text in ["", "play", "get", "get book", "get hashsize 1", "set", "set book 3", "set gametype 21", "NAME"] {
        assert_eq!(follow(&engine, text), Err(Refusal::Unknown), "{text}");
    }
    for (text, expected) in [
        ("set hashsize 0", "from 1 to 65536"),
        ("set hashsize", "from 1 to 65536"),
        ("set searchthreads -1", "from 1 to 256"),
        ("set allscores 2", "from 0 to 1"),
        ("set nodes 99999999999999999999", "from 0 to"),
        ("staticevaluation", "the side to move"),
        ("dblookup B:W99:B1", "square number"),
    ] {
        let Err(Refusal::Wrong(reason)) = follow(&engine, text) else { panic!("{text}") };
        assert!(reason.contains(expected), "{text}: {reason}");
    }
}

#[test]
fn texts_have_depth_score_nodes_time_and_moves() {
    let start = Position::start();
    let limits = Limits::depth(3).lines(9);
    let report = Searcher::new(Evaluation::default()).search(start, limits, &mut ());
    let text = iteration(&start, &report, Duration::from_millis(1500));
    let expected = format!("depth 3  score {}  nodes {}  time 1.50 s  0.00 Mnps  pv ", report.score, report.nodes);
    assert!(text.starts_with(&expected) && text[expected.len()..].contains('-'), "{text}");
    let text = all_scores(&start, &report);
    assert!(text.starts_with("depth 3  ") && text.matches(", ").count() == 6, "{text}");
    assert!(text.contains("9-14 ") && text.contains("12-16 "), "{text}");
}
