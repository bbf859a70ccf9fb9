//! Agents found, refused and passed through.

use std::os::unix::fs::{PermissionsExt, symlink};

use tempfile::TempDir;

use super::*;

struct Class(TempDir);

impl Class {
    fn new() -> Class {
        Class(tempfile::tempdir().unwrap())
    }

    fn file(&self, path: &str, mode: u32) -> &Class {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        self
    }

    fn found(&self) -> FoundAgents {
        let league = League::named("checkers").unwrap();
        agents_in(&[self.0.path().to_owned()], &Intake::new(&league).unwrap()).unwrap()
    }

    fn names(&self) -> Vec<String> {
        self.found().agents.into_iter().map(|agent| agent.name).collect()
    }

    fn hash(&self) -> String {
        self.found().agents[0].hash.clone()
    }
}

#[test]
fn an_agent_is_a_folder_with_a_program() {
    let class = Class::new();
    class.file("b/homework", 0o755).file("b/calibrate", 0o755).file("a/run.sh", 0o644).file("c/run.sh", 0o755);
    class.file("d/loa6", 0o755).file(".git/homework", 0o755).file("notes.txt", 0o644);
    let found = class.found();
    assert_eq!(class.names(), ["a", "b", "c"]);
    let top = class.0.path().canonicalize().unwrap();
    let programs = [PathBuf::from("/bin/sh"), top.join("b/homework"), top.join("c/run.sh")];
    assert_eq!(found.agents.iter().map(|agent| agent.player.program.clone()).collect::<Vec<_>>(), programs);
    assert_eq!(found.agents[0].player.arguments, [top.join("a/run.sh")]);
    assert_eq!(found.agents[1].calibrate.as_ref().map(|run| &run.program), Some(&top.join("b/calibrate")));
    assert!(matches!(found.refused[..], [Refused { why: Trouble::NoProgram(..), .. }]));
    assert_eq!(found.ignored, [class.0.path().join("notes.txt")]);
    let [loa6, checkers] = ["loa6", "checkers"].map(|name| League::named(name).unwrap());
    let intake = Intake::new(&loa6).unwrap();
    assert_eq!(agent_at(&class.0.path().join("d"), &intake).unwrap().player.program, top.join("d/loa6"));
    let alone = agent_at(&class.0.path().join("b/homework"), &Intake::new(&checkers).unwrap()).unwrap();
    assert_eq!((alone.name.as_str(), alone.folder), ("homework", alone.player.program));
}

#[test]
fn agents_that_cannot_play_are_refused_with_the_reason() {
    let class = Class::new();
    class.file("plain/homework", 0o644).file("kept/homework", 0o755);
    class.file("twice/homework", 0o755).file("Twice/homework", 0o755);
    let path = |name: &str| class.0.path().join(name);
    fs::create_dir(path("empty")).unwrap();
    fs::create_dir_all(path("folder/homework")).unwrap();
    fs::create_dir(path("out")).unwrap();
    for (name, text) in [
        ("crlf/homework", "#!/bin/sh\r\nexec ./a\r\n"),
        ("crlf2/run.sh", "exec ./a\r\n"),
        ("venv/homework", "#!/home/nobody/venv/bin/python\n"),
        ("python/main.py", ""),
        ("python/board.py", ""),
    ] {
        class.file(name, if name == "crlf2/run.sh" { 0o644 } else { 0o755 });
        fs::write(path(name), text).unwrap();
    }
    symlink("/bin/true", path("out/homework")).unwrap();
    symlink("nowhere", path("broken")).unwrap();
    symlink("kept", path("again")).unwrap();
    symlink("nowhere", path("kept/calibration.txt")).unwrap();
    assert_eq!(class.names(), ["kept"]);
    let refused: Vec<String> = class.found().refused.iter().map(ToString::to_string).collect();
    let expected = [
        ("Twice", "has the same name as"),
        ("again", "is the same as"),
        ("broken", "No such file"),
        ("crlf", ": homework has CRLF line endings, expected LF; help: sed -i 's/\\r$//' homework"),
        ("crlf2", ": run.sh has CRLF line endings"),
        ("empty", "an empty folder"),
        ("folder", "an empty folder"),
        ("out", "not a regular file in the agent's own folder"),
        ("plain", ": homework is not executable; help: chmod +x homework"),
        ("python", "expected homework.py; found main.py, board.py; help: mv main.py homework.py"),
        ("twice", "has the same name as"),
        ("venv", "names /home/nobody/venv/bin/python, which does not exist; help: `#!/usr/bin/env"),
    ];
    assert_eq!(refused.len(), expected.len(), "{refused:?}");
    for (text, (name, why)) in refused.iter().zip(expected) {
        assert!(text.starts_with(&format!("{}: ", path(name).display())) && text.contains(why), "{text}");
    }
    let loa = League::named("loa").unwrap();
    let missing = agents_in(&[path("missing")], &Intake::new(&loa).unwrap()).unwrap_err();
    assert!(missing.to_string().contains("missing"), "{missing}");
}

