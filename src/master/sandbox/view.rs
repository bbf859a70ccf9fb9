//! An agent's view of the file system.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::thread;

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::statvfs::{FsFlags, statvfs};
use serde::Serialize;

use super::kernel_files::{KernelFiles, MACHINE, PROCESSES, counters, cover, mount_own};
use super::namespaces::Namespaces;

/// An agent's view of the file system: the folders that every agent sees and those shown to this one, all under their
/// usual paths. In the view, their parent folders are readable but otherwise empty, whatever their permissions outside,
/// so the agent's folder may be inside a home directory that the agent cannot read. The agent can change files only in
/// its working directory and its shared memory. Even the modes, times and attributes of its own files are fixed.
#[derive(Debug)]
pub(super) struct FileSystemView {
    root: PathBuf,
    kernel: KernelFiles,
    layering: Layering,
    /// Paths that stay hidden even if a parent folder is shown.
    hidden: Vec<PathBuf>,
    /// Paths shown or hidden; for any path, the longest of these that contains it decides.
    places: RefCell<Vec<(PathBuf, Visibility)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visibility {
    Shown,
    Hidden,
}

/// Folders that every agent may read and execute.
pub(super) const SYSTEM: [&str; 8] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt"];

pub(super) const DEVICE_FOLDER: &str = "/dev";

/// Harmless devices.
pub(super) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// A process's own streams, under the names that shells use.
const STREAMS: [(&str, &str); 4] = [("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")];

/// Folder for memory shared by programs, and for Python's semaphores.
pub(super) const SHARED_MEMORY: &str = "/dev/shm";

pub(super) const TEMPORARY: &str = "/tmp";

/// Folder of pseudoterminals, and the device that opens a new one.
pub(super) const TERMINALS: &str = "/dev/pts";
const NEW_TERMINAL: &str = "/dev/ptmx";

const USER: &str = "agent";

const NONE: Option<&str> = None;

impl FileSystemView {
    /// Creates the view that every agent starts with, without the `hidden` paths. Only the calling thread sees its root
    /// directory, `root`.
    pub(super) fn make(
        root: PathBuf,
        kernel: KernelFiles,
        layering: Layering,
        hidden: &[PathBuf],
    ) -> io::Result<FileSystemView> {
        let view = FileSystemView { root, kernel, layering, hidden: hidden.to_vec(), places: RefCell::default() };
        mount_own(&view.root, "mode=0755,size=1m")?;
        view.bind(Path::new(PROCESSES), Path::new(PROCESSES), MsFlags::MS_NODEV)?;
        view.cover(&view.inside(Path::new(PROCESSES)))?;
        for path in MACHINE.iter().map(Path::new).filter(|path| view.kernel.copy_of(path).exists()) {
            view.bind(&view.kernel.copy_of(path), path, MsFlags::MS_NODEV)?;
        }
        for path in SYSTEM.iter().map(Path::new) {
            match path.read_link() {
                Ok(target) => symlink(target, view.inside(path))?,
                Err(_) if path.exists() => view.show(path)?,
                Err(_) => {}
            }
        }
        for path in DEVICES.iter().map(Path::new).filter(|path| path.exists()) {
            view.bind(path, path, MsFlags::empty())?;
        }
        for (name, number) in STREAMS {
            symlink(format!("/proc/self/fd{number}"), view.inside(Path::new(DEVICE_FOLDER)).join(name))?;
        }
        symlink("pts/ptmx", view.inside(Path::new(NEW_TERMINAL)))?;
        Ok(view)
    }

    /// Gives the user `id` a name and a home in the lists of users and groups, unless it has one.
    pub(super) fn name_user(&self, id: u32, home: &Path) -> io::Result<()> {
        let home = home.display();
        for (list, line) in
            [("passwd", format!("{USER}:x:{id}:{id}:{USER}:{home}:/bin/sh\n")), ("group", format!("{USER}:x:{id}:\n"))]
        {
            let path = Path::new("/etc").join(list);
            let Ok(mut text) = fs::read_to_string(&path) else { continue };
            let id = id.to_string();
            if text.lines().any(|line| line.split(':').nth(2) == Some(&id)) {
                continue;
            }
            if !text.ends_with('\n') {
                text.push('\n');
            }
            let named = self.root.with_file_name(list);
            fs::write(&named, text + &line)?;
            fs::set_permissions(&named, PermissionsExt::from_mode(0o644))?;
            mount(Some(&named), &self.inside(&path), NONE, MsFlags::MS_BIND, NONE)?;
        }
        Ok(())
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
        self.mount_shown(path)?;
        self.places.borrow_mut().push((path.to_path_buf(), Visibility::Shown));
        let below = self.hidden.iter().filter(|hidden| hidden.starts_with(path) && *hidden != path);
        below.into_iter().try_for_each(|hidden| self.hide(hidden))
    }

