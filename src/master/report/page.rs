//! Parts that pages share: assets, the frame, and common markup.

use maud::{DOCTYPE, Markup, html};

use super::content::Tournament;
use super::names::Root;
use super::review::STYLE as REVIEW_STYLE;
use kingline::draw::{BOARD_CSS, BOARD_JS};
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
pub(super) fn needs_scripts() -> Markup {
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

/// Labeled numbers at the top of a page.
pub(super) fn cards(cards: &[(String, String)]) -> Markup {
    html! {
        ul .cards {
            @for (number, text) in cards { li { b { (number) } " " (text) } }
        }
    }
}

/// A list of names with their values.
pub(super) fn facts(facts: &[(String, String)]) -> Markup {
    html! {
        dl .facts {
            @for (name, value) in facts { div { dt { (name) } dd { (value) } } }
        }
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
