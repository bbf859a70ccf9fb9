//! What does an agent see of the file system?

use std::cell::RefCell;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::statvfs::{FsFlags, statvfs};

use super::DiskLimit;

/// What an agent sees of the file system, everything under its usual path: what the system shows to everybody, and what
/// is shown to it besides. Folders on the way there contain nothing else and are readable, whatever they are outside:
/// an agent need not be able to read the home directory that its folder is in. It can change nothing but what is in its
/// working directory and in its shared memory, not even modes, times or attributes of files of its own.
#[derive(Debug)]
pub(super) struct FileSystemView {
    root: PathBuf,
    /// What is never shown along with what it is in.
    hidden: Vec<PathBuf>,
    /// What is shown or hidden; of two that hold a path, the longer one counts.
    places: RefCell<Vec<(PathBuf, Visibility)>>,
}

/// Whether an agent sees what is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visibility {
    Shown,
    Hidden,
}

/// What every agent may read and execute. Of /sys only what runtimes need.
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

/// A process's own streams, by the names that shells use.
const STREAMS: [(&str, &str); 4] = [("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")];

/// Where programs share memory, and Python keeps its semaphores.
pub(super) const SHARED_MEMORY: &str = "/dev/shm";

/// Where control groups are mounted. An agent sees its own only: the others tell how much time its opponent takes.
pub(super) const CONTROL_GROUPS: &str = "/sys/fs/cgroup";

const NONE: Option<&str> = None;

impl FileSystemView {
    /// What the system shows to everybody but what is `hidden`, with `root` as the root directory, which only
    /// the calling thread sees, and shared memory for the user `id`.
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

    /// Shows a folder, with everything in it, or a file; `path` is absolute and without links.
    pub(super) fn show(&self, path: &Path) -> io::Result<()> {
        if self.visibility(path) == Visibility::Shown {
            return Ok(());
        }
        if self.root.starts_with(path) {
            let what = format!("{} holds the working directories of all agents", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        self.bind(path, MsFlags::MS_NODEV)?;
        self.places.borrow_mut().push((path.to_path_buf(), Visibility::Shown));
        let below = self.hidden.iter().filter(|hidden| hidden.starts_with(path) && *hidden != path);
        below.into_iter().try_for_each(|hidden| self.hide(hidden))
    }

    /// Shows the working directory, in which alone an agent may write.
    pub(super) fn show_working_directory(&self, path: &Path) -> io::Result<()> {
        self.make_folder(path)?;
        mount(Some(path), &self.inside(path), NONE, MsFlags::MS_BIND, NONE)?;
        self.places.borrow_mut().push((path.to_path_buf(), Visibility::Shown));
        Ok(())
    }

    /// Hides what is in a folder that would be shown, or a file.
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

    /// Mounts what is at a path outside at the same path inside, so that nothing can be changed by it.
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

    /// The agent's shared memory, as the calling thread sees it.
    pub(super) fn shared_memory(&self) -> PathBuf {
        self.inside(Path::new(SHARED_MEMORY))
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

/// Mounts an empty file system.
fn mount_own(path: &Path, options: &str) -> io::Result<()> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    Ok(mount(Some("kingline"), path, Some("tmpfs"), flags, Some(options))?)
}

impl Drop for FileSystemView {
    fn drop(&mut self) {
        // Everything in it is mounted by this thread, and goes with it.
        let _ = umount2(&self.root, MntFlags::MNT_DETACH);
        let _ = fs::remove_dir(&self.root);
    }
}
