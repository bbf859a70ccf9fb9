//! Which machine is this?

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// The cores that this process may use, and the processor's name where the system tells it: `2 cores, AMD EPYC 7B13`.
pub(super) fn machine() -> String {
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    let unnamed = || format!("{} with {}", std::env::consts::ARCH, std::env::consts::OS);
    format!("{cores}, {}", processor().ok().flatten().unwrap_or_else(unnamed))
}

/// As Linux tells it; no other system has this file.
fn processor() -> io::Result<Option<String>> {
    name_in(BufReader::new(File::open("/proc/cpuinfo")?))
}

/// The name of the first processor of /proc/cpuinfo: the file has as many as there are cores.
fn name_in(file: impl BufRead) -> io::Result<Option<String>> {
    for line in file.lines() {
        let line = line?;
        if let Some((field, name)) = line.split_once(':')
            && field.trim() == "model name"
            && !name.trim().is_empty()
        {
            return Ok(Some(name.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_the_first_with_a_name() {
        let file = "processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD  EPYC 7B13\nflags\t\t: fpu\nmodel name\t: other\n";
        assert_eq!(name_in(file.as_bytes()).unwrap().as_deref(), Some("AMD EPYC 7B13"));
        assert_eq!(name_in(&b"processor\t: 0\nBogoMIPS\t: 50.00\nmodel name\t:\n"[..]).unwrap(), None);
    }

    #[test]
    fn every_machine_has_cores_and_a_name() {
        let machine = machine();
        let (cores, name) = machine.split_once(", ").unwrap();
        assert!(cores.starts_with(|digit: char| digit.is_ascii_digit()) && !name.is_empty(), "{machine}");
    }
}
