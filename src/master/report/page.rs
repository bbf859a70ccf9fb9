//! What do all pages have in common?

use std::fmt::{self, Display};

use super::Tournament;
use super::text::Text;

/// The style sheet and the script of all pages.
pub(super) const ASSETS: [(&str, &str); 2] = [
    ("site.css", concat!(include_str!("../../draw/board.css"), include_str!("site.css"))),
    ("site.js", concat!(include_str!("../../draw/board.js"), include_str!("site.js"))),
];

/// Where the top of the site is, relative to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// In the page's own folder.
    Here,
    /// In the folder above.
    Above,
}

impl Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Root::Here => "",
            Root::Above => "../",
        })
    }
}

/// Markup that is written piece by piece when it is displayed.
pub(super) fn html<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result>(write: F) -> impl Display {
    Html(write)
}

struct Html<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> Display for Html<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

/// A whole page. `title` is text; `body` is markup.
pub(super) struct Page<'a, B> {
    pub(super) root: Root,
    pub(super) tournament: &'a Tournament,
    pub(super) title: &'a str,
    pub(super) body: B,
}

impl<B: Display> Display for Page<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Page { root, tournament, body, .. } = self;
        let (site, title) = (Text(&tournament.name), Text(self.title));
        let bracket = html(|f| match tournament.bracket {
            Some(_) => write!(f, "<a href=\"{root}index.html#bracket\">Bracket</a> "),
            None => Ok(()),
        });
        let version = env!("CARGO_PKG_VERSION");
        write!(
            f,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
             <link rel=\"stylesheet\" href=\"{root}site.css\">\n<script src=\"{root}site.js\" defer></script>\n</head>\n\
             <body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
             <header class=\"site\"><a href=\"{root}index.html\"><span class=\"mark\" aria-hidden=\"true\"></span>{site}</a>\n\
             <nav aria-label=\"Site\"><a href=\"{root}index.html#standings\">Standings</a> \
             {bracket}<a href=\"{root}index.html#ratings\">Ratings</a> \
             <a href=\"{root}index.html#cross\">Cross table</a> <a href=\"{root}index.html#endings\">Endings</a></nav></header>\n\
             <main id=\"main\">\n{body}</main>\n\
             <footer>Written by kingline {version}. Results as data: <a href=\"{root}report.json\">report.json</a>.</footer>\n\
             </body>\n</html>\n"
        )
    }
}
