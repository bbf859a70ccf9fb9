//! The schemas in samples/schemas are those of the types.

use std::{env, fs};

use serde_json::{Value, json};

use super::{folder, read};
use crate::support::programs::paths_in;

/// Environment variable: writes the schemas instead of comparing them.
const UPDATE: &str = "KINGLINE_UPDATE_SCHEMAS";
const WIDTH: usize = 200;

/// Text of JSON, in which a value is in one line if it fits.
fn text(value: &Value, indent: usize) -> String {
    let (line, inner) = (value.to_string(), indent + 2);
    let (open, close, items): (_, _, Vec<String>) = match value {
        Value::Object(fields) if line.len() > WIDTH => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| ["$defs", "examples"].contains(&name.as_str()));
            let field = |(name, value): (&String, _)| format!("{}: {}", json!(name), text(value, inner));
            ('{', '}', fields.into_iter().map(field).collect())
        }
        Value::Array(items) if line.len() > WIDTH => ('[', ']', items.iter().map(|item| text(item, inner)).collect()),
        _ => return line,
    };
    format!("{open}\n{:inner$}{}\n{:indent$}{close}", "", items.join(&format!(",\n{:inner$}", "")), "")
}

#[test]
fn the_schemas_are_those_of_the_types() {
    let all = [kingline_players::schemas::all(), kingline_calibrate::schemas::all(), kingline_master::schemas::all()];
    let all = all.concat();
    for path in paths_in("samples/schemas", "") {
        let name = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".schema.json").map(str::to_owned));
        assert!(name.is_none_or(|name| all.iter().any(|(derived, _)| **derived == *name)), "{path:?} has no type");
    }
    for (name, mut schema) in all {
        let path = folder().join(format!("{name}.schema.json"));
        // The examples are real outputs.
        if let Some(examples) = read(&path).get("examples") {
            schema["examples"] = examples.clone();
        }
        let text = text(&schema, 0) + "\n";
        if env::var_os(UPDATE).is_some() {
            fs::write(path, text).expect("a written schema");
        } else {
            assert!(fs::read_to_string(path).expect("a schema") == text, "{name} is another; write it with {UPDATE}=1");
        }
    }
}
