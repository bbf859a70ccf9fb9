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
        ("python", "expected homework.py; found main.py, board.py (Python); help: mv main.py homework.py"),
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
    // Students of a course, and folders that differ: nobody can tell what counts.
    class.file("cem/submission_12345/homework", 0o755).file("cem/submission_12346/homework", 0o755);
    class.file("eva/old/homework", 0o755).file("eva/new/homework", 0o755);
    let found = class.found();
    assert_eq!(class.names(), ["ada", "bob"]);
    let top = class.0.path().canonicalize().unwrap();
    assert_eq!(found.agents[0].folder, top.join("ada/HW2-resubmit/submission_10"));
    assert_eq!(found.agents[0].found, ["submission_10 is graded as the newest; not submission_2"]);
    assert_eq!(found.agents[1].folder, top.join("bob/mine/mine"));
    assert_eq!(found.agents[1].found, [""; 0]);
    assert!(found.refused.iter().all(|refused| matches!(refused.why, Trouble::TwoPrograms(_))), "{:?}", found.refused);
    assert_eq!(found.refused.len(), 2);
}

const MAIN: &str = "{ public static void main(String[] args) { new Board(); } }";

/// Finds the agent with these files in a league; in words, its folder inside the submission, and its commands.
fn found_in(league: &League, files: &[(&str, &str)]) -> Result<(String, Agent), String> {
    let top = tempfile::tempdir().unwrap();
    for (file, text) in files {
        let path = top.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.replace("MAIN", MAIN)).unwrap();
    }
    let agent = agent_at(top.path(), &Intake::new(league).unwrap()).map_err(|refused| refused.why.to_string())?;
    let folder = agent.folder.strip_prefix(top.path().canonicalize().unwrap()).unwrap();
    Ok((folder.display().to_string(), agent.clone()))
}

#[test]
fn the_program_may_lie_in_folders() {
    let league = League::named("checkers").unwrap();
    let readme = ("README.md", "");
    for (files, folder, note) in [
        (&[readme, ("src/homework.py", "")][..], "src", "src/homework.py"),
        (&[readme, ("a/b/c/homework.py", ""), ("a/b/c/moves.py", "")], "a/b/c", "a/b/c/homework.py"),
        (&[readme, ("src/homework.py", ""), ("tests/homework.py", ""), ("Test/homework.c", "")], "src", "src/"),
        (&[readme, ("src/homework.py", ""), (".old/homework.py", ""), ("__MACOSX/homework.py", "")], "src", "src/"),
        (&[("tool.py", ""), ("src/homework.py", "")], "src", "src/homework.py"),
        (&[readme, ("agent/Homework (1).py", "")], "agent", "agent/Homework (1).py"),
        (&[readme, ("agent/Homework.py", ""), ("build/homework", "")], "agent", "agent/Homework.py"),
        (&[readme, ("agent/run.sh", ""), ("docs/a.txt", "")], "agent", "agent/run.sh"),
        (&[readme, ("agent/Makefile", ""), ("agent/main.c", "")], "agent", "agent/Makefile"),
        // A program at the top counts.
        (&[("homework (1).py", ""), ("old/homework.py", "")], "", "homework (1).py was taken"),
        (&[("homework.py", ""), ("src/homework.py", "")], "", ""),
        (&[("checkers.py", ""), ("a/homework.py", ""), ("b/homework.py", "")], "", "checkers.py was taken"),
    ] {
        let (found, agent) = found_in(&league, files).unwrap_or_else(|why| panic!("{files:?}: {why}"));
        assert_eq!(found, folder, "{files:?}");
        assert!(agent.found.concat().contains(note), "{files:?}: {:?}", agent.found);
    }
    for (files, why) in [
        (
            &[readme, ("a/homework.py", ""), ("b/homework.c", "")][..],
            "a/homework.py, b/homework.c are all programs, but only one can be run; help: hand in only one",
        ),
        (&[("homework (1).py", ""), ("homework (2).py", "")], "homework (1).py, homework (2).py are all programs"),
        (
            &[readme, ("a/homework (1).py", ""), ("a/Homework.py", "")],
            "a/Homework.py, a/homework (1).py are all programs",
        ),
        (&[readme, ("a/board.go", "")], "no program, expected homework or run.sh; found a/board.go (Go)"),
        (
            &[readme, ("a/agent.py", ""), ("a/board.py", ""), ("b/Old.java", "")],
            "no program, expected homework.py or homework.java; found a/agent.py, a/board.py, b/Old.java (Java, Python)",
        ),
        (&[readme, ("test/homework.py", "")], "no program, expected homework or run.sh; found README.md"),
    ] {
        let told = found_in(&league, files).unwrap_err();
        assert!(told.starts_with(why), "{files:?}: {told}");
    }
    let many: Vec<String> = (0..9).map(|number| format!("{number}/homework.py")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|path| (path.as_str(), "")).collect();
    assert!(found_in(&league, &many).unwrap_err().contains("4/homework.py, and 4 more are all programs"));
}

