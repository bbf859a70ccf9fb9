//! A game's page: its turns with their clocks, its board, and why it ended.

use std::time::Duration;

use maud::{Markup, PreEscaped, html};

use super::chart;
use super::content::Tournament;
use super::film::ShownGame;
use super::names::{Name, Root, game_file};
use super::page::{facts, scrolling};
use super::review;
use super::text::{SHOWN, cut, points, side_class};
use crate::league::clock_rules::ClockRules;
use crate::record::transcript;
use crate::record::{ChosenBy, EndReason, GameRecord, Turn};
use crate::tournament::store::Summary;
use kingline::draw::{Drawing, SHAPES};
use kingline::game::Color;
use kingline::review::{Review, ReviewedMove, of_black};

/// A game's page.
pub(super) struct GamePage<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) names: &'a [Name],
    /// Index among the tournament's games.
    pub(super) index: usize,
    pub(super) record: &'a GameRecord,
    /// Charged time of Black and White.
    pub(super) used: [Duration; 2],
    /// Its review, if the site has reviews and the game can be replayed.
    pub(super) review: Option<&'a Review>,
}

/// A row of the table of turns.
struct TurnRow<'a> {
    number: usize,
    side: Color,
    /// The move as agents write it, or `None` if there was none.
    mv: Option<&'a str>,
    /// The board after the move, if there was one.
    board: Option<&'a str>,
    /// Recorded turn; `None` for a random turn in the opening.
    turn: Option<&'a Turn>,
    /// The move as reviewed.
    reviewed: Option<&'a ReviewedMove>,
}

