//! How much may be in an archive?

use serde::{Deserialize, Serialize};

/// How much may be in an archive. What is left out counts too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArchiveLimits {
    /// Bytes of all its files together, unpacked; nor is the archive itself much larger.
    pub bytes: u64,
    /// Files and folders, all together.
    pub entries: u64,
    /// Folders in one another, the outermost included.
    pub depth: usize,
    /// Bytes of the name of a file or folder.
    pub name: usize,
    /// Bytes of a path in the archive.
    pub path: usize,
}

impl Default for ArchiveLimits {
    /// Far more than a submission needs.
    fn default() -> ArchiveLimits {
        ArchiveLimits { bytes: 256 << 20, entries: 4096, depth: 16, name: 255, path: 1024 }
    }
}

impl ArchiveLimits {
    /// Bytes of an archive without compression, with what it has beside its files.
    pub(super) fn of_stream(&self) -> u64 {
        self.bytes.saturating_add(self.of_directory())
    }

    /// Bytes of what an archive has beside its files, all together.
    pub(super) fn of_directory(&self) -> u64 {
        /// Headers, a long name, other metadata and padding.
        const PER_ENTRY: u64 = 4096;
        /// Comments, and the padding at the end.
        const ONCE: u64 = 1 << 20;
        self.entries.saturating_mul(PER_ENTRY).saturating_add(ONCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_may_name_some_limits() {
        let limits: ArchiveLimits = serde_json::from_str(r#"{"bytes": 1024, "depth": 2}"#).unwrap();
        assert_eq!(limits, ArchiveLimits { bytes: 1024, depth: 2, ..ArchiveLimits::default() });
        assert!(serde_json::from_str::<ArchiveLimits>(r#"{"byte": 1}"#).unwrap_err().to_string().contains("byte"));
        assert_eq!(ArchiveLimits { bytes: u64::MAX, entries: u64::MAX, ..limits }.of_stream(), u64::MAX);
    }
}
