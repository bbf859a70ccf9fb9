//! The pages of the documentation, and what Markdown holds in them.

use std::fs;
use std::ops::Range;
use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// The top of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A page.
#[derive(Debug)]
pub(crate) struct Page {
    /// Its path, from the top of the repository.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Something on a page, and its line, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OnLine<T> {
    pub(crate) line: usize,
    pub(crate) what: T,
}

/// A block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// What its fence says; none if it has no fence but is indented.
    pub(crate) language: Option<String>,
    pub(crate) text: String,
}

impl Page {
    /// A page of the repository.
    pub(crate) fn read(name: &str) -> Page {
        let text = fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Page { name: name.to_owned(), text }
    }

    /// All pages that readers get: README.md, the guide, and what stands beside samples and honest agents.
    pub(crate) fn all() -> Vec<Page> {
        let mut names = vec!["README.md".to_owned(), "tests/honest/README.md".to_owned()];
        add_files("src/guide", &|name| name.ends_with(".md"), &mut names);
        add_files("samples", &|name| name == "README.md", &mut names);
        names.sort();
        names.iter().map(|name| Page::read(name)).collect()
    }

    /// Is it shown by rustdoc, which knows links to items?
    pub(crate) fn is_in_rustdoc(&self) -> bool {
        self.name.starts_with("src/guide/")
    }

    /// The blocks of code; the line is that of the first line inside.
    pub(crate) fn blocks(&self) -> Vec<OnLine<Block>> {
        let mut blocks: Vec<OnLine<Block>> = Vec::new();
        let mut inside = false;
        for (event, range) in self.events() {
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    let (language, line) = match kind {
                        CodeBlockKind::Fenced(language) => (Some(language.to_string()), self.line(&range) + 1),
                        CodeBlockKind::Indented => (None, self.line(&range)),
                    };
                    blocks.push(OnLine { line, what: Block { language, text: String::new() } });
                    inside = true;
                }
                Event::End(TagEnd::CodeBlock) => inside = false,
                Event::Text(text) if inside => {
                    blocks.last_mut().expect("a block that has begun").what.text.push_str(&text);
                }
                _ => {}
            }
        }
        blocks
    }

    /// Where links and images lead.
    pub(crate) fn links(&self) -> Vec<OnLine<String>> {
        self.collect(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
            _ => None,
        })
    }

    /// What stands in backticks.
    pub(crate) fn code_spans(&self) -> Vec<OnLine<String>> {
        self.collect(|event| if let Event::Code(text) = event { Some(text.to_string()) } else { None })
    }

    /// The texts of its headings.
    pub(crate) fn headings(&self) -> Vec<String> {
        let mut headings: Vec<String> = Vec::new();
        let mut inside = false;
        for (event, _) in self.events() {
            match event {
                Event::Start(Tag::Heading { .. }) => {
                    headings.push(String::new());
                    inside = true;
                }
                Event::End(TagEnd::Heading(_)) => inside = false,
                Event::Text(text) | Event::Code(text) if inside => {
                    headings.last_mut().expect("a heading that has begun").push_str(&text);
                }
                _ => {}
            }
        }
        headings
    }

    fn events(&self) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
        Parser::new_ext(&self.text, Options::ENABLE_TABLES).into_offset_iter()
    }

    fn collect<T>(&self, pick: impl Fn(&Event<'_>) -> Option<T>) -> Vec<OnLine<T>> {
        let found = self.events().filter_map(|(event, range)| Some((pick(&event)?, range)));
        found.map(|(what, range)| OnLine { line: self.line(&range), what }).collect()
    }

    fn line(&self, range: &Range<usize>) -> usize {
        1 + self.text[..range.start].matches('\n').count()
    }
}

fn add_files(folder: &str, is_wanted: &dyn Fn(&str) -> bool, names: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}")) {
        let entry = entry.expect("an entry of a folder");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{folder}/{name}");
        if entry.file_type().expect("the type of an entry").is_dir() {
            add_files(&path, is_wanted, names);
        } else if is_wanted(&name) {
            names.push(path);
        }
    }
}

/// A page that is not in the repository.
pub(crate) fn made_up(text: &str) -> Page {
    Page { name: "README.md".to_owned(), text: text.to_owned() }
}

#[test]
fn a_page_is_taken_apart() {
    let text = "# One `two`\n\nSee [this](a.md#b), ![that](c.png).\n\n| `x` | y |\n| --- | --- |\n| [z](d) | `--no` |\n\n    indented\n\n\
         ```sh\na\nb\n```\n";
    let page = made_up(text);
    assert_eq!(page.headings(), ["One two"]);
    let [links, spans] = [page.links(), page.code_spans()]
        .map(|all| all.into_iter().map(|found| (found.line, found.what)).collect::<Vec<_>>());
    assert_eq!(links, [(3, "a.md#b".to_owned()), (3, "c.png".to_owned()), (7, "d".to_owned())]);
    assert_eq!(spans, [(1, "two".to_owned()), (5, "x".to_owned()), (7, "--no".to_owned())]);
    let blocks = page.blocks();
    assert_eq!(blocks[0], OnLine { line: 9, what: Block { language: None, text: "indented\n".to_owned() } });
    let fenced = Block { language: Some("sh".to_owned()), text: "a\nb\n".to_owned() };
    assert_eq!(blocks[1..], [OnLine { line: 12, what: fenced }]);
}