#[test]
fn what_only_wraps_an_agent_is_passed_through() {
    let class = Class::new();
    class.file("ada/HW2-resubmit/submission_2/homework", 0o755).file("ada/HW2-resubmit/submission_10/homework", 0o755);
    class.file("bob/mine/mine/homework", 0o755).file("bob/mine/.DS_Store", 0o644);
    // Students of a course, files beside a folder, and folders that differ: nobody can tell what counts.
    class.file("cem/submission_12345/homework", 0o755).file("cem/submission_12346/homework", 0o755);
    class.file("dan/notes.txt", 0o644).file("dan/mine/homework", 0o755);
    class.file("eva/old/homework", 0o755).file("eva/new/homework", 0o755);
    let found = class.found();
    assert_eq!(class.names(), ["ada", "bob"]);
    let top = class.0.path().canonicalize().unwrap();
    assert_eq!(found.agents[0].folder, top.join("ada/HW2-resubmit/submission_10"));
    assert_eq!(found.agents[0].found, ["submission_10 is graded as the newest; not submission_2"]);
    assert_eq!(found.agents[1].folder, top.join("bob/mine/mine"));
    assert_eq!(found.agents[1].found, [""; 0]);
    assert!(found.refused.iter().all(|refused| matches!(refused.why, Trouble::TooDeep(_))), "{:?}", found.refused);
    assert_eq!(found.refused.len(), 3);
}

#[test]
fn archives_in_archives_are_unpacked_up_to_a_limit() {
    let class = Class::new();
    let zip = |dir: &Path, from: &str| {
        let done = std::process::Command::new("tar").args(["-cf", "x.tar", from]).current_dir(dir).status();
        assert!(done.unwrap().success());
    };
    class.file("homework", 0o755);
    let top = class.0.path();
    zip(top, "homework");
    for depth in 2..=6 {
        fs::rename(top.join("x.tar"), top.join("inner.tar")).unwrap();
        zip(top, "inner.tar");
        let league = League::named("checkers").unwrap();
        let found = agent_at(&top.join("x.tar"), &Intake::new(&league).unwrap());
        match found {
            Ok(agent) => assert!(depth <= 4 && agent.name == "x", "{agent:?}"),
            Err(refused) => assert!(depth > 4 && matches!(refused.why, Trouble::Nested(4)), "{refused}"),
        }
    }
}

#[test]
fn source_comes_before_a_program_compiled_from_it() {
    let class = Class::new();
    class.file("both/homework.py", 0o644).file("folder/homework.py", 0o644).file("script/homework.py", 0o644);
    class.file("script/homework", 0o755).file("folder/homework/data", 0o644).file("missing/homework.xyz", 0o644);
    for name in ["both", "missing"] {
        let path = class.0.path().join(name).join("homework");
        fs::write(&path, b"\x7fELF").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut league = League::named("checkers").unwrap();
    let no_compiler = r#"{"file": "{name}.xyz", "build": [["no-such-compiler", "{file}"]]}"#;
    league.submissions.push(serde_json::from_str(no_compiler).unwrap());
    let intake = Intake::new(&league).unwrap();
    let found = |name: &str| agent_at(&class.0.path().join(name), &intake).unwrap();
    for (name, program, notes) in [
        ("both", "python3", vec!["homework was passed over: its source is there"]),
        ("folder", "python3", vec![]),
        ("script", "homework", vec![]),
        (
            "missing",
            "homework",
            vec!["homework was run as handed in: this machine lacks no-such-compiler, which homework.xyz needs"],
        ),
    ] {
        let agent = found(name);
        let run = agent.player.program.file_name().unwrap_or_default().to_string_lossy();
        assert!(run.starts_with(program), "{agent:?}");
        assert_eq!(agent.found, notes, "{name}");
    }
}

#[test]
fn the_hash_changes_with_every_change_of_the_files() {
    let class = Class::new();
    class.file("a/homework", 0o755);
    let path = |name: &str| class.0.path().join("a").join(name);
    let mut seen = vec![class.hash()];
    assert_eq!(class.hash(), seen[0]);
    let mut changed = |what: &str| {
        let hash = class.hash();
        assert!(!seen.contains(&hash), "{what}");
        seen.push(hash);
    };
    fs::write(path("homework"), "#!/bin/sh\n#").unwrap();
    changed("contents");
    fs::set_permissions(path("homework"), fs::Permissions::from_mode(0o700)).unwrap();
    changed("mode");
    fs::create_dir(path("data")).unwrap();
    changed("an empty folder");
    fs::write(path("data/x"), "").unwrap();
    changed("an empty file");
    fs::rename(path("data/x"), path("data/y")).unwrap();
    changed("a name");
    symlink("y", path("data/x")).unwrap();
    changed("a link");
    fs::remove_file(path("data/x")).unwrap();
    symlink("z", path("data/x")).unwrap();
    changed("where a link leads");
}
