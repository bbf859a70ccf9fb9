//! Parts that pages share: assets, the frame, and common markup.

use maud::{DOCTYPE, Markup, html};

use super::content::Tournament;
use super::names::Root;
use kingline::draw::{BOARD_CSS, BOARD_JS};
use kingline::review::page_head;
use kingline::terminal::is_deceptive;

/// Files that all pages load. Each has two parts, the board's first.
pub(super) const ASSETS: [(&str, [&str; 2]); 2] =
    [("site.css", [BOARD_CSS, include_str!("site.css")]), ("site.js", [BOARD_JS, include_str!("site.js")])];

/// A complete page with this title and content. Deceptive characters in it are escaped.
pub(super) fn page(tournament: &Tournament, root: Root, title: &str, main: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (page_head(title))
                link rel="stylesheet" href={ (root) "site.css" };
                script src={ (root) "site.js" } defer {}
            }
            body {
                a .skip href="#main" { "Skip to the content" }
                header .site {
                    a href={ (root) "index.html" } { span .mark aria-hidden="true" {} (tournament.name) }
                    nav aria-label="Site" {
                        a href={ (root) "index.html#standings" } { "Standings" } " "
                        @if tournament.bracket.is_some() {
                            a href={ (root) "index.html#bracket" } { "Bracket" } " "
                        }
                        a href={ (root) "index.html#ratings" } { "Ratings" } " "
                        @if !tournament.earlier.is_empty() {
                            a href={ (root) "index.html#rounds" } { "Rounds" } " "
                        }
                        a href={ (root) "index.html#cross" } { "Cross table" } " "
                        a href={ (root) "index.html#endings" } { "Endings" }
                    }
                }
                main #main { (main) }
                footer {
                    "Written by kingline " (env!("CARGO_PKG_VERSION")) ". Results as data: "
                    a href={ (root) "report.json" } { "report.json" } "."
                }
            }
        }
    };
    without_deceptive(&page.into_string())
}

/// Escapes characters that are invisible or change the direction of text. Markup contains none.
pub(super) fn without_deceptive(page: &str) -> String {
    let mut visible = String::with_capacity(page.len());
    for letter in page.chars() {
        if letter != '\n' && is_deceptive(letter) {
            visible.extend(letter.escape_unicode());
        } else {
            visible.push(letter);
        }
    }
    visible
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
        let text = "a&lt;b&gt;&amp;&quot;'c\\u{202e}\\u{0}\\u{200b}\\u{9}é\n\u{202f}";
        assert_eq!(without_deceptive(&page.into_string()), format!("<q title=\"{text}\">{text}</q>"));
    }
}
