//! One script from the page's modules, which a page in a folder could not load.
//!
//! Each module becomes a function that returns what it exports. Modules are written as here: an import or an export fits
//! one line, and exports are functions and constants.

/// A module of the page.
struct Module {
    name: &'static str,
    text: &'static str,
}

macro_rules! modules {
    ($($name:literal in $folder:literal),* $(,)?) => {
        [$(Module { name: $name, text: include_str!(concat!("../", $folder, "/", $name, ".js")) }),*]
    };
}

/// Modules of this page and of the pages of `loa --display`, in the order in which they use each other.
const MODULES: [Module; 13] = modules![
    "problems" in "../../src/players/display/assets",
    "boards" in "../../src/players/display/assets",
    "marks" in "../../src/players/display/assets",
    "glide" in "../../src/players/display/assets",
    "dragging" in "../../src/players/display/assets",
    "checkers" in "../../src/players/display/assets",
    "loa" in "../../src/players/display/assets",
    "squares" in "../../src/players/display/assets",
    "moves" in "../../src/players/display/assets",
    "files" in "page",
    "engine" in "page",
    "analysis" in "page",
    "main" in "page",
];

/// Returns the script of the page.
///
/// # Errors
/// A module has an import or an export of another form, or one of a later module.
pub(crate) fn script() -> Result<String, String> {
    let mut script = kingline::draw::BOARD_JS.to_owned();
    for (place, module) in MODULES.iter().enumerate() {
        script += &wrapped(module, &MODULES[..place]).map_err(|line| format!("{}.js: {line}", module.name))?;
    }
    Ok(script)
}

fn wrapped(module: &Module, earlier: &[Module]) -> Result<String, String> {
    let (mut body, mut exports) = (String::new(), Vec::new());
    for line in module.text.lines() {
        if line.starts_with("import ") {
            body += &import(line, earlier).ok_or_else(|| format!("found {line:?}, expected an earlier module"))?;
        } else if let Some(exported) = line.strip_prefix("export ") {
            exports.push(name_of(exported).ok_or_else(|| format!("found {line:?}, expected a function or const"))?);
            body += exported;
        } else {
            body += line;
        }
        body.push('\n');
    }
    Ok(format!("const module_{} = (() => {{\n{body}return {{ {} }};\n}})();\n", module.name, exports.join(", ")))
}

/// Returns the statement for an import: of names, or of a whole module.
fn import(line: &str, earlier: &[Module]) -> Option<String> {
    let (names, from) = line.strip_prefix("import ")?.split_once(" from \"./")?;
    let from = from.strip_suffix(".js\";")?;
    earlier.iter().find(|module| module.name == from)?;
    let names = names.strip_prefix("* as ").unwrap_or(names);
    Some(format!("const {names} = module_{from};"))
}

/// Returns the name that a declaration exports.
fn name_of(declaration: &str) -> Option<&str> {
    let after = ["function ", "async function ", "const "].iter().find_map(|word| declaration.strip_prefix(word))?;
    after.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_functions() {
        let one = Module { name: "one", text: "export const a = 1;\nexport function b(x) {\n  return x;\n}\n" };
        let two =
            Module { name: "two", text: "import { a } from \"./one.js\";\nimport * as one from \"./one.js\";\na;" };
        let wrapped_one = "const module_one = (() => {\nconst a = 1;\nfunction b(x) {\n  return x;\n}\n\
                           return { a, b };\n})();\n";
        assert_eq!(wrapped(&one, &[]).as_deref(), Ok(wrapped_one));
        let wrapped_two = "const module_two = (() => {\nconst { a } = module_one;\nconst one = module_one;\na;\n\
                           return {  };\n})();\n";
        assert_eq!(wrapped(&two, &[one]).as_deref(), Ok(wrapped_two));
    }

    #[test]
    fn other_forms_are_errors() {
        for text in ["import { a } from \"./later.js\";", "export default 1;", "import {"] {
            assert!(
                wrapped(&Module { name: "one", text }, &[]).is_err_and(|error| error.contains(", expected ")),
                "{text}"
            );
        }
        let script = script().expect("a script");
        assert!(script.contains("const module_main"));
        assert!(script.lines().all(|line| !line.starts_with("export ") && !line.starts_with("import ")));
    }
}