impl GamePage<'_> {
    fn summary(&self) -> &Summary {
        &self.tournament.games[self.index]
    }

    fn clock(&self) -> &ClockRules {
        &self.tournament.league.clock
    }

    fn player(&self, side: Color) -> &Name {
        &self.names[self.summary().agents[side.index()]]
    }

    /// All turns. If the game cannot be replayed, its moves are shown as recorded.
    fn rows<'a>(&'a self, shown_game: Option<&'a ShownGame>) -> Vec<TurnRow<'a>> {
        let opening = self.record.opening.iter().map(|mv| (None, Some(mv)));
        let turns = self.record.turns.iter().map(|turn| (Some(turn), turn.mv.as_ref()));
        let mut side = shown_game.map_or(Color::Black, |shown_game| shown_game.first);
        let mut rows = Vec::new();
        let mut made = 0;
        for (turn, mv) in opening.chain(turns) {
            let shown = shown_game.and_then(|shown_game| shown_game.moves.get(made)).or(mv).filter(|_| mv.is_some());
            let board = shown_game.and_then(|shown_game| shown_game.boards.get(made + 1)).filter(|_| mv.is_some());
            side = turn.map_or(side, |turn| turn.side);
            rows.push(TurnRow {
                number: rows.len() + 1,
                side,
                mv: shown.map(String::as_str),
                board: board.map(String::as_str),
                turn,
                reviewed: self.review.and_then(|review| review.moves.get(made)).filter(|_| mv.is_some()),
            });
            made += usize::from(mv.is_some());
            side = !side;
        }
        rows
    }

    /// The page's content.
    pub(super) fn main(&self) -> Markup {
        let shown_game = ShownGame::of(self.record);
        let rows = self.rows(shown_game.as_ref().ok());
        html! {
            (self.head())
            div .play {
                section .stage aria-label="Board" {
                    @match &shown_game {
                        Ok(shown_game) => { (self.stage(shown_game, &rows)) }
                        Err(error) => { p .bad { "The board cannot be shown: " (format_args!("{error:#}")) "." } }
                    }
                }
                section .log aria-label="Turns" { (self.turns(&rows)) }
            }
            @if let Some(review) = self.review { (review::section(review)) }
            (self.facts())
            // Without a transcript there is no board either; the reason is shown in its place.
            @if let Ok(text) = transcript::write(self.record) {
                details .source {
                    summary { "The game as " (transcript::extension(self.record.game).to_uppercase()) }
                    pre { (text) }
                }
            }
        }
    }

    /// The players, the result, and links to other games.
    fn head(&self) -> Markup {
        let summary = self.summary();
        let [black, white] = Color::ALL.map(|side| self.player(side).titled_link(Root::Above));
        let result = summary.half_points.map_or("unfinished".to_owned(), |half_points| {
            let [black, white] = half_points.map(points);
            format!("{black} : {white}")
        });
        let [before, after] = [self.index.checked_sub(1), Some(self.index + 1)]
            .map(|index| index.and_then(|index| self.tournament.games.get(index)));
        html! {
            h1 {
                span .quiet { "Game " (summary.id.0) } " "
                span .side.black { (black) } " " span .quiet { "against" } " " span .side.white { (white) }
            }
            p .verdict { strong { (result) } " " (self.verdict()) "." }
            p .beside {
                @if let Some(game) = before { a href={ (Root::Above) (game_file(game.id)) } { "← Previous game" } }
                " "
                @if let Some(game) = after { a href={ (Root::Above) (game_file(game.id)) } { "Next game →" } }
            }
        }
    }

    /// The verdict in words, naming the side that was awarded a drawn game.
    fn verdict(&self) -> String {
        let given = match (&self.record.verdict.reason, self.summary().half_points) {
            (EndReason::Drawn { .. }, Some([black, white])) if black > white => "; awarded to Black on time",
            (EndReason::Drawn { .. }, Some([black, white])) if black < white => "; awarded to White on time",
            _ => "",
        };
        cut(&format!("{}{given}", self.record.verdict_in_words()), 4 * SHOWN)
    }

    /// The board with both players beside it, and the controls to step through the game.
    fn stage(&self, shown_game: &ShownGame, rows: &[TurnRow<'_>]) -> Markup {
        let (Some(first), Some(last)) = (shown_game.boards.first(), shown_game.boards.last()) else {
            return Markup::default();
        };
        let moved = rows.iter().rev().find_map(|row| row.mv);
        let grid = shown_game.grid;
        let end = Drawing { grid, id: "board", label: "The board at the end", board: last, mv: moved };
        let start = Drawing { grid, id: "start", label: "The board at the start", board: first, mv: None };
        html! {
            (PreEscaped(SHAPES))
            (self.clock_of(Color::Black))
            figure {
                (PreEscaped(end.to_string()))
                figcaption #caption aria-live="polite" { "The end" }
            }
            (self.clock_of(Color::White))
            noscript {
                figure .small { (PreEscaped(start.to_string())) figcaption { "The start" } }
            }
            (steps(first))
            (self.chart())
            @if let Some(review) = self.review { (review::chances(review)) }
        }
    }

    /// A player and the time it has left.
    fn clock_of(&self, side: Color) -> Markup {
        let seconds = |times: [Option<Duration>; 2]| {
            times[side.index()].map_or(String::new(), |time| format!("{} s", self.clock().seconds(time)))
        };
        html! {
            p .player data-side=(side.to_string()) data-budget=(seconds(self.record.budgets)) {
                span .side.(side_class(side)) { (self.player(side).shown) } " "
                output { (seconds(self.record.left)) }
            }
        }
    }

    /// A chart of the charged time of each turn.
    fn chart(&self) -> Markup {
        let (offset, clock) = (self.record.opening.len(), self.clock());
        let time = |turn: &Turn| clock.charged(clock.counts.of(&turn.spent));
        let turns = self.record.turns.iter().enumerate();
        let spent: Vec<_> = turns.map(|(index, turn)| (offset + index, turn.side, time(turn))).collect();
        html! {
            @if spent.iter().any(|(.., time)| !time.is_zero()) {
                figure .chart {
                    (chart::times(clock, &spent, offset + spent.len()))
                    figcaption { (clock.counts.title()) " time of each turn, Black above and White below the line" }
                }
            }
        }
    }

    fn turns(&self, rows: &[TurnRow<'_>]) -> Markup {
        let bounded = self.record.turns.iter().any(|turn| turn.left.is_some());
        let table = html! {
            table #turns .turns {
                caption { "Turns and clocks; " (self.clock().steps_in_words()) }
                thead {
                    tr {
                        th .n scope="col" { "Turn" }
                        th scope="col" { "Side" }
                        th scope="col" { "Move" }
                        @if self.review.is_some() { th scope="col" { "Mark" } }
                        th .n scope="col" { "CPU, s" }
                        th .n scope="col" { "Wall, s" }
                        @if bounded { th .n scope="col" { "Left, s" } }
                        @if self.review.is_some() { th .n scope="col" { "Black's chances" } }
                    }
                }
                tbody { @for row in rows { (self.turn(row, bounded)) } }
            }
        };
        html! {
            (scrolling("Turns and clocks", &table))
            // Repeated below the table, since a fault outside any turn has no row in it.
            p #end .end { (self.verdict()) "." }
        }
    }

    fn turn(&self, row: &TurnRow<'_>, bounded: bool) -> Markup {
        let &TurnRow { number, side, mv, board, turn, reviewed } = row;
        let is_reviewed = self.review.is_some();
        let columns = 5 + usize::from(bounded) + if is_reviewed { 2 } else { 0 };
        let seconds = |time| self.clock().seconds(time).to_string();
        html! {
            tr id={ "t" (number) } data-board=[board] {
                th scope="row" { a href={ "#t" (number) } { (number) } }
                td .side.(side_class(side)) { (side.to_string()) }
                td .move { (mv.unwrap_or("none")) }
                @if is_reviewed { (review::sign(reviewed)) }
                @match turn {
                    None => { td .quiet colspan=(if bounded { 3 } else { 2 }) { "random opening" } }
                    Some(turn) => {
                        td .n { (seconds(turn.spent.cpu)) }
                        td .n { (seconds(turn.spent.wall)) }
                        @if bounded { td .n.left { (turn.left.map_or(String::new(), seconds)) } }
                    }
                }
                @if is_reviewed { td .n { (reviewed.map_or_else(String::new, of_black)) } }
            }
            @if let Some(mv) = reviewed { (review::judgment(mv, columns)) }
            @for (class, text) in turn.into_iter().flat_map(remarks) {
                tr class=(class) { td colspan=(columns) { (cut(&text, 3 * SHOWN)) } }
            }
        }
    }

    /// Other facts about the game.
    fn facts(&self) -> Markup {
        let (summary, record) = (self.summary(), self.record);
        let budget =
            |time: Option<Duration>| time.map_or("no limit".to_owned(), |time| format!("{} s", time.as_secs_f64()));
        let [black, white] = record.budgets.map(budget);
        let used = self.used.map(|time| self.clock().seconds(time));
        let values = [
            ("League", self.tournament.league.name.clone()),
            ("Round", summary.round.to_string()),
            ("Pairing", summary.pairing.to_string()),
            ("Seed", record.seed.to_string()),
            ("Opening", format!("{} random turns", record.opening.len())),
            ("Time limit", if black == white { black } else { format!("{black} for Black, {white} for White") }),
            ("Time used", format!("{} s by Black, {} s by White", used[0], used[1])),
            ("Clock", self.clock().steps_in_words()),
            ("Measured by", record.tier.clone()),
        ];
        facts(&values.map(|(name, value)| (name.to_owned(), cut(&value, SHOWN))))
    }
}

