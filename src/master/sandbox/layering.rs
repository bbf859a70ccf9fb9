//! Ways to show an agent's own files in its working directory, so that each turn starts with them unchanged.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::thread;

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use serde::Serialize;

use super::namespaces::Namespaces;
use super::view::mount_own;

/// A way to show the agent's own files in a fresh working directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Layering {
    /// An overlay mount, whose changes lie in the layer.
    Overlay {
        /// Mount options besides the folders.
        options: &'static str,
    },
    /// A copy in the layer.
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