    /// Makes the limits of a control group visible, without its counters.
    pub(super) fn show_limits(&self, group: &Path) -> io::Result<()> {
        self.bind(group, group, MsFlags::MS_NODEV)?;
        for counter in counters(group)? {
            mount(Some(&self.kernel.empty()), &self.inside(&counter), NONE, MsFlags::MS_BIND, NONE)?;
        }
        Ok(())
    }

    /// The copies that cover files in /proc, and their names.
    pub(super) fn covers(&self) -> (PathBuf, &[String]) {
        (self.kernel.copy_of(Path::new(PROCESSES)), &self.kernel.covered)
    }

    fn cover(&self, processes: &Path) -> io::Result<()> {
        let (copies, names) = self.covers();
        cover(processes, &copies, names)
    }

    /// Mounts a path read-only at the same path inside. The files in a folder get inodes of their own, so that locks on
    /// them and notices of their use reach nobody else.
    fn mount_shown(&self, path: &Path) -> io::Result<()> {
        if !path.is_dir() || self.layering == Layering::Copy {
            return self.bind(path, path, MsFlags::MS_NODEV);
        }
        self.make_folder(path)?;
        mount_alone(path, &self.kernel.none(), &self.inside(path))?;
        // An overlay leaves out what is mounted in the folder.
        let within = mounts_below(path)?;
        within.iter().try_for_each(|path| self.bind(path, path, MsFlags::MS_NODEV))
    }

    /// Mounts a folder from outside at `path`, where the agent can write to it.
    pub(super) fn place(&self, from: &Path, path: &Path) -> io::Result<()> {
        self.make_folder(path)?;
        Ok(mount(Some(from), &self.inside(path), NONE, MsFlags::MS_BIND, NONE)?)
    }

    /// Mounts a folder from outside at `path`, with everything in it that the agent sees anyway.
    pub(super) fn place_writable(&self, from: &Path, path: &Path) -> io::Result<()> {
        self.place(from, path)?;
        let is_within = |place: &Path| place.starts_with(path) && place != path;
        let (within, others) = self.places.take().into_iter().partition(|(place, _)| is_within(place));
        self.places.replace(others);
        let shown = within.iter().filter(|(_, visibility)| *visibility == Visibility::Shown);
        shown.into_iter().try_for_each(|(place, _)| self.show(place))
    }

    /// Mounts an empty set of pseudoterminals, if the machine has any.
    pub(super) fn place_terminals(&self) -> io::Result<()> {
        let path = Path::new(TERMINALS);
        self.make_folder(path)?;
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NOEXEC;
        // Without them, programs work as without a terminal.
        let _ = mount(Some("kingline"), &self.inside(path), Some("devpts"), flags, Some("newinstance,ptmxmode=0666"));
        Ok(())
    }

    /// Unmounts what was placed at `path`, if anything.
    pub(super) fn displace(&self, path: &Path) {
        // Nothing may be mounted there if an earlier call failed.
        let _ = umount2(&self.inside(path), MntFlags::MNT_DETACH);
    }

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

