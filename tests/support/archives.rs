//! Archives as students make them.

use std::io::Write;

/// Makes a zip of these files without compression or file modes, as simple tools do.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0x50];
        common.extend(crc.sum().to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend((bytes.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(*content);
    }
    let (start, count) = (bytes.len() as u32, files.len() as u16);
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(count.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

/// Makes a tar.gz of these files.
pub(crate) fn tar_gz(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&tar(files)).expect("bytes");
    gzip.finish().expect("a gzip")
}

/// Makes a tar.bz2 of these files.
pub(crate) fn tar_bz2(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(&tar(files)).expect("bytes");
    bzip2.finish().expect("a bzip2")
}

/// Makes a tar.xz of these files.
pub(crate) fn tar_xz(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(0)).expect("a writer");
    xz.write_all(&tar(files)).expect("bytes");
    xz.finish().expect("an xz")
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append_data(&mut header, name, *content).expect("an entry");
    }
    tar.into_inner().expect("a tar")
}
