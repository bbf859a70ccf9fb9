//! What did a step of a walk come to, and how is that shown?

use std::fmt::{self, Write};

use serde::Serialize;

use super::ShownBoard;
use crate::draw::Paint;
use crate::master::clock_rules::Spent;
use crate::master::record::Violation;
use crate::master::referee::Answer;
use crate::terminal::is_deceptive;

/// One step of a walk, and its result.
#[derive(Clone, Debug, Serialize)]
pub struct CheckStep {
    /// The section of the protocol's contract that asks for it.
    pub section: &'static str,
    /// What has to be right.
    pub title: String,
    /// Its result.
    pub status: Status,
    /// What was done.
    pub did: String,
    /// Everything that was wrong.
    pub findings: Vec<Finding>,
    /// What is odd, but not wrong.
    pub notes: Vec<String>,
    /// The time of all its turns together.
    pub spent: Spent,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Everything is right.
    Ok,
    /// Right, but something is odd.
    Note,
    /// Something is wrong.
    Wrong,
    /// It was not tried, since an earlier step went wrong.
    Skipped,
}

/// Something that was wrong, as it is shown: a [`Violation`] with the board, or another mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was asked, or what happened.
    pub asked: String,
    /// The board at that time.
    #[serde(flatten)]
    pub shown: Option<ShownBoard>,
    /// The kind of fault, if it is a fault.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub wrong: String,
    /// What was read or seen.
    pub read: String,
    /// What was expected.
    pub expected: String,
}

/// The result of a step so far.
#[derive(Debug, Default)]
pub(super) struct StepResult {
    pub(super) did: String,
    pub(super) findings: Vec<Finding>,
    pub(super) notes: Vec<String>,
    pub(super) spent: Spent,
}

/// The steps so far, and who watches them.
pub(super) struct Walk<'a> {
    steps: Vec<CheckStep>,
    watch: &'a mut dyn FnMut(&CheckStep),
}

impl Finding {
    /// A violation in an answer.
    pub fn new(asked: String, shown: Option<ShownBoard>, wrong: &Violation) -> Finding {
        Finding { wrong: wrong.kind.to_string(), ..Finding::plain(asked, &wrong.read, &wrong.expected) }.with(shown)
    }

    /// A mistake that is not a kind of fault.
    pub fn plain(asked: impl Into<String>, read: impl Into<String>, expected: impl Into<String>) -> Finding {
        let (wrong, shown) = (String::new(), None);
        let read = presentable(&read.into());
        Finding { asked: asked.into(), shown, wrong, read, expected: expected.into() }
    }

    /// On this board.
    #[must_use]
    pub fn with(self, shown: Option<ShownBoard>) -> Finding {
        Finding { shown, ..self }
    }

    /// Lines of text for people, with the board drawn.
    pub fn in_words(&self, paint: Paint) -> String {
        let mut text = format!("{}\n", self.asked);
        if let Some(shown) = &self.shown {
            text += &shown.draw(paint);
            let legal = shown.legal().join(", ");
            // If the expectation lists them, once is enough.
            if !self.expected.ends_with(&legal) || legal.is_empty() {
                let legal = if legal.is_empty() { "no legal move".into() } else { format!("legal: {legal}") };
                let _ = writeln!(text, "{} to move; {legal}", shown.turn());
            }
        }
        if !self.wrong.is_empty() {
            let _ = writeln!(text, "{}", self.wrong);
        }
        for (what, words) in [("read", &self.read), ("expected", &self.expected)] {
            if !words.is_empty() {
                let _ = writeln!(text, "  {what:9} {}", words.replace('\n', "\n            "));
            }
        }
        text
    }
}

/// Text of an agent, made safe for a terminal and cut to a readable length.
fn presentable(text: &str) -> String {
    const MOST: usize = 4000;
    let mut shown = String::new();
    for letter in text.chars().take(MOST) {
        match letter {
            '\n' => shown.push(letter),
            '\t' => shown += "    ",
            _ if is_deceptive(letter) => shown.extend(letter.escape_default()),
            _ => shown.push(letter),
        }
    }
    shown + if text.chars().nth(MOST).is_some() { "..." } else { "" }
}

impl StepResult {
    /// Nothing wrong so far.
    pub(super) fn did(what: impl Into<String>) -> StepResult {
        StepResult { did: what.into(), ..StepResult::default() }
    }

    /// Something was wrong.
    pub(super) fn wrong(mut self, finding: Finding) -> StepResult {
        self.findings.push(finding);
        self
    }

    /// Adds an answer; returns whether it was right.
    pub(super) fn answered<M>(&mut self, asked: &str, shown: ShownBoard, answer: &Answer<M>) -> bool {
        self.add(answer.spent);
        for note in &answer.notes {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
        match &answer.mv {
            Ok(_) => true,
            Err(wrong) => {
                self.findings.push(Finding::new(asked.to_owned(), Some(shown), wrong));
                false
            }
        }
    }

    /// Adds the time of a run.
    pub(super) fn add(&mut self, spent: Spent) {
        self.spent += spent;
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(watch: &'a mut dyn FnMut(&CheckStep)) -> Walk<'a> {
        Walk { steps: Vec::new(), watch }
    }

    pub(super) fn into_steps(self) -> Vec<CheckStep> {
        self.steps
    }

    /// Ends a step; returns whether everything was right.
    pub(super) fn done(&mut self, section: &'static str, title: &str, found: StepResult) -> bool {
        let status = match (found.findings.is_empty(), found.notes.is_empty()) {
            (false, _) => Status::Wrong,
            (true, false) => Status::Note,
            (true, true) => Status::Ok,
        };
        self.push(section, title, status, found);
        status != Status::Wrong
    }

    /// Skips a step, for this reason.
    pub(super) fn skip(&mut self, section: &'static str, title: &str, why: &str) {
        self.push(section, title, Status::Skipped, StepResult::did(why));
    }

    fn push(&mut self, section: &'static str, title: &str, status: Status, found: StepResult) {
        let StepResult { did, findings, notes, spent } = found;
        let step = CheckStep { section, title: title.to_owned(), status, did, findings, notes, spent };
        (self.watch)(&step);
        self.steps.push(step);
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Status::Ok => "ok",
            Status::Note => "note",
            Status::Wrong => "WRONG",
            Status::Skipped => "skipped",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_agents_is_escaped_and_cut() {
        let finding = Finding::plain("its output:", format!("\u{1b}[2Ja\r\nb{}", "c".repeat(9999)), "less");
        let text = finding.in_words(Paint::Plain);
        assert!(text.starts_with("its output:\n  read      \\u{1b}[2Ja\\r\n            bccc"), "{text}");
        assert!(text.ends_with("ccc...\n  expected  less\n") && text.len() < 5000, "{text}");
    }

    #[test]
    fn the_worst_finding_decides_the_status_of_a_step() {
        let mut seen = Vec::new();
        let mut watch = |step: &CheckStep| seen.push(step.status);
        let mut walk = Walk::new(&mut watch);
        assert!(walk.done("§1", "a", StepResult::did("x")));
        assert!(walk.done("§1", "b", StepResult { notes: vec!["odd".into()], ..StepResult::default() }));
        assert!(!walk.done("§1", "c", StepResult::did("x").wrong(Finding::plain("y", "1", "2"))));
        walk.skip("§1", "d", "c was wrong");
        assert_eq!(walk.into_steps().len(), 4);
        assert_eq!(seen, [Status::Ok, Status::Note, Status::Wrong, Status::Skipped]);
    }
}
