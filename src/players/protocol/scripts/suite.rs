//! The tests in a run: their files and languages.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::compare::cannot_read;
use super::language2015;
use super::report::Language;
use crate::files::read_bytes;

/// Scripts named by the user.
#[derive(Clone, Debug, Default)]
pub struct NamedScripts {
    /// Files `FILE.in`. A `T-2.in` beside a `T-1.in` is the script of a second program (§1).
    pub files: Vec<PathBuf>,
    /// Pairs of 2020 scripts, with any names (§1).
    pub pairs: Vec<[PathBuf; 2]>,
}

/// Test before it runs.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) name: String,
    pub(super) language: Language,
    /// Paths of its scripts, readable or not.
    pub(super) paths: Vec<PathBuf>,
    /// One 2015 script, or one or two 2020 scripts; or the reason why they cannot be used.
    pub(super) scripts: Result<Vec<Script>, String>,
}

/// Contents of a script file.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
}

/// Tests in these files, then the pairs. A `T-2.in` belongs to the test of `T-1.in`.
pub(super) fn tests(named: &NamedScripts) -> Vec<Test> {
    let seconds: Vec<PathBuf> = named.files.iter().filter_map(|path| second_of(path)).collect();
    let firsts = named.files.iter().filter(|path| !seconds.contains(path));
    let pairs = named.pairs.iter().map(|pair| Test::new(pair.to_vec(), read_pair));
    firsts
        .map(|path| Test::new([path.clone()].into_iter().chain(second_of(path)).collect(), read_named))
        .chain(pairs)
        .collect()
}

/// Path of `T-2.in` beside `T-1.in`, if it exists and `T-1.in` is not a 2015 script.
fn second_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.strip_suffix("-1.in")?;
    let second = path.with_file_name(format!("{name}-2.in"));
    (second.exists() && !read_script(path).is_ok_and(|script| script.is_of_2015())).then_some(second)
}

fn read_named(paths: &[PathBuf]) -> Result<Vec<Script>, String> {
    match paths.iter().find(|path| path.extension() != Some(OsStr::new("in"))) {
        Some(path) => Err(format!("cannot read {}: expected a script FILE.in", path.display())),
        None => paths.iter().map(|path| read_script(path)).collect(),
    }
}

fn read_pair(paths: &[PathBuf]) -> Result<Vec<Script>, String> {
    let scripts: Vec<Script> = paths.iter().map(|path| read_script(path)).collect::<Result<_, _>>()?;
    match scripts.iter().find(|script| script.is_of_2015()) {
        Some(script) => {
            let expected = "expected one of 2020, since a script of 2015 has the lines of both programs";
            Err(format!("{}: found a script of 2015, {expected}", script.path.display()))
        }
        None => Ok(scripts),
    }
}

fn read_script(path: &Path) -> Result<Script, String> {
    let bytes = read_bytes(path).map_err(|error| cannot_read(path, &error))?;
    Ok(Script { path: path.to_path_buf(), bytes })
}

impl Script {
    fn is_of_2015(&self) -> bool {
        language2015::read::is_script(&self.bytes)
    }
}

impl Test {
    /// Test of these scripts, named after the first one.
    fn new(paths: Vec<PathBuf>, read: fn(&[PathBuf]) -> Result<Vec<Script>, String>) -> Test {
        let scripts = read(&paths);
        let name = paths[0].file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_of_2015 = scripts.as_ref().is_ok_and(|scripts| scripts[0].is_of_2015());
        Test { name, language: if is_of_2015 { Language::Of2015 } else { Language::Of2020 }, paths, scripts }
    }
}