    /// Mounts a path from outside, read-only, at `path`.
    fn bind(&self, from: &Path, path: &Path, flags: MsFlags) -> io::Result<()> {
        let inside = self.inside(path);
        if from.is_dir() {
            self.make_folder(path)?;
        } else {
            path.parent().map_or(Ok(()), |parent| self.make_folder(parent))?;
            // In an overlay, it is there.
            if !inside.exists() {
                File::create(&inside)?;
            }
        }
        mount(Some(from), &inside, NONE, MsFlags::MS_BIND | MsFlags::MS_REC, NONE)?;
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

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    fn inside(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

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

/// A way to show the agent's own files in a fresh working directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Layering {
    /// An overlay mount, whose changes lie in the layer.
    Overlay {
        options: &'static str,
    },
    Copy,
}

impl Layering {
    /// Finds the best way by trying it in a separate thread; `None` if threads cannot mount.
    pub(super) fn find(namespaces: Namespaces) -> Option<Layering> {
        if !namespaces.mounts() {
            return None;
        }
        let works = |options: &'static str| {
            let trial = move || -> io::Result<()> {
                let folder = tempfile::tempdir()?;
                namespaces.enter().map_err(io::Error::other)?;
                mount_own(folder.path(), "mode=0755,size=4m")?;
                let [below, layer, dir] = ["below", "layer", "dir"].map(|name| folder.path().join(name));
                [&below, &layer, &dir].into_iter().try_for_each(fs::create_dir)?;
                fs::write(below.join("file"), "old")?;
                mount_own(&layer, "mode=0755,size=1m,nr_inodes=20")?;
                ["changes", "work"].iter().try_for_each(|name| fs::create_dir(layer.join(name)))?;
                mount_overlay(options, &below, &layer, &dir)?;
                fs::write(dir.join("file"), "new")?;
                fs::remove_file(dir.join("file"))?;
                let done = fs::read_dir(&dir)?.next().is_none() && fs::read_to_string(below.join("file"))? == "old";
                let _ = umount2(folder.path(), MntFlags::MNT_DETACH);
                if done { Ok(()) } else { Err(io::ErrorKind::Other.into()) }
            };
            thread::spawn(trial).join().is_ok_and(|tried| tried.is_ok())
        };
        let options = ["", "userxattr,"].into_iter().find(|options| works(options));
        Some(options.map_or(Layering::Copy, |options| Layering::Overlay { options }))
    }
}

/// Mounts a folder read-only at `dir`, with inodes of its own; `none` is an empty folder.
fn mount_alone(folder: &Path, none: &Path, dir: &Path) -> io::Result<()> {
    let [folder, none] = [File::open(folder)?, File::open(none)?];
    let options = format!("lowerdir=/proc/self/fd/{}:/proc/self/fd/{}", folder.as_raw_fd(), none.as_raw_fd());
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_RDONLY;
    Ok(mount(Some("kingline"), dir, Some("overlay"), flags, Some(&options[..]))?)
}

/// Mount points of this process inside a folder, outer ones first.
fn mounts_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mounts = fs::read_to_string("/proc/self/mountinfo")?;
    let points = mounts.lines().filter_map(|line| line.split(' ').nth(4)).map(unescaped);
    let mut below: Vec<PathBuf> = points.filter(|point| point.starts_with(folder) && point != folder).collect();
    below.sort();
    below.dedup();
    // A mount is bound with those inside it.
    let outer: Vec<PathBuf> = below.clone();
    below.retain(|point| !outer.iter().any(|other| point != other && point.starts_with(other)));
    Ok(below)
}

/// A path of /proc/self/mountinfo, in which blanks and the like are octal numbers.
fn unescaped(text: &str) -> PathBuf {
    let mut parts = text.split('\\');
    let mut path = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (number, rest) = part.split_at(part.len().min(3));
        path.extend(u8::from_str_radix(number, 8));
        path.extend(rest.bytes());
    }
    PathBuf::from(OsString::from_vec(path))
}

/// Mounts the folder `below` at `dir`, with all changes in `layer`.
pub(super) fn mount_overlay(options: &str, below: &Path, layer: &Path, dir: &Path) -> io::Result<()> {
    // Names of open files are short and contain neither commas nor colons, which separate options and folders.
    let open = |path: &Path| File::open(path);
    let [below, changes, work] = [open(below)?, open(&layer.join("changes"))?, open(&layer.join("work"))?];
    let name = |file: &File| format!("/proc/self/fd/{}", file.as_raw_fd());
    let options = format!("{options}lowerdir={},upperdir={},workdir={}", name(&below), name(&changes), name(&work));
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    Ok(mount(Some("kingline"), dir, Some("overlay"), flags, Some(&options[..]))?)
}
