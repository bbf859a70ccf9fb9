//! What does an agent see of the file system?

use std::cell::RefCell;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};

/// What an agent sees of the file system, everything under its usual path: what the system shows to everybody, and what
/// is shown to it besides. Folders on the way there contain nothing else and are readable, whatever they are outside:
/// an agent need not be able to read the home directory that its folder is in.
#[derive(Debug)]
pub(super) struct FileSystemView {
    root: PathBuf,
    shown: RefCell<Vec<PathBuf>>,
}

/// What every agent may read and execute. Of /sys only what runtimes need.
pub(super) const SYSTEM: [&str; 12] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc",
    "/opt",
    "/proc",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
];

/// Harmless devices.
pub(super) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// A process's own streams, by the names that shells use.
const STREAMS: [(&str, &str); 4] = [("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")];

const NONE: Option<&str> = None;

impl FileSystemView {
    /// What the system shows to everybody, with `root` as the root directory, which only the calling thread sees.
    pub(super) fn make(root: PathBuf) -> io::Result<FileSystemView> {
        fs::create_dir(&root)?;
        let view = FileSystemView { root, shown: RefCell::default() };
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
        mount(Some("kingline"), &view.root, Some("tmpfs"), flags, Some("mode=0755,size=1m"))?;
        for path in SYSTEM.iter().chain(&DEVICES).map(Path::new) {
            match path.read_link() {
                Ok(target) => symlink(target, view.inside(path))?,
                Err(_) if path.exists() => view.show(path)?,
                Err(_) => {}
            }
        }
        for (name, number) in STREAMS {
            symlink(format!("/proc/self/fd{number}"), view.root.join("dev").join(name))?;
        }
        Ok(view)
    }

    /// Shows a folder, with everything in it, or a file; `path` is absolute and without links.
    pub(super) fn show(&self, path: &Path) -> io::Result<()> {
        if self.shown.borrow().iter().any(|shown| path.starts_with(shown)) {
            return Ok(());
        }
        if self.root.starts_with(path) {
            let what = format!("{} holds the working directories of all agents", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let inside = self.inside(path);
        if path.is_dir() {
            self.make_folder(path)?;
        } else {
            path.parent().map_or(Ok(()), |parent| self.make_folder(parent))?;
            File::create(&inside)?;
        }
        mount(Some(path), &inside, NONE, MsFlags::MS_BIND | MsFlags::MS_REC, NONE)?;
        self.shown.borrow_mut().push(path.to_path_buf());
        Ok(())
    }

    /// The root directory, as the calling thread sees it.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    fn inside(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Makes a folder that everybody may read, if there is none.
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        let inside = self.inside(path);
        if inside.is_dir() {
            return Ok(());
        }
        path.parent().map_or(Ok(()), |parent| self.make_folder(parent))?;
        fs::create_dir(&inside)?;
        fs::set_permissions(&inside, PermissionsExt::from_mode(0o755))
    }
}

impl Drop for FileSystemView {
    fn drop(&mut self) {
        // Everything in it is mounted by this thread, and goes with it.
        let _ = umount2(&self.root, MntFlags::MNT_DETACH);
        let _ = fs::remove_dir(&self.root);
    }
}
