//! The commands of the pages that are not run to their end, or not at all. Entries that no page needs any more fail a
//! test.

/// A command that takes minutes. It runs for a few seconds, must not have failed by then, and is then stopped.
pub(crate) struct Long {
    /// How it begins, without `target/release/`; of several that fit the first one counts.
    pub(crate) prefix: &'static str,
    /// What later commands find in place of its results: a path there, and a file of the repository.
    pub(crate) leaves: &'static [(&'static str, &'static str)],
}

/// A command that cannot be run in a test.
pub(crate) struct NotRun {
    pub(crate) prefix: &'static str,
    pub(crate) why: &'static str,
    /// The command that is run in place of it, for those that come after.
    pub(crate) instead: &'static str,
}

/// Both tables.
pub(crate) struct Exceptions {
    pub(crate) long: &'static [Long],
    pub(crate) not_run: &'static [NotRun],
}

impl Exceptions {
    pub(crate) fn long(&self, command: &str) -> Option<&'static Long> {
        self.long.iter().find(|entry| command.starts_with(entry.prefix))
    }

    pub(crate) fn not_run(&self, command: &str) -> Option<&'static NotRun> {
        self.not_run.iter().find(|entry| command.starts_with(entry.prefix))
    }

    /// The beginnings of commands of both tables.
    pub(crate) fn prefixes(&self) -> impl Iterator<Item = &'static str> {
        self.long.iter().map(|entry| entry.prefix).chain(self.not_run.iter().map(|entry| entry.prefix))
    }
}

/// Those of the pages.
pub(crate) const EXCEPTIONS: Exceptions = Exceptions {
    long: &[
        Long {
            prefix: "calibrate round",
            leaves: &[("small/learned.weights", "src/evaluate/checkers/embedded.weights")],
        },
        Long { prefix: "calibrate selfplay", leaves: &[] },
        Long { prefix: "calibrate match", leaves: &[] },
        Long { prefix: "calibrate solve", leaves: &[("whole", "src/knowledge/solved/loa6.strategy")] },
        Long { prefix: "calibrate tables --pieces 6", leaves: &[] },
        Long { prefix: "calibrate tables --pieces 5", leaves: &[] },
        Long { prefix: "master grade samples/class --course", leaves: &[] },
    ],
    not_run: &[
        NotRun {
            prefix: "samples/slurm/submit.sh",
            why: "it needs Slurm: tests/tournament/slurm.rs runs it",
            instead: "test -x samples/slurm/submit.sh",
        },
        NotRun {
            prefix: "sbatch",
            why: "it needs Slurm: tests/offline/slurm.rs runs it",
            instead: "test -d logs && calibrate selfplay checkers --folder games --games 20 --nodes 100 --seed 1",
        },
        NotRun {
            prefix: "seq 8 | parallel",
            why: "it needs GNU parallel",
            instead: "for shard in 1 2 3 4 5 6 7 8; do master tournament play agents.plan agents --shard $shard/8; done",
        },
        NotRun { prefix: "hq", why: "it needs HyperQueue, and does the same once more", instead: "true" },
    ],
};
