//! Java: monitors and java.util.concurrent, by the names that its virtual machine writes for perf.

use std::process::Command;
use std::time::Duration;

use crate::watched::{Watched, folder, has_function, profile_of, source, tool, waited_ns};

#[test]
fn a_monitor_and_a_reentrant_lock() {
    if !locktoll_needs::programs(&["javac", "java", "jcmd"]) {
        return;
    }
    let folder = folder();
    let mut compiler = Command::new("javac");
    compiler
        .arg("-d")
        .arg(folder.path())
        .arg(source("AttachJava.java"));
    if tool(&mut compiler).is_none() {
        return;
    }
    let mut java = Command::new("java");
    // Compiled once and as they are, so that the names written meanwhile are those of the whole time.
    java.args([
        "-XX:+PreserveFramePointer",
        "-XX:TieredStopAtLevel=1",
        "-XX:-Inline",
        "-cp",
    ])
    .arg(folder.path())
    .arg("AttachJava");
    let watched = Watched::start(&mut java);
    let attached = watched.attach("4s", &[]);
    std::thread::sleep(Duration::from_secs(3));
    let id = watched.id().to_string();
    let map = format!("/tmp/perf-{id}.map");
    let written = tool(Command::new("jcmd").args([&id, "Compiler.perfmap"]));
    let profile = profile_of(attached);
    drop(watched);
    let _ = std::fs::remove_file(map);
    let (Some(_), Some(profile)) = (written, profile) else {
        return;
    };
    let locks = profile["locks"].as_array().unwrap();
    for function in ["AttachJava.bookEntry", "AttachJava.archiveEntry"] {
        let found = locks
            .iter()
            .find(|it| it["used_as"] == "lock" && has_function(it, "sites", "frames", function));
        let found = found.unwrap_or_else(|| panic!("no lock for {function} in {profile:#}"));
        assert!(waited_ns(found) > 0, "{found:#}");
    }
}
