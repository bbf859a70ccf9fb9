//! Builds archives byte by byte, valid or not.

use std::io::Write;

use bzip2::write::BzEncoder;
use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};
use lzma_rust2::{XzOptions, XzWriter};

/// An entry of a zip: the fields of its two headers, and its packed bytes.
#[derive(Clone)]
pub(super) struct ZipEntry {
    /// Name in the directory.
    pub(super) name: Vec<u8>,
    /// Name in the local header.
    pub(super) local_name: Vec<u8>,
    /// Host system, [`UNIX`] or [`WINDOWS`].
    pub(super) system: u8,
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) checksum: u32,
    pub(super) size: u32,
    pub(super) mode: u32,
    pub(super) disk: u16,
    pub(super) extra: Vec<u8>,
    pub(super) packed: Vec<u8>,
}

pub(super) const UNIX: u8 = 3;
pub(super) const WINDOWS: u8 = 0;

impl ZipEntry {
    /// An uncompressed file.
    pub(super) fn stored(name: impl AsRef<[u8]>, content: &[u8]) -> ZipEntry {
        let name = name.as_ref().to_vec();
        let mut checksum = flate2::Crc::new();
        checksum.update(content);
        ZipEntry {
            local_name: name.clone(),
            name,
            system: UNIX,
            flags: 0,
            method: 0,
            checksum: checksum.sum(),
            size: content.len() as u32,
            mode: 0o100_644,
            disk: 0,
            extra: Vec::new(),
            packed: content.to_vec(),
        }
    }

    pub(super) fn deflated(name: impl AsRef<[u8]>, content: &[u8]) -> ZipEntry {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content).unwrap();
        ZipEntry { method: 8, packed: encoder.finish().unwrap(), ..ZipEntry::stored(name, content) }
    }

    fn local_header(&self) -> Vec<u8> {
        let mut bytes = b"PK\x03\x04\x14\0".to_vec();
        bytes.extend([self.flags, self.method, 0, 0].iter().flat_map(|field| field.to_le_bytes()));
        bytes.extend([self.checksum, self.packed.len() as u32, self.size].iter().flat_map(|field| field.to_le_bytes()));
        bytes.extend((self.local_name.len() as u16).to_le_bytes());
        bytes.extend([0, 0]);
        bytes.extend(&self.local_name);
        bytes
    }

    fn directory_header(&self, place: u32) -> Vec<u8> {
        let mut bytes = vec![b'P', b'K', 1, 2, 20, self.system, 20, 0];
        bytes.extend([self.flags, self.method, 0, 0].iter().flat_map(|field| field.to_le_bytes()));
        bytes.extend([self.checksum, self.packed.len() as u32, self.size].iter().flat_map(|field| field.to_le_bytes()));
        let lengths = [self.name.len() as u16, self.extra.len() as u16, 0, self.disk, 0];
        bytes.extend(lengths.iter().flat_map(|field| field.to_le_bytes()));
        bytes.extend((self.mode << 16).to_le_bytes());
        bytes.extend(place.to_le_bytes());
        bytes.extend(&self.name);
        bytes.extend(&self.extra);
        bytes
    }
}

/// Builds a zip of these entries.
pub(super) fn zip(entries: &[ZipEntry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for entry in entries {
        directory.extend(entry.directory_header(bytes.len() as u32));
        bytes.extend(entry.local_header());
        bytes.extend(&entry.packed);
    }
    let end = zip_end(entries.len() as u16, directory.len() as u32, bytes.len() as u32);
    [bytes, directory, end].concat()
}

/// Builds the end record of a zip with this number of entries, whose directory begins at `start` and has `size` bytes.
pub(super) fn zip_end(entries: u16, size: u32, start: u32) -> Vec<u8> {
    let mut bytes = b"PK\x05\x06\0\0\0\0".to_vec();
    bytes.extend([entries, entries].iter().flat_map(|field| field.to_le_bytes()));
    bytes.extend([size, start].iter().flat_map(|field| field.to_le_bytes()));
    bytes.extend([0, 0]);
    bytes
}

/// Converts the end of a zip to zip64. `change` may alter the number of entries, and the size and start of the
/// directory.
pub(super) fn zip64(zip: &[u8], change: impl Fn(&mut [u64; 3])) -> Vec<u8> {
    let (rest, end) = zip.split_at(zip.len() - 22);
    let u32_at = |place: usize| u32::from_le_bytes(end[place..place + 4].try_into().unwrap());
    let mut numbers = [u64::from(end[8]), u32_at(12).into(), u32_at(16).into()];
    change(&mut numbers);
    let [entries, size, start] = numbers;
    let mut bytes = rest.to_vec();
    bytes.extend(b"PK\x06\x06");
    bytes.extend(44_u64.to_le_bytes());
    bytes.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([entries, entries, size, start].iter().flat_map(|field| field.to_le_bytes()));
    bytes.extend(b"PK\x06\x07\0\0\0\0");
    bytes.extend((rest.len() as u64).to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(zip_end(u16::MAX, u32::MAX, u32::MAX));
    bytes
}

/// Builds a tar entry with its padding; `kind` is the letter of its type.
pub(super) fn tar_entry(kind: u8, name: impl AsRef<[u8]>, mode: u32, content: &[u8]) -> Vec<u8> {
    let mut header = ::tar::Header::new_ustar();
    let name = name.as_ref();
    header.as_old_mut().name[..name.len()].copy_from_slice(name);
    header.as_old_mut().linkname[..4].copy_from_slice(b"/etc");
    header.set_entry_type(::tar::EntryType::new(kind));
    header.set_mode(mode);
    header.set_size(content.len() as u64);
    header.set_cksum();
    let padding = vec![0; content.len().next_multiple_of(512) - content.len()];
    [header.as_bytes(), content, &padding].concat()
}

/// Builds a tar entry for a regular file.
pub(super) fn tar_file(name: impl AsRef<[u8]>, content: &[u8]) -> Vec<u8> {
    tar_entry(b'0', name, 0o644, content)
}

/// Changes the header at the start of an entry.
pub(super) fn with_header(mut entry: Vec<u8>, change: impl Fn(&mut ::tar::Header)) -> Vec<u8> {
    let mut header = ::tar::Header::from_byte_slice(&entry[..512]).clone();
    change(&mut header);
    header.set_cksum();
    entry[..512].copy_from_slice(header.as_bytes());
    entry
}

/// Builds the records of a pax header.
pub(super) fn records(records: &[(&str, &str)]) -> Vec<u8> {
    let one = |(key, value): &(&str, &str)| {
        let rest = format!(" {key}={value}\n");
        let length = (1..).find(|length: &usize| length.to_string().len() + rest.len() == *length).unwrap();
        format!("{length}{rest}").into_bytes()
    };
    records.iter().flat_map(one).collect()
}

/// Builds a tar of these entries.
pub(super) fn tar(entries: &[Vec<u8>]) -> Vec<u8> {
    [entries.concat(), vec![0; 1024]].concat()
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Sets the size of the dictionary that the first block of an xz asks for, as the format encodes it.
pub(super) fn with_dictionary(mut xz: Vec<u8>, size: u8) -> Vec<u8> {
    const BLOCK: usize = 12;
    let checksum = BLOCK + usize::from(xz[BLOCK]) * 4;
    assert_eq!(xz[BLOCK + 2..BLOCK + 4], [0x21, 1], "LZMA2 with one byte of properties");
    xz[BLOCK + 4] = size;
    let mut crc = Crc::new();
    crc.update(&xz[BLOCK..checksum]);
    xz[checksum..checksum + 4].copy_from_slice(&crc.sum().to_le_bytes());
    xz
}