#[test]
fn a_java_program_has_the_sources_that_it_names() {
    if crate::sandbox::program("javac".as_ref()).is_err() {
        return;
    }
    let [checkers, mut loa] = ["checkers", "loa"].map(|name| League::named(name).unwrap());
    let javac = "javac -encoding UTF-8 -nowarn -d .";
    let homework = "package com.usc.ai; import com.usc.util.*; class homework MAIN class Node extends Tree {}";
    let main = "package loa; import static loa.Piece.*; import ucb.util.CommandArgs; class Main MAIN";
    let board = "package loa; class Board { Piece p; /* Old */ String s = \"Old\"; }";
    let test = "package loa; import org.junit.Test; public class BoardTest { Board b; }";
    let tests = "package loa; import ucb.junit.textui; class UnitTest MAIN";
    let makefile = "PACKAGE = loa\ndefault:\n\t$(MAKE) -C $(PACKAGE) default\nclean:\n\trm -f loa/*.class\n";
    let staff = [("ReadMe", ""), ("Makefile", makefile), ("loa/Makefile", makefile), ("testing/a.in", "")];
    let package =
        [("loa/Main.java", main), ("loa/Board.java", board), ("loa/Piece.java", "package loa; enum Piece {}")];
    let old = [
        ("loa/Old.java", "package loa; class Old { int }"),
        ("loa/BoardTest.java", test),
        ("loa/UnitTest.java", tests),
    ];
    let whole = [&staff[..], &package, &old].concat();
    let under = |folder: &str, files: &[(&'static str, &'static str)]| -> Vec<(String, &'static str)> {
        files.iter().map(|(file, text)| (format!("{folder}{file}"), *text)).collect()
    };
    let below = [
        under("proj3/", &whole),
        under("", &[("README.md", ""), ("proj2/ataxx/Main.java", "package ataxx; class Main MAIN")]),
    ];
    let below = below.concat();
    let below: Vec<(&str, &str)> = below.iter().map(|(file, text)| (file.as_str(), *text)).collect();
    let flat: Vec<(&str, &str)> = [&package[..], &old, &staff[1..2]].concat();
    let flat: Vec<(&str, &str)> = flat.iter().map(|(file, text)| (file.trim_start_matches("loa/"), *text)).collect();
    let mut scripted = whole.clone();
    scripted.push(("build.sh", "javac loa/Main.java\necho 'java loa.Main' > loa.sh; mv loa.sh run.sh\n"));
    let all = "loa/Main.java loa/Board.java loa/Piece.java";
    for (league, files, folder, build, class) in [
        (
            &checkers,
            &[
                ("README.md", ""),
                ("src/com/usc/ai/homework.java", homework),
                ("src/com/usc/ai/Board.java", "package com.usc.ai; class Board {} class Tree {}"),
                ("src/com/usc/ai/Unused.java", "package com.usc.ai; class Unused { homework h; }"),
                ("src/com/usc/util/Node.java", "package com.usc.util; class Node {}"),
                ("src/test/java/Board.java", "package com.usc.ai; class Board { int }"),
            ][..],
            "src",
            format!("{javac} com/usc/ai/homework.java com/usc/ai/Board.java com/usc/util/Node.java"),
            "com.usc.ai.homework",
        ),
        (
            &checkers,
            &[
                ("homework.java", homework),
                ("board-2.java", "package com.usc.ai; public class Board { Tree t; }"),
                ("Tree.java", "package com.usc.ai; class Tree {}"),
                ("homework_old.java", "package com.usc.ai; class homework MAIN class Board {}"),
            ],
            "",
            format!("mv board-2.java Board.java, {javac} homework.java Board.java Tree.java"),
            "com.usc.ai.homework",
        ),
        (&loa.clone(), &whole, "", format!("{javac} {all}"), "loa.Main"),
        (&loa.clone(), &below, "proj3", format!("{javac} {all}"), "loa.Main"),
        (&loa.clone(), &flat, "", format!("{javac} {}", all.replace("loa/", "")), "loa.Main"),
        (&loa.clone(), &scripted, "", "sh ./build.sh".to_owned(), ""),
        (
            &loa.clone(),
            &[("loa/Game.java", "package loa; class Game MAIN"), ("loa/UnitTest.java", tests), ("a.txt", "")],
            "",
            format!("{javac} loa/Game.java"),
            "loa.Game",
        ),
    ] {
        let (found, agent) = found_in(league, files).unwrap_or_else(|why| panic!("{files:?}: {why}"));
        let commands: Vec<String> = agent.build.iter().map(ToString::to_string).collect();
        assert_eq!((found.as_str(), commands.join(", ")), (folder, build), "{files:?}");
        let last = agent.player.arguments.last().map(|class| class.to_string_lossy().into_owned());
        assert_eq!(last.unwrap_or_default(), class, "{files:?}");
    }
    let games = [("loa/A.java", "package loa; class A MAIN"), ("loa/B.java", "package loa; class B MAIN"), ("x", "")];
    assert!(found_in(&loa, &games).unwrap_err().starts_with("loa/A.java, loa/B.java are all programs"));
    let none = found_in(&loa, &[("a/Game.java", "package a; class Game MAIN"), ("b.txt", "")]).unwrap_err();
    assert_eq!(none, "no program, expected a class Main in package loa, loa.java; found a/Game.java (Java)");
    // The class path is part of the agent's hash.
    let before = found_in(&loa, &whole).unwrap().1;
    let jars = tempfile::tempdir().unwrap();
    loa.class_path = ["a:b.jar", "c.jar"].map(|name| jars.path().join(name)).to_vec();
    assert!(found_in(&loa, &whole).unwrap_err().contains("a:b.jar: No such file"));
    loa.class_path.iter().for_each(|jar| fs::write(jar, "PK").unwrap());
    let with = found_in(&loa, &whole).unwrap().1;
    let path = ".:.class-path/1.jar:.class-path/2.jar";
    assert_eq!(with.build[0].to_string(), format!("javac -cp {path} -encoding UTF-8 -nowarn -d . {all}"));
    assert_eq!(with.player.arguments, ["-cp", path, "loa.Main"]);
    fs::write(&loa.class_path[0], "PK2").unwrap();
    let changed = found_in(&loa, &whole).unwrap().1;
    assert!(with.hash != before.hash && changed.hash != with.hash);
    assert_eq!(
        found_in(&loa, &[("loa.py", "")]).unwrap().1.hash,
        found_in(&checkers, &[("loa.py", "")]).unwrap().1.hash
    );
}

