//! Parts that pages share, and the pages that scripts fill: any game, the list of games, the head-to-head of two agents, and the
//! whole cross table.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Tournament;
use super::film::{grid_of, start_of};
use super::names::{Root, count};
use super::review::STYLE as REVIEW_STYLE;
use kingline::draw::{BOARD_CSS, BOARD_JS, Drawing, SHAPES};
use kingline_players::chart::shares;
use kingline_players::review::page_head;
use kingline_players::terminal::{is_deceptive, replaced};

/// Files that pages load, each in parts. Boards come first, so that the site's own rules prevail.
pub(super) const ASSETS: [(&str, &[&str]); 9] = [
    (
        "site.css",
        &[
            BOARD_CSS,
            include_str!("assets/site.css"),
            include_str!("assets/tables.css"),
            include_str!("assets/charts.css"),
            include_str!("assets/game.css"),
            REVIEW_STYLE[0],
            REVIEW_STYLE[1],
        ],
    ),
    ("site.js", &[BOARD_JS, include_str!("assets/site.js")]),
    ("records.js", &[include_str!("assets/records.js")]),
    ("list.js", &[include_str!("assets/list.js")]),
    ("games.js", &[include_str!("assets/games.js")]),
    ("film.js", &[include_str!("assets/film.js")]),
    ("game.js", &[include_str!("assets/game.js")]),
    ("pair.js", &[include_str!("assets/pair.js")]),
    ("cross.js", &[include_str!("assets/cross.js")]),
];

/// Content policy of all pages: the site's own scripts and styles by file, and no others.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; \
                      form-action 'none'";

/// A complete page with this title and content. Deceptive characters in it are escaped.
pub(super) fn page(tournament: &Tournament, root: Root, title: &str, main: &Markup) -> String {
    scripted_page(tournament, root, title, main, &[])
}

/// A [`page`] that loads these scripts after the common one.
pub(super) fn scripted_page(
    tournament: &Tournament,
    root: Root,
    title: &str,
    main: &Markup,
    scripts: &[&str],
) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (page_head(title))
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                link rel="stylesheet" href={ (root) "site.css" };
                script src={ (root) "site.js" } defer {}
                @for script in scripts { script src={ (root) (script) } defer {} }
            }
            body {
                a .skip href="#main" { "Skip to the content" }
                header .site {
                    a href={ (root) "index.html" } { span .mark aria-hidden="true" {} (tournament.name) }
                    (navigation(tournament, root))
                }
                main #main { (main) }
                footer {
                    "Written by kingline " (env!("CARGO_PKG_VERSION")) ". "
                    a href={ (root) "index.html#data" } { "All results as data" } "."
                }
            }
        }
    };
    without_deceptive(&page.into_string())
}

fn navigation(tournament: &Tournament, root: Root) -> Markup {
    let has_bracket = tournament.bracket.is_some().then_some(("bracket.html", "Bracket"));
    let has_rounds = (!tournament.earlier.is_empty()).then_some(("ratings.html#rounds", "Rounds"));
    let first = [("index.html#standings", "Standings")].into_iter().chain(has_bracket);
    let links = first.chain([("ratings.html", "Ratings")]).chain(has_rounds).chain([
        ("games.html", "Games"),
        ("pair.html", "Head-to-head"),
        ("cross.html", "Cross table"),
        ("index.html#endings", "Endings"),
    ]);
    html! {
        nav aria-label="Site" { @for (file, name) in links { a href={ (root) (file) } { (name) } " " } }
    }
}

/// Shown on pages that are empty without scripts.
fn needs_scripts() -> Markup {
    html! {
        noscript {
            p .bad {
                "This page needs scripts. Standings, ratings and the agents' pages do not, and all games can be taken away "
                "as files: see " a href="index.html#data" { "the results as data" } "."
            }
        }
        p #state .quiet role="status" {}
    }
}

/// Escapes characters that are invisible or change the direction of text, of which markup contains none; a tab becomes
/// blanks.
pub(super) fn without_deceptive(page: &str) -> String {
    let is_unsafe = |letter| letter != '\n' && is_deceptive(letter);
    replaced(&page.replace('\t', "    "), is_unsafe, |visible, letter| visible.extend(letter.escape_unicode()))
}

/// A region with its own scroll bar if it is too wide for the page.
pub(super) fn scrolling(label: &str, content: &Markup) -> Markup {
    html! { div .scroll tabindex="0" role="region" aria-label=(label) { (content) } }
}

/// A table's row with a number, its part of `all` in percent, and a bar.
pub(super) fn bar_row(what: &Markup, number: u64, all: u64) -> Markup {
    let percent = number as f64 * 100.0 / all.max(1) as f64;
    html! {
        tr {
            th scope="row" { (what) }
            td .n { (count(number)) }
            td .n.quiet { (format_args!("{percent:.1} %")) }
            td .wide { (shares("bar", &[percent.max(0.5)])) }
        }
    }
}

/// Labeled numbers at the top of a page.
pub(super) fn cards(cards: &[(String, String)]) -> Markup {
    html! {
        ul .cards {
            @for (number, text) in cards { li { b { (number) } " " (text) } }
        }
    }
}

pub(super) fn facts(facts: &[(String, String)]) -> Markup {
    html! {
        dl .facts {
            @for (name, value) in facts { div { dt { (name) } dd { (value) } } }
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_deceptive_characters_are_escaped() {
        let nasty = "a<b>&\"'c\u{202e}\u{0}\u{200b}\té\n\u{202f}";
        let page = html! { q title=(nasty) { (nasty) } };
        let text = "a&lt;b&gt;&amp;&quot;'c\\u{202e}\\u{0}\\u{200b}    é\n\u{202f}";
        assert_eq!(without_deceptive(&page.into_string()), format!("<q title=\"{text}\">{text}</q>"));
    }
}
