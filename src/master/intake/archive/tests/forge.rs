//! Builds archives, valid or not.

use std::io::{Cursor, Write};

use ::zip::ZipWriter;
use ::zip::write::SimpleFileOptions;
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use flate2::{Compression, Crc};
use lzma_rust2::{XzOptions, XzWriter};

/// An entry of an archive. No packer need write such names and modes.
#[derive(Clone)]
pub(super) struct Item {
    pub(super) name: Vec<u8>,
    /// Kind and permissions, as `stat` has them.
    pub(super) mode: u32,
    pub(super) content: Vec<u8>,
}

pub(super) fn item(name: impl AsRef<[u8]>, mode: u32, content: impl AsRef<[u8]>) -> Item {
    Item { name: name.as_ref().to_vec(), mode, content: content.as_ref().to_vec() }
}

/// Host systems of zips.
pub(super) const UNIX: u8 = 3;
pub(super) const WINDOWS: u8 = 0;

pub(super) fn zip(items: &[Item]) -> Vec<u8> {
    zip_from(UNIX, items)
}

/// A zip from this system. The crate writes other names, which are replaced.
pub(super) fn zip_from(system: u8, items: &[Item]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (number, item) in items.iter().enumerate() {
        let length = item.name.len();
        let name = if length == 0 { String::new() } else { format!("{number:0length$}") };
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(&item.content).unwrap();
    }
    let mut bytes = writer.finish().unwrap().into_inner();
    for (number, item) in items.iter().enumerate() {
        let header = header_of(&bytes, number);
        let before = u32::from_le_bytes(bytes[header + 42..header + 46].try_into().unwrap()) as usize;
        bytes[header + 5] = system;
        bytes[header + 38..header + 42].copy_from_slice(&(item.mode << 16).to_le_bytes());
        for name in [header + 46, before + 30] {
            bytes[name..name + item.name.len()].copy_from_slice(&item.name);
        }
    }
    bytes
}

/// Place of an entry's header in the directory of a zip.
fn header_of(zip: &[u8], number: usize) -> usize {
    let start = zip.len() - 22;
    let mut header = u32::from_le_bytes(zip[start + 16..start + 20].try_into().unwrap()) as usize;
    for _ in 0..number {
        let length = |field: usize| usize::from(u16::from_le_bytes([zip[header + field], zip[header + field + 1]]));
        header += 46 + length(28) + length(30) + length(32);
    }
    header
}

/// Replaces bytes in the header of the last of `items` entries in the directory of a zip.
pub(super) fn edited(mut zip: Vec<u8>, items: usize, field: usize, new: &[u8]) -> Vec<u8> {
    let place = header_of(&zip, items - 1) + field;
    zip[place..place + new.len()].copy_from_slice(new);
    zip
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

/// Builds the entries of a tar for an item: two for a long name.
pub(super) fn tar_item(Item { name, mode, content }: &Item) -> Vec<u8> {
    let kind = match mode >> 12 {
        0o12 => b'2',
        0o04 => b'5',
        0o02 => b'3',
        0o06 => b'4',
        0o01 => b'6',
        _ => b'0',
    };
    if name.len() <= 100 {
        return tar_entry(kind, name, mode & 0o7777, content);
    }
    [tar_entry(b'L', "././@LongLink", 0, name), tar_entry(kind, "short", mode & 0o7777, content)].concat()
}

/// Changes the header at the start of a tar entry.
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

pub(super) fn tar_of(items: &[Item]) -> Vec<u8> {
    tar(&items.iter().map(tar_item).collect::<Vec<_>>())
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