#[test]
fn programs_that_need_no_compiler_are_parsed_first() {
    let league = League::named("checkers").unwrap();
    let build = |files: &[(&str, &str)]| -> Vec<String> {
        let (_, agent) = found_in(&league, files).unwrap();
        agent
            .build
            .iter()
            .map(|command| command.words.join(" ").replace(crate::intake::agent::script::PARSE, "PARSE"))
            .collect()
    };
    if crate::sandbox::program("python3".as_ref()).is_ok() {
        let command = "python3 -ESs -c PARSE homework.py";
        let board = ("board.py", "");
        assert_eq!(build(&[("homework.py", "import board\n"), board]), [format!("{command} board.py")]);
        assert_eq!(build(&[("homework.py", "try:\n  import board\nexcept: 1\n"), board]), [command]);
        assert_eq!(build(&[("Homework (1).py", "")]), ["mv Homework (1).py homework.py", command]);
    }
    if crate::sandbox::program("node".as_ref()).is_ok() {
        assert_eq!(build(&[("homework.js", "let a = 1;")]), ["node --check homework.js"]);
        assert_eq!(build(&[("homework.js", "import fs from 'fs';")]), [""; 0]);
    }
    assert_eq!(build(&[("run.sh", "exit 0\n)")]), [""; 0]);
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
