//! The pages that scripts fill: any game, the list of games, the head-to-head of two agents, and the whole cross table.

use maud::{Markup, PreEscaped, html};

use super::content::Tournament;
use super::film::{grid_of, start_of};
use super::page::{needs_scripts, scrolling};
use kingline::draw::{Drawing, SHAPES};

/// The page that shows any game: `game.html#12` or, at its seventh turn, `game.html#12.7`.
pub(super) fn game(tournament: &Tournament, is_reviewed: bool) -> Markup {
    let (game, clock) = (tournament.league.game, &tournament.league.clock);
    let board = start_of(game);
    let drawing = Drawing { grid: grid_of(game), id: "board", label: "The board", board: &board, mv: None };
    let table = html! {
        table #turns .turns {
            caption { "Turns and clocks; " (clock.steps_in_words()) }
            thead {
                tr {
                    th .n scope="col" { "Turn" }
                    th scope="col" { "Side" }
                    th scope="col" { "Move" }
                    @if is_reviewed { th scope="col" { "Mark" } }
                    th .n scope="col" { "CPU, s" }
                    th .n scope="col" { "Wall, s" }
                    @if clock.game.is_some() { th .n scope="col" { "Left, s" } }
                    @if is_reviewed { th .n scope="col" { "Black's chances" } }
                }
            }
            tbody {}
        }
    };
    html! {
        h1 #title { "Game" }
        (needs_scripts())
        div #game hidden {
            p .verdict { strong #result {} " " span #verdict {} }
            p .beside { a #before hidden { "← Previous game" } " " a #after hidden { "Next game →" } }
            div .play {
                section .stage aria-label="Board" {
                    (PreEscaped(SHAPES))
                    p #broken .bad hidden {}
                    div #film {
                        (clock_of("Black"))
                        figure { (PreEscaped(drawing.to_string())) figcaption #caption aria-live="polite" {} }
                        (clock_of("White"))
                        (steps())
                    }
                    figure #chart .chart hidden {
                        figcaption { (clock.counts.title()) " time of each turn, Black above and White below the line" }
                    }
                    @if is_reviewed {
                        figure #chances .chart hidden {
                            figcaption {
                                "Winning chances, Black's share below the line; a dot marks a move that lost chances"
                            }
                        }
                    }
                }
                section .log aria-label="Turns" {
                    (scrolling("Turns and clocks", &table))
                    p #end .end {}
                }
            }
            @if is_reviewed { section #review hidden { h2 { "Review" } } }
            dl #facts .facts {}
            p { a #take { "This game as a file" } }
        }
    }
}

fn clock_of(side: &str) -> Markup {
    let class = side.to_lowercase();
    html! { p .player data-side=(class) { span .side.(class) {} " " output {} } }
}

/// Buttons to step through the game.
fn steps() -> Markup {
    html! {
        div #steps .steps role="group" aria-label="Step through the game" {
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

/// The list of all games, with filters.
pub(super) fn games() -> Markup {
    html! {
        h1 { "Games" }
        (needs_scripts())
        form #filters .filters hidden {
            (choice("agent", "Agent", &[("", "any")]))
            (choice("against", "Opponent", &[("", "any")]))
            (choice("result", "Result", &[("", "any")]))
            (choice("end", "End", &[("", "any")]))
            (choice("round", "Round", &[("", "any")]))
            label { "Turns, at least " input name="least" type="number" min="0" inputmode="numeric"; }
            label { "at most " input name="most" type="number" min="0" inputmode="numeric"; }
            (choice("faults", "Faults", &[("", "any number"), ("0", "none"), ("1", "at least one")]))
            button type="reset" { "Show all" }
        }
        (list())
    }
}

/// The head-to-head of two agents: `pair.html#3,17`, the numbers of their pages.
pub(super) fn pair() -> Markup {
    html! {
        h1 #title { "Head-to-head" }
        (needs_scripts())
        form #filters .filters hidden {
            (choice("agent", "Agent", &[("", "choose")]))
            (choice("against", "Opponent", &[("", "choose")]))
        }
        div #totals {}
        (list())
    }
}

/// The cross table in blocks.
pub(super) fn cross() -> Markup {
    html! {
        h1 { "Cross table" }
        p { "Points of the agent in the row against the one in the column; each cell links to their games." }
        (needs_scripts())
        form #filters .filters hidden {
            (choice("rows", "Rows", &[]))
            (choice("columns", "Columns", &[]))
        }
        (scrolling("Cross table", &html! { table #cross .cross { caption { "Points of each agent against every other" } } }))
    }
}

fn choice(name: &str, label: &str, options: &[(&str, &str)]) -> Markup {
    html! {
        label {
            (label) " "
            select name=(name) { @for (value, text) in options { option value=(value) { (text) } } }
        }
    }
}

/// A list of games in pages.
fn list() -> Markup {
    let table = html! {
        table #games .games {
            caption { "Games" }
            thead {
                tr {
                    @for title in ["Game", "Round", "Black", "White", "Result", "End"] { th scope="col" { (title) } }
                    @for title in ["Turns", "Faults"] { th .n scope="col" { (title) } }
                }
            }
            tbody {}
        }
    };
    html! {
        p #found role="status" {}
        div #list hidden { (scrolling("Games", &table)) }
        nav #pages .pages aria-label="Pages of the list" hidden {}
    }
}
