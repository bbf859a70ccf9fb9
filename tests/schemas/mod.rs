//! JSON that the programs print and write, against the schemas in samples/schemas.

mod derived;
mod examples;
mod master;
mod offline;
mod options;
mod players;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

use crate::support::programs::root;

fn folder() -> PathBuf {
    root().join("samples/schemas")
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A schema, ready to check values.
struct Schema {
    name: String,
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    fn at(path: &Path) -> Schema {
        let mut schemas = Schemas::new();
        let location = path.to_str().expect("a path in UTF-8");
        let index = Compiler::new().compile(location, &mut schemas);
        let index = index.unwrap_or_else(|error| panic!("{location}: {error:#}"));
        Schema { name: location.to_owned(), schemas, index }
    }

    fn allows(&self, value: &Value) -> bool {
        self.schemas.validate(value, self.index).is_ok()
    }

    #[track_caller]
    fn check(&self, value: &Value) {
        if let Err(error) = self.schemas.validate(value, self.index) {
            panic!("{}: {error:#}\n{value:#}", self.name);
        }
    }
}

/// Form of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One JSON value.
    Document,
    /// A JSON value on each line.
    Lines,
}

/// Row of the table of outputs.
struct Row {
    output: String,
    /// File name of the schema.
    schema: String,
    form: Form,
}

/// Table of the outputs in samples/schemas/README.md under this heading.
struct Table {
    rows: Vec<Row>,
    /// Outputs that were held against their schemas.
    held: BTreeSet<String>,
}

impl Table {
    fn under(heading: &str) -> Table {
        let page = fs::read_to_string(folder().join("README.md")).expect("a page");
        let section = page.split("\n## ").find_map(|section| section.strip_prefix(&format!("{heading}\n")));
        let lines = section.expect("a section").lines().filter(|line| line.starts_with("| ")).skip(2);
        let row = |line: &str| {
            let (output, schema) = line.trim_matches(['|', ' ']).split_once(" | ").expect("two cells");
            let (link, rest) = schema.split_once(')').expect("a link");
            let form = match rest {
                "" => Form::Document,
                ", lines" => Form::Lines,
                other => panic!("{line}: {other}"),
            };
            let file = link.split_once('(').expect("a link").1.to_owned();
            Row { output: output.replace('`', ""), schema: file, form }
        };
        Table { rows: lines.map(row).collect(), held: BTreeSet::new() }
    }

    /// Holds an output against its schema.
    #[track_caller]
    fn hold(&mut self, output: &str, text: &str) {
        let row = self.rows.iter().find(|row| row.output == output).unwrap_or_else(|| panic!("no row for {output}"));
        let schema = Schema::at(&folder().join(&row.schema));
        let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|error| panic!("{output}: {error}: {text}"));
        match row.form {
            Form::Document => schema.check(&value(text)),
            Form::Lines => {
                assert!(text.ends_with('\n') && text.len() > 1, "{output}: {text:?}");
                text.lines().for_each(|line| schema.check(&value(line)));
            }
        }
        self.held.insert(output.to_owned());
    }

    /// Asserts that an output of each row was held against its schema.
    #[track_caller]
    fn is_complete(&self) {
        let missing = self.rows.iter().map(|row| &row.output).filter(|&output| !self.held.contains(output));
        let missing: Vec<&String> = missing.collect();
        assert!(missing.is_empty(), "no output was held against the schema of {missing:?}");
    }
}