/// Buttons to step through the game from its first board; the script handles them.
fn steps(first: &str) -> Markup {
    html! {
        div #steps .steps role="group" aria-label="Step through the game" data-start=(first) hidden {
            button type="button" data-go="first" aria-label="To the start" { "|◀" }
            button type="button" data-go="back" aria-label="One turn back" { "◀" }
            button type="button" data-go="run" aria-pressed="false" { "Play" }
            button type="button" data-go="on" aria-label="One turn forward" { "▶" }
            button type="button" data-go="last" aria-label="To the end" { "▶|" }
            p {
                "Keys: " kbd { "←" } " " kbd { "→" } " " kbd { "Home" } " " kbd { "End" } ", " kbd { "P" } " plays"
            }
        }
    }
}

/// The fault and the notes of a turn, each with its class in the style sheet.
fn remarks(turn: &Turn) -> impl Iterator<Item = (&'static str, String)> {
    let fault = turn.fault.iter().map(|fault| {
        let at_random = if turn.chosen_by == ChosenBy::Referee { "; the referee played at random" } else { "" };
        let (read, expected) = (cut(&fault.read, SHOWN), cut(&fault.expected, SHOWN));
        ("fault", format!("Fault: {}: {read}; expected {expected}{at_random}", fault.kind))
    });
    fault.chain(turn.notes.iter().map(|text| ("note", format!("Note: {text}"))))
}
