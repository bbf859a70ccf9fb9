//! Archives as students make them.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{System, ZipWriter};

/// Makes a zip of these files without compression or file modes, as simple tools do.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored).system(System::Dos);
    for (name, content) in files {
        zip.start_file(*name, options).expect("an entry");
        zip.write_all(content).expect("bytes");
    }
    zip.finish().expect("a zip").into_inner()
}

pub(crate) fn tar_gz(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&tar(files)).expect("bytes");
    gzip.finish().expect("a gzip")
}

pub(crate) fn tar_bz2(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(&tar(files)).expect("bytes");
    bzip2.finish().expect("a bzip2")
}

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
