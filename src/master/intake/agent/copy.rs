//! Copies of an agent's files.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Copies a single file, or the files, folders and links in a folder, into the folder `to`. Anyone can read the copy,
/// but only its owner can write to it. Drops set-user-ID bits and extended attributes. Redirects absolute links into
/// the folder to the copy. Skips sockets, pipes and devices.
///
/// # Errors
/// Something cannot be read or written; the error names the path.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_file() {
        fs::create_dir_all(to)?;
        return copy_file(from, &to.join(from.file_name().unwrap_or_default()));
    }
    let mut rest = vec![PathBuf::new()];
    while let Some(folder) = rest.pop() {
        make_folder(&to.join(&folder))?;
        let source = from.join(&folder);
        for entry in fs::read_dir(&source).map_err(|error| at(&source, &error))? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, folder.join(entry.file_name()));
            let target = to.join(&path);
            if kind.is_dir() {
                rest.push(path);
            } else if kind.is_symlink() {
                let leads_to = fs::read_link(entry.path())?;
                let leads_to = leads_to.strip_prefix(from).map_or_else(|_| leads_to.clone(), |inside| to.join(inside));
                symlink(leads_to, target)?;
            } else if kind.is_file() {
                copy_file(&entry.path(), &target)?;
            }
        }
    }
    Ok(())
}

fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o755))
}

fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from).map_err(|error| at(from, &error))?;
    let mut target = File::create(to).map_err(|error| at(to, &error))?;
    io::copy(&mut source, &mut target).map_err(|error| at(from, &error))?;
    let mode = if source.metadata()?.permissions().mode() & 0o111 == 0 { 0o644 } else { 0o755 };
    fs::set_permissions(to, Permissions::from_mode(mode))
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_relevant_files_and_plain_modes() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("closed/inner")).unwrap();
        for (name, mode) in [("program", 0o4700), ("notes", 0o600), ("closed/inner/data", 0o640)] {
            fs::write(from.join(name), name).unwrap();
            fs::set_permissions(from.join(name), Permissions::from_mode(mode)).unwrap();
        }
        symlink("inner/data", from.join("closed/near")).unwrap();
        symlink(from.join("notes"), from.join("far")).unwrap();
        symlink("/usr", from.join("outside")).unwrap();
        fs::set_permissions(from.join("closed"), Permissions::from_mode(0o700)).unwrap();
        nix::unistd::mkfifo(&from.join("pipe"), nix::sys::stat::Mode::S_IRUSR).unwrap();

        copy(&from, &to).unwrap();
        let mode = |name: &str| fs::symlink_metadata(to.join(name)).unwrap().permissions().mode() & 0o7777;
        assert_eq!(["program", "notes", "closed", "closed/inner/data"].map(mode), [0o755, 0o644, 0o755, 0o644]);
        assert_eq!(fs::read_to_string(to.join("closed/near")).unwrap(), "closed/inner/data");
        assert_eq!(fs::read_link(to.join("far")).unwrap(), to.join("notes"));
        assert_eq!(fs::read_link(to.join("outside")).unwrap(), Path::new("/usr"));
        assert!(fs::symlink_metadata(to.join("pipe")).is_err());

        copy(&from.join("notes"), &folder.path().join("single")).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("single/notes")).unwrap(), "notes");
        let missing = copy(&from.join("missing"), &to).unwrap_err();
        assert!(missing.to_string().contains("missing"), "{missing}");
    }
}
