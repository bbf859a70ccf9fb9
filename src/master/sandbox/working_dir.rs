//! An agent's working directory, made anew for each turn.

use std::cell::{Cell, RefCell};
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::statvfs::statvfs;

use super::capabilities::Capabilities;
use super::copier::Copier;
use super::folder::{self, DiskLimit};
use super::kernel_files::{KernelFiles, mount_own};
use super::view::{FileSystemView, Layering, SHARED_MEMORY, TEMPORARY, TERMINALS, mount_overlay};

/// An agent's working directory. Everything in it but the agent's own files is thrown away when it is renewed.
///
/// If threads can mount, all that an agent writes lies in one file system in memory, the layer, which is mounted anew
/// for each turn: its working directory, /tmp and /dev/shm. Neither its content nor its state can thus keep the referee
/// from starting the next turn.
#[derive(Debug)]
pub(super) struct WorkingDir {
    pub(super) dir: PathBuf,
    pub(super) copier: Copier,
    disk: DiskLimit,
    stage: Option<Stage>,
    /// The folder with the agent's own files, if it has any.
    files: RefCell<Option<PathBuf>>,
}

/// Mount points for what an agent sees.
#[derive(Debug)]
struct Stage {
    root: PathBuf,
    view: FileSystemView,
    layering: Layering,
    has_layer: Cell<bool>,
}

const NONE: Option<&str> = None;
/// Room for files in a layer that are not the agent's: folders, mount points, and what overlays need.
const OWN_FILES: u64 = 64;

impl WorkingDir {
    /// Creates the working directory `dir`, which the user that owns the copier's copies can write to.
    pub(super) fn new(
        dir: &Path,
        capabilities: &Arc<Capabilities>,
        copier: Copier,
        disk: DiskLimit,
    ) -> io::Result<WorkingDir> {
        match fs::create_dir(dir) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
        // Agents see the folder under its canonical path.
        let dir = dir.canonicalize()?;
        let stage = match capabilities.layering {
            Some(layering) => Some(Stage::new(&dir, &capabilities.policy.hidden, copier.owner, layering)?),
            None => None,
        };
        let made = WorkingDir { dir, copier, disk, stage, files: RefCell::new(None) };
        made.renew()?;
        Ok(made)
    }

    /// The agent's view of the file system, if it is restricted.
    pub(super) fn view(&self) -> Option<&FileSystemView> {
        self.stage.as_ref().map(|stage| &stage.view)
    }

    /// Puts a copy of a folder of ordinary files, which takes at most this much memory, into the working directory, now
    /// and after each renewal. May be called once.
    pub(super) fn furnish(&self, from: &Path, memory: u64) -> io::Result<()> {
        let below = match &self.stage {
            Some(stage) => stage.root.join("below"),
            None => self.dir.with_extension("below"),
        };
        fs::create_dir_all(&below)?;
        if self.stage.is_some() {
            mount_own(&below, &format!("mode=0755,size={memory}"))?;
        }
        *self.files.borrow_mut() = Some(below.clone());
        self.copier.folder(from, &below)?;
        self.renew()
    }

    /// Removes the agent's own files. Those in the working directory stay until it is renewed.
    pub(super) fn strip(&self) -> io::Result<()> {
        let Some(below) = self.files.borrow_mut().take() else { return Ok(()) };
        if self.stage.is_some() { Ok(umount2(&below, MntFlags::MNT_DETACH)?) } else { fs::remove_dir_all(below) }
    }

    /// Memory in bytes that the agent's own files take, apart from what it writes.
    pub(super) fn memory_of_own_files(&self) -> u64 {
        let files = self.files.borrow();
        files.as_ref().filter(|_| self.stage.is_some()).map_or(0, |below| used(below).map_or(0, |used| used.bytes))
    }

    /// Throws everything away and starts again with the agent's own files.
    pub(super) fn renew(&self) -> io::Result<()> {
        let files = self.files.borrow();
        match &self.stage {
            Some(stage) => stage.renew(&self.dir, files.as_deref(), &self.copier, self.disk),
            None => {
                folder::sweep(&self.dir, &[])?;
                folder::make_plain(&self.dir)?;
                chown(&self.dir, Some(self.copier.owner), Some(self.copier.owner))?;
                files.as_ref().map_or(Ok(()), |files| folder::copy_as(files, &self.dir, self.copier.owner))
            }
        }
    }
}

