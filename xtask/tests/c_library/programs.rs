//! Programs that use the library. Each runs twice: as it is, and with restartable sequences switched off in the C library, where
//! mutexes are released in another way.

use std::path::Path;
use std::process::Command;

use super::build::{Kind, compile, prefix};
use super::run::said;

const TUNABLES: [&str; 2] = ["", "glibc.pthread.rseq=0"];

/// Runs a program that was linked against the shared library or the static one.
fn succeeds(program: &Path, words: &[&Path]) {
    for tunables in TUNABLES {
        let mut command = Command::new(program);
        command
            .args(words)
            .env("LD_LIBRARY_PATH", prefix().join("lib"))
            .env("GLIBC_TUNABLES", tunables);
        assert_eq!(said(&mut command), "done\n", "{command:?}");
    }
}

#[test]
fn a_mutex_in_c() {
    for kind in Kind::BOTH {
        succeeds(
            &compile("mutex.c", kind, &["-std=c11"], &format!("mutex-{kind:?}")),
            &[],
        );
    }
}

#[test]
fn a_mutex_in_a_program_without_shared_libraries() {
    succeeds(
        &compile(
            "mutex.c",
            Kind::Static,
            &["-std=c11", "-static"],
            "mutex-alone",
        ),
        &[],
    );
}

#[test]
fn a_condition_in_c() {
    for kind in Kind::BOTH {
        succeeds(
            &compile(
                "condition.c",
                kind,
                &["-std=c11"],
                &format!("condition-{kind:?}"),
            ),
            &[],
        );
    }
}

#[test]
fn the_header_by_itself_in_every_c() {
    for standard in ["c99", "c11", "c17", "gnu17"] {
        let flags = [
            &*format!("-std={standard}"),
            "-Wstrict-prototypes",
            "-Wconversion",
        ];
        let program = compile(
            "header_alone.c",
            Kind::Static,
            &flags,
            &format!("header-{standard}"),
        );
        assert_eq!(said(&mut Command::new(program)), "");
    }
}

#[test]
fn classes_in_every_cpp() {
    for (standard, kind) in [
        ("c++11", Kind::Shared),
        ("c++14", Kind::Static),
        ("c++17", Kind::Static),
        ("c++20", Kind::Shared),
    ] {
        let flags = [
            &*format!("-std={standard}"),
            "-Wshadow",
            "-Wconversion",
            "-Wold-style-cast",
        ];
        succeeds(
            &compile("classes.cpp", kind, &flags, &format!("classes-{standard}")),
            &[],
        );
    }
}

#[test]
fn a_plug_in_takes_the_library_with_it() {
    let host = compile("host.c", Kind::Shared, &["-Wl,--as-needed"], "host");
    let library = prefix().join("lib/liblocktoll.so.0");
    for kind in Kind::BOTH {
        let flags = ["-shared", "-fPIC"];
        let plugin = compile("plugin.c", kind, &flags, &format!("plugin-{kind:?}.so"));
        succeeds(&host, &[&plugin, &library]);
    }
}
