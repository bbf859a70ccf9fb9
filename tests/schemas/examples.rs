//! The examples in the schemas: they are allowed, and refused once damaged.

use serde_json::{Map, Value, json};

use super::{Schema, read};
use crate::support::programs::{paths_in, root};

/// Fields with a player of `calibrate match`, which has a schema of its own in the program's help.
const PLAYERS: [&str; 4] = ["first", "second", "player", "tuned"];

/// Damages a value in every way that its schema must notice: each value gets another type, and each object another
/// field. `put` returns the whole document with a value in place of this one.
fn damaged(value: &Value, put: &dyn Fn(Value) -> Value, all: &mut Vec<Value>) {
    match value {
        Value::Object(fields) => {
            all.push(put(json!("damaged")));
            let with = |name: &str, value: Value| {
                let mut changed: Map<String, Value> = fields.clone();
                changed.insert(name.to_owned(), value);
                put(Value::Object(changed))
            };
            all.push(with("damaged", json!(true)));
            for (name, value) in fields {
                match PLAYERS.contains(&name.as_str()) && value.is_object() {
                    true => all.push(with(name, json!("damaged"))),
                    false => damaged(value, &|value| with(name, value), all),
                }
            }
        }
        Value::Array(items) => {
            all.push(put(json!({ "damaged": true })));
            for (place, item) in items.iter().enumerate() {
                let with = |value: Value| {
                    let mut changed = items.clone();
                    changed[place] = value;
                    put(Value::Array(changed))
                };
                damaged(item, &with, all);
            }
        }
        _ => all.push(put(json!({ "damaged": true }))),
    }
}

#[test]
fn examples_are_allowed_and_damaged_ones_refused() {
    for path in paths_in("samples/schemas", ".json") {
        let (schema, text) = (Schema::at(&path), read(&path));
        let examples = text["examples"].as_array().unwrap_or_else(|| panic!("{}: no examples", schema.name));
        assert!(!examples.is_empty(), "{}", schema.name);
        for example in examples {
            schema.check(example);
            let mut all = Vec::new();
            damaged(example, &|value| value, &mut all);
            for value in all {
                assert!(!schema.allows(&value), "{}: allows {value:#}", schema.name);
            }
            for name in text["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                let mut without = example.clone();
                without.as_object_mut().and_then(|fields| fields.remove(name)).expect("a field");
                assert!(!schema.allows(&without), "{}: allows no {name}", schema.name);
            }
        }
    }
}

/// Calls `see` with every schema inside a schema, and the way to it.
fn walk(schema: &Value, way: &str, see: &mut dyn FnMut(&Value, &str)) {
    see(schema, way);
    let Some(keywords) = schema.as_object() else { return };
    for (keyword, value) in keywords {
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(fields)) => {
                fields.iter().for_each(|(name, schema)| walk(schema, &format!("{way}/{name}"), see));
            }
            ("oneOf" | "anyOf" | "prefixItems", Value::Array(all)) => {
                all.iter().for_each(|one| walk(one, &format!("{way}/{keyword}"), see));
            }
            ("items", Value::Object(_)) => walk(value, way, see),
            _ => {}
        }
    }
}

#[test]
fn every_schema_and_field_is_described() {
    for path in paths_in("samples/schemas", ".json") {
        let (name, text) = (path.display(), read(&path));
        assert_eq!(text["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        assert!(text["title"].is_string() && text["description"].is_string(), "{name}");
        walk(&text, "", &mut |schema, way| {
            for (field, about) in schema["properties"].as_object().into_iter().flatten() {
                // Fixed values, and what others define, need no words here.
                let is_known = ["description", "$ref", "const"].iter().any(|keyword| about.get(keyword).is_some());
                let has_fields = about.get("properties").is_some();
                // A variant of an enum and its value have one description.
                let is_variant = way.ends_with("/oneOf") && schema["description"].is_string();
                assert!(is_known || has_fields || is_variant, "{name}: {way}/{field} is not described");
            }
            let is_object = schema["type"] == "object" && schema.get("properties").is_some();
            let is_closed = schema["additionalProperties"] == false;
            assert!(!is_object || is_closed, "{name}: {way} allows any field");
        });
    }
}

#[test]
fn the_league_of_the_samples_fits() {
    for path in paths_in("samples/leagues", "") {
        Schema::at(&super::folder().join("league.schema.json")).check(&read(&path));
    }
    for name in ["real.json", "quick.json"] {
        let folder = root().join("samples/courses");
        Schema::at(&folder.join("course.schema.json")).check(&read(&folder.join(name)));
    }
}