impl Stage {
    fn new(dir: &Path, hidden: &[PathBuf], owner: u32, layering: Layering) -> io::Result<Stage> {
        // No agent uses this name: the caller chooses the names in a run folder.
        let mut root = dir.to_path_buf().into_os_string();
        root.push(".stage");
        let root = PathBuf::from(root);
        fs::create_dir(&root)?;
        let made = || -> io::Result<FileSystemView> {
            mount_own(&root, "mode=0755,size=4m")?;
            ["view", "layer"].iter().try_for_each(|name| fs::create_dir(root.join(name)))?;
            let kernel = KernelFiles::make(root.join("kernel"))?;
            let view = FileSystemView::make(root.join("view"), kernel, layering, hidden)?;
            view.name_user(owner, dir)?;
            Ok(view)
        };
        match made() {
            Ok(view) => Ok(Stage { root, view, layering, has_layer: Cell::new(false) }),
            Err(error) => {
                let _ = umount2(&root, MntFlags::MNT_DETACH);
                let _ = fs::remove_dir(&root);
                Err(error)
            }
        }
    }

    fn renew(&self, dir: &Path, files: Option<&Path>, copier: &Copier, disk: DiskLimit) -> io::Result<()> {
        self.clear(dir)?;
        let layer = self.root.join("layer");
        let own = match (self.layering, files) {
            (Layering::Copy, Some(files)) => used(files)?,
            _ => DiskLimit { bytes: 0, files: 0 },
        };
        let bytes = disk.bytes.saturating_add(own.bytes);
        let most = disk.files.saturating_add(own.files).saturating_add(OWN_FILES);
        mount_own(&layer, &format!("mode=0755,size={bytes},nr_inodes={most}"))?;
        self.has_layer.set(true);
        for name in ["changes", "work", "tmp", "shm"] {
            let path = layer.join(name);
            fs::create_dir(&path)?;
            fs::set_permissions(&path, PermissionsExt::from_mode(0o700))?;
            chown(&path, Some(copier.owner), Some(copier.owner))?;
        }
        let changes = layer.join("changes");
        match (self.layering, files) {
            (Layering::Overlay { options }, Some(files)) => mount_overlay(options, files, &layer, dir)?,
            (Layering::Copy, Some(files)) => {
                copier.folder(files, &changes)?;
                mount(Some(&changes), dir, NONE, MsFlags::MS_BIND, NONE)?;
            }
            (_, None) => mount(Some(&changes), dir, NONE, MsFlags::MS_BIND, NONE)?,
        }
        self.view.place_writable(&layer.join("tmp"), Path::new(TEMPORARY))?;
        self.view.place_writable(&layer.join("shm"), Path::new(SHARED_MEMORY))?;
        // The working directory may lie in one of them.
        self.view.place(dir, dir)?;
        self.view.place_terminals()
    }

    fn clear(&self, dir: &Path) -> io::Result<()> {
        if self.has_layer.replace(false) {
            [dir, Path::new(TEMPORARY), Path::new(SHARED_MEMORY), Path::new(TERMINALS)]
                .iter()
                .for_each(|path| self.view.displace(path));
            // Nothing may be mounted there if an earlier call failed.
            let _ = umount2(dir, MntFlags::MNT_DETACH);
            umount2(&self.root.join("layer"), MntFlags::MNT_DETACH)?;
        }
        Ok(())
    }
}

/// Room that is in use in the file system at `path`.
fn used(path: &Path) -> io::Result<DiskLimit> {
    let system = statvfs(path)?;
    let bytes = (system.blocks() - system.blocks_free()) * system.fragment_size();
    Ok(DiskLimit { bytes, files: system.files() - system.files_free() })
}

impl Drop for WorkingDir {
    fn drop(&mut self) {
        match &self.stage {
            Some(stage) => {
                let _ = stage.clear(&self.dir);
                // Everything in it was mounted by this thread, so it vanishes with the thread at the latest.
                let _ = umount2(&stage.root, MntFlags::MNT_DETACH);
                let _ = fs::remove_dir(&stage.root);
            }
            None => {
                let _ = folder::sweep(&self.dir, &[]);
                let _ = self.strip();
            }
        }
        // The folder belongs to the caller, who notices anything left in it.
        let _ = fs::remove_dir(&self.dir);
    }
}
