//! The page of samples/web, built once for all tests, and a static server for it.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::thread;

use crate::support::skipped::skipped_here;

/// Returns the folder of the built page. Without the compiler's target, reports a skipped test and returns `None`.
pub(super) fn folder() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| has_target().then(build)).as_deref();
    if folder.is_none() {
        skipped_here("rustup target add wasm32-unknown-unknown has not been run");
    }
    folder
}

fn has_target() -> bool {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let output = rustc.args(["--print", "target-libdir", "--target", "wasm32-unknown-unknown"]).output();
    output.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

fn build() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("web");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/web/build.sh");
    let output = Command::new(script).arg(&folder).output().expect("bash");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

/// Serves the files of a folder on the loopback address until the tests end. Returns the address.
pub(super) fn serve(folder: impl Into<Arc<Path>>) -> String {
    let folder = folder.into();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = Arc::clone(&folder);
            thread::spawn(move || answer(&stream, &folder));
        }
    });
    format!("http://{address}/")
}

/// Answers a request with a file, or with 404.
fn answer(mut stream: &TcpStream, folder: &Path) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next()?.ok()?;
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    let name = request.split(' ').nth(1)?.trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let kind = match Path::new(name).extension()?.to_str()? {
        "html" => "text/html",
        "css" => "text/css",
        "js" => "text/javascript",
        _ => "application/octet-stream",
    };
    let (status, bytes) = match fs::read(folder.join(name)) {
        Ok(bytes) => ("200 OK", bytes),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        bytes.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes)).ok()
}
