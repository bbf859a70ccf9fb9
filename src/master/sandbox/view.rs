//! An agent's view of the file system.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::statvfs::{FsFlags, statvfs};

use super::folder::DiskLimit;

/// An agent's view of the file system: the folders that every agent sees and those shown to this one, all under their
/// usual paths. In the view, their parent folders are readable but otherwise empty, whatever their permissions outside,
/// so the agent's folder may be inside a home directory that the agent cannot read. The agent can change files only in
/// its working directory and its shared memory. Even the modes, times and attributes of its own files are fixed.
#[derive(Debug)]
pub(super) struct FileSystemView {
    root: PathBuf,
    /// Paths that stay hidden even if a parent folder is shown.
    hidden: Vec<PathBuf>,
    /// Paths shown or hidden; for any path, the longest of these that contains it decides.
    places: RefCell<Vec<(PathBuf, Visibility)>>,
}

/// Visibility of a path to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visibility {
    Shown,
    Hidden,
}

/// Paths that every agent may read and execute. Runtimes need those in /sys.
pub(super) const SYSTEM: [&str; 11] = [
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
    "/sys/kernel/mm/transparent_hugepage",
];

/// Harmless devices.
pub(super) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// A process's own streams, under the names that shells use.
const STREAMS: [(&str, &str); 4] = [("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")];

/// Folder for memory shared by programs, and for Python's semaphores.
pub(super) const SHARED_MEMORY: &str = "/dev/shm";

/// Mount point of control groups. An agent sees only its own; others would reveal how much time its opponent takes.
pub(super) const CONTROL_GROUPS: &str = "/sys/fs/cgroup";

const NONE: Option<&str> = None;

impl FileSystemView {
    /// Creates the view that every agent starts with, without the `hidden` paths, and with shared memory for the user
    /// `id`. Only the calling thread sees its root directory, `root`.
    pub(super) fn make(root: PathBuf, hidden: &[PathBuf], id: u32, limit: DiskLimit) -> io::Result<FileSystemView> {
        fs::create_dir(&root)?;
        let view = FileSystemView { root, hidden: hidden.to_vec(), places: RefCell::default() };
        mount_own(&view.root, "mode=0755,size=1m")?;
        for path in SYSTEM.iter().map(Path::new) {
            match path.read_link() {
                Ok(target) => symlink(target, view.inside(path))?,
                Err(_) if path.exists() => view.show(path)?,
                Err(_) => {}
            }
        }
        for path in DEVICES.iter().map(Path::new).filter(|path| path.exists()) {
            view.bind(path, MsFlags::empty())?;
        }
        for (name, number) in STREAMS {
            symlink(format!("/proc/self/fd{number}"), view.root.join("dev").join(name))?;
        }
        let shared = view.shared_memory();
        fs::create_dir(&shared)?;
        let DiskLimit { bytes, files } = limit;
        mount_own(&shared, &format!("mode=0700,uid={id},size={bytes},nr_inodes={files}"))?;
        Ok(view)
    }

    /// Makes a file visible, or a folder with its content; `path` is absolute and without links.
    pub(super) fn show(&self, path: &Path) -> io::Result<()> {
        if self.visibility(path) == Visibility::Shown {
            return Ok(());
        }
        if self.root.starts_with(path) {
            let what = format!("{} contains the working directories of all agents", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        self.bind(path, MsFlags::MS_NODEV)?;
        self.places.borrow_mut().push((path.to_path_buf(), Visibility::Shown));
        let below = self.hidden.iter().filter(|hidden| hidden.starts_with(path) && *hidden != path);
        below.into_iter().try_for_each(|hidden| self.hide(hidden))
    }

    /// Makes the working directory visible and writable for the agent.
    pub(super) fn show_working_directory(&self, path: &Path) -> io::Result<()> {
        self.make_folder(path)?;
        mount(Some(path), &self.inside(path), NONE, MsFlags::MS_BIND, NONE)?;
        self.places.borrow_mut().push((path.to_path_buf(), Visibility::Shown));
        Ok(())
    }

    /// Hides the content of a folder, or a file.
    fn hide(&self, path: &Path) -> io::Result<()> {
        let inside = self.inside(path);
        if inside.is_dir() {
            mount_own(&inside, "mode=0755,size=1m")?;
        } else if inside.exists() {
            mount(Some("/dev/null"), &inside, NONE, MsFlags::MS_BIND, NONE)?;
        }
        self.places.borrow_mut().push((path.to_path_buf(), Visibility::Hidden));
        Ok(())
    }

    fn visibility(&self, path: &Path) -> Visibility {
        let places = self.places.borrow();
        let holding = places.iter().filter(|(place, _)| path.starts_with(place));
        let closest = holding.max_by_key(|(place, _)| place.components().count());
        closest.map_or(Visibility::Hidden, |&(_, visibility)| visibility)
    }

    /// Mounts a path from outside, read-only, at the same path inside.
    fn bind(&self, path: &Path, flags: MsFlags) -> io::Result<()> {
        let inside = self.inside(path);
        if path.is_dir() {
            self.make_folder(path)?;
        } else {
            path.parent().map_or(Ok(()), |parent| self.make_folder(parent))?;
            File::create(&inside)?;
        }
        mount(Some(path), &inside, NONE, MsFlags::MS_BIND | MsFlags::MS_REC, NONE)?;
        // In a user namespace, flags that were set outside must stay set.
        let set = statvfs(&inside)?.flags();
        let kept = [
            (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC),
            (FsFlags::ST_NODEV, MsFlags::MS_NODEV),
            (FsFlags::ST_NOATIME, MsFlags::MS_NOATIME),
            (FsFlags::ST_NODIRATIME, MsFlags::MS_NODIRATIME),
            (FsFlags::ST_RELATIME, MsFlags::MS_RELATIME),
        ];
        let kept: MsFlags = kept.into_iter().filter(|(flag, _)| set.contains(*flag)).map(|(_, flag)| flag).collect();
        let flags = flags | kept | MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY | MsFlags::MS_NOSUID;
        Ok(mount(NONE, &inside, NONE, flags, NONE)?)
    }

    /// The agent's shared memory, as a path for the calling thread.
    pub(super) fn shared_memory(&self) -> PathBuf {
        self.inside(Path::new(SHARED_MEMORY))
    }

    /// The root directory, as a path for the calling thread.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    fn inside(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Creates a folder that everybody may read, unless it already exists.
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

/// Mounts an empty file system.
fn mount_own(path: &Path, options: &str) -> io::Result<()> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    Ok(mount(Some("kingline"), path, Some("tmpfs"), flags, Some(options))?)
}

impl Drop for FileSystemView {
    fn drop(&mut self) {
        // Everything in it was mounted by this thread, so it vanishes with the thread.
        let _ = umount2(&self.root, MntFlags::MNT_DETACH);
        let _ = fs::remove_dir(&self.root);
    }
}
