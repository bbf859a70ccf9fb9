//! The part of a class that others may see: a page with pseudonyms, which depend on a secret beside the store.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::single::PAGE;
use crate::exam::grade::{ClassGrades, Pseudonyms, SECRET};
use crate::report::class_page;
use kingline_players::exit::BadInput;
use kingline_players::files::{FileKind, check_target, write_whole};

/// Files of the public page.
pub(super) struct PublicPage {
    /// The page; alone in its folder, which can be published as a whole.
    page: PathBuf,
    /// Names and pseudonyms, for the staff.
    table: PathBuf,
    secret: [u8; SECRET],
}

const TABLE: FileKind = FileKind {
    name: "a table of pseudonyms from an earlier grading",
    is_start: |start| start.starts_with(b"submission,pseudonym"),
};

impl PublicPage {
    /// Files in the folder of a report; checks that they may be written. The secret is kept in this file.
    ///
    /// # Errors
    /// They may not be written, or the secret cannot be read or created.
    pub(super) fn in_report(report: &Path, secret_file: &Path) -> Result<PublicPage> {
        let (folder, table) = (report.join("public"), report.join("pseudonyms.csv"));
        let unusable = |error: &dyn std::fmt::Display| BadInput::new(format!("--pseudonyms: {error}"));
        fs::create_dir_all(&folder).map_err(|error| unusable(&format!("{}: {error}", folder.display())))?;
        let page = folder.join("index.html");
        check_target(&page, PAGE).map_err(|error| unusable(&format!("{error:#}")))?;
        check_target(&table, TABLE).map_err(|error| unusable(&format!("{error:#}")))?;
        let secret = secret(secret_file).with_context(|| secret_file.display().to_string())?;
        Ok(PublicPage { page, table, secret })
    }

    /// The pseudonyms of these names, in the order in which they came.
    pub(super) fn pseudonyms<'a>(&self, seed: u64, names: impl IntoIterator<Item = &'a str>) -> Pseudonyms {
        Pseudonyms::new(&self.secret, seed, names)
    }

    /// The page.
    pub(super) fn path(&self) -> &Path {
        &self.page
    }

    /// Writes the page and the table.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn write(&self, class: &ClassGrades, pseudonyms: &Pseudonyms) -> Result<()> {
        write_whole(&self.page, class_page(class, pseudonyms).as_bytes())?;
        write_whole(&self.table, pseudonyms.table().as_bytes())
    }
}

/// Reads the secret; creates it at random, readable for its owner only, if there is none.
fn secret(path: &Path) -> Result<[u8; SECRET]> {
    let mut secret = [0; SECRET];
    match fs::read(path) {
        Ok(bytes) => {
            let found = bytes.len();
            return bytes.try_into().ok().with_context(|| {
                format!("found {found} bytes, expected the {SECRET} bytes of a secret; help: move it away for new pseudonyms")
            });
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).context("cannot read it"),
    }
    File::open("/dev/urandom")
        .and_then(|mut random| random.read_exact(&mut secret))
        .context("cannot read /dev/urandom")?;
    let mut options = File::options();
    let mut file = options.write(true).create_new(true).mode(0o600).open(path).context("cannot create it")?;
    let written = file.write_all(&secret).and_then(|()| file.sync_data());
    if let Err(error) = written {
        // Half a secret would be refused forever.
        let _ = fs::remove_file(path);
        return Err(error).context("cannot write it");
    }
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_secret_is_created_once_for_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let first = secret(&path).unwrap();
        assert_eq!(secret(&path).unwrap(), first);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_ne!(secret(&folder.path().join("other")).unwrap(), first);
        fs::write(&path, "short").unwrap();
        assert!(format!("{:#}", secret(&path).unwrap_err()).contains("found 5 bytes, expected the 32 bytes"));
    }
}
