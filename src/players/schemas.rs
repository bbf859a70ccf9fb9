//! JSON Schemas of what the programs print and write, derived from the types that are written.
#![expect(dead_code, reason = "only the types are used")]

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::figures::Row;
use crate::protocol::turn_files::{Calibration, playdata::PlaydataText};
use crate::review::{Puzzle, command::Reviews};

/// A file name in samples/schemas without its ending, and the schema.
pub type Named = (&'static str, Value);

/// Puzzles: the output of `review --puzzles --format json`.
#[derive(JsonSchema)]
struct Puzzles(Vec<Puzzle>);

/// Schemas of what the players print and write, and of the rows that `--figures` writes.
pub fn all() -> Vec<Named> {
    vec![
        written::<Reviews<'_>>("review"),
        written::<Puzzles>("puzzles"),
        read::<Calibration>("calibration"),
        written::<PlaydataText>("playdata"),
        written::<Row>("figures"),
    ]
}

/// Schema of what a program writes.
pub fn written<T: JsonSchema>(name: &'static str) -> Named {
    (name, schema::<T>(SchemaSettings::draft2020_12().for_serialize()))
}

/// Schema of what a program reads, where fields may be left out.
pub fn read<T: JsonSchema>(name: &'static str) -> Named {
    (name, schema::<T>(SchemaSettings::draft2020_12()))
}

fn schema<T: JsonSchema>(settings: SchemaSettings) -> Value {
    settings.with_transform(RecursiveTransform(tidy)).into_generator().into_root_schema_for::<T>().to_value()
}

/// Closes an object, keeps the first paragraph of a description, and leaves out widths of numbers and whole objects as
/// defaults.
fn tidy(schema: &mut Schema) {
    schema.remove("format");
    if schema.get("default").is_some_and(Value::is_object) {
        schema.remove("default");
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    }
    if schema.get("properties").is_some() {
        schema.ensure_object().entry("additionalProperties").or_insert(false.into());
    }
}
