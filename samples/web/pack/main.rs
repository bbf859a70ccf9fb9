//! Packs the page: `pack-web ENGINE.wasm FOLDER` writes the files of a static site and, beside them, one file that
//! contains everything and opens without a server. `build.sh` compiles the engine and calls this.

mod bundle;
mod forms;
mod page;
mod parts;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pack-web: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, folder] = &arguments[..] else { return Err("usage: pack-web ENGINE.wasm FOLDER".into()) };
    let engine = std::fs::read(engine).map_err(|error| format!("{engine}: {error}"))?;
    let (script, parts) = (bundle::script()?, parts::parts(engine)?);
    let folder = Path::new(folder);
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (name, bytes) in forms::served(&script, &parts).into_iter().chain([forms::alone(&script, &parts)]) {
        let path = folder.join(name);
        std::fs::write(&path, &bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{:>9} {}", bytes.len(), path.display());
    }
    Ok(())
}
