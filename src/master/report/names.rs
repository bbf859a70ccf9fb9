//! What are agents called on pages, and which file is the page of each?

use std::fmt::Display;

use super::page::{Root, html};
use super::text::{OutsideLink, Text, cut, split_url};
use crate::master::store::StoredAgent;

/// An agent as pages name it.
pub(super) struct Name {
    /// The file of its page, from the top of the site; harmless whatever the agent is called.
    pub(super) file: String,
    /// Its folder's name, which nobody else has.
    pub(super) shown: String,
    /// What it calls itself, where that is something else: never shown alone, or it could pose as another agent.
    pub(super) title: Option<String>,
    /// The web page that it names.
    pub(super) url: Option<String>,
}

impl Name {
    /// The name of the agent with this index.
    pub(super) fn of(index: usize, agent: &StoredAgent) -> Name {
        const LONGEST: usize = 80;
        let (words, url) = agent.title.as_deref().map_or((String::new(), None), split_url);
        Name {
            file: format!("agents/{}{}.html", index + 1, slug(&agent.name)),
            shown: cut(&agent.name, LONGEST),
            title: (!words.is_empty() && words != agent.name).then(|| cut(&words, LONGEST)),
            url,
        }
    }

    /// A link to its page.
    pub(super) fn link(&self, root: Root) -> impl Display {
        html(move |f| write!(f, "<a href=\"{root}{}\">{}</a>", self.file, Text(&self.shown)))
    }

    /// What it calls itself, to stand beside its name.
    pub(super) fn title(&self) -> impl Display {
        html(move |f| match &self.title {
            Some(title) => write!(f, " <q class=\"quiet\">{}</q>", Text(title)),
            None => Ok(()),
        })
    }

    /// A link to its page, what it calls itself, and a link to the page that it names.
    pub(super) fn links(&self, root: Root) -> impl Display {
        html(move |f| {
            write!(f, "{}{}", self.link(root), self.title())?;
            self.url.as_ref().map_or(Ok(()), |url| write!(f, " {}", OutsideLink(url)))
        })
    }
}

/// The letters and digits of a name in lower case, with hyphens between words and before the first.
fn slug(name: &str) -> String {
    const LONGEST: usize = 40;
    let is_word = |letter: char| letter.is_ascii_alphanumeric();
    let words = name.split(|letter| !is_word(letter)).filter(|word| !word.is_empty());
    let slug: String = words.map(|word| format!("-{}", word.to_ascii_lowercase())).collect();
    slug[..slug.len().min(LONGEST)].trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, title: Option<&str>) -> Name {
        Name::of(6, &StoredAgent { name: name.into(), title: title.map(str::to_owned), hash: String::new() })
    }

    #[test]
    fn file_names_are_safe_for_any_agent_name() {
        for (name, file) in [
            ("Alpha_2", "agents/7-alpha-2.html"),
            ("../../etc/passwd", "agents/7-etc-passwd.html"),
            ("\u{1f600}", "agents/7.html"),
            ("", "agents/7.html"),
            ("con", "agents/7-con.html"),
        ] {
            assert_eq!(named(name, None).file, file, "{name}");
        }
        assert!(named(&"long ".repeat(100), None).file.len() < 60);
    }

    #[test]
    fn agents_are_called_by_their_folders_and_their_titles_stand_beside() {
        let name = named("a1", Some("Deep <b> https://x.y/z"));
        let link = name.links(Root::Above).to_string();
        let outside = "<a class=\"outside\" href=\"https://x.y/z\" rel=\"nofollow noopener\">x.y</a>";
        assert_eq!(link, format!("<a href=\"../agents/7-a1.html\">a1</a> <q class=\"quiet\">Deep b</q> {outside}"));
        let posing = named("bob", Some("alice\u{202e}")).links(Root::Above).to_string();
        assert_eq!(posing, "<a href=\"../agents/7-bob.html\">bob</a> <q class=\"quiet\">alice\\u{202e}</q>");
        for title in [None, Some("http://x.y"), Some("a1")] {
            let name = named("a1", title);
            assert_eq!((&*name.shown, name.title), ("a1", None), "{title:?}");
        }
    }
}
