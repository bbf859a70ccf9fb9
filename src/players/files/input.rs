use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use super::MIB;

/// Name of standard input among files.
pub(crate) const STANDARD_INPUT: &str = "-";
/// First bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads all bytes of a file, a pipe or, for the name `-`, standard input, of at most `mib` MiB. A gzip file is unpacked,
/// to at most as many.
///
/// # Errors
/// The input cannot be read, is a directory, is longer, or is a damaged gzip file.
pub(crate) fn read_input(path: &Path, mib: u64) -> io::Result<Vec<u8>> {
    let bytes = if path == Path::new(STANDARD_INPUT) {
        take(io::stdin().lock(), mib)?
    } else if fs::metadata(path)?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    } else {
        take(File::open(path)?, mib)?
    };
    if bytes.starts_with(&GZIP) { take(MultiGzDecoder::new(&bytes[..]), mib) } else { Ok(bytes) }
}

fn take(from: impl Read, mib: u64) -> io::Result<Vec<u8>> {
    let longest = mib * MIB;
    let mut bytes = Vec::new();
    from.take(longest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("longer than {mib} MiB")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    }

    #[test]
    fn packed_files_are_unpacked_within_the_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("a file");
            read_input(&path, 1).map_err(|error| error.to_string())
        };
        assert_eq!(read(b"plain"), Ok(b"plain".to_vec()));
        assert_eq!(read(&[packed(b"one "), packed(b"two")].concat()), Ok(b"one two".to_vec()));
        assert_eq!(read(&packed(&vec![0; 1 << 20])).map(|bytes| bytes.len()), Ok(1 << 20));
        let longer = Err("longer than 1 MiB".to_owned());
        assert_eq!(read(&packed(&vec![0; (1 << 20) + 1])), longer);
        assert_eq!(read(&vec![0; (1 << 20) + 1]), longer);
        assert!(read(&packed(b"some text")[..12]).is_err(), "cut off");
        assert!(read_input(folder.path(), 1).is_err(), "a folder");
    }
}
