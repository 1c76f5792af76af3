//! Programs that use the library. Each runs twice: as it is, and with restartable sequences switched off in the C library, where
//! mutexes are released in another way.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::build::{Kind, compile, cpp_compiler, prefix};
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
    if !locktoll_needs::programs(&["pkg-config"]) {
        return;
    }
    for kind in Kind::BOTH {
        succeeds(
            &compile("mutex.c", kind, &["-std=c11"], &format!("mutex-{kind:?}")),
            &[],
        );
    }
}

#[test]
fn a_mutex_in_a_program_without_shared_libraries() {
    if !locktoll_needs::programs(&["pkg-config"]) {
        return;
    }
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
    if !locktoll_needs::programs(&["pkg-config"]) {
        return;
    }
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
    if !locktoll_needs::programs(&["pkg-config"]) {
        return;
    }
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
    if !locktoll_needs::programs(&["pkg-config", &cpp_compiler()]) {
        return;
    }
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
    if !locktoll_needs::programs(&["pkg-config"]) {
        return;
    }
    let host = compile("host.c", Kind::Shared, &["-Wl,--as-needed"], "host");
    let library = prefix().join("lib/liblocktoll.so.0");
    for kind in Kind::BOTH {
        let flags = ["-shared", "-fPIC"];
        let plugin = compile("plugin.c", kind, &flags, &format!("plugin-{kind:?}.so"));
        succeeds(&host, &[&plugin, &library]);
    }
}

/// The headers tell the sanitizer what it cannot see: it finds no race, and would where a mutex did not count.
#[test]
fn classes_under_the_thread_sanitizer() {
    if !locktoll_needs::programs(&["pkg-config", &cpp_compiler()]) {
        return;
    }
    let flags = ["-std=c++17", "-fsanitize=thread", "-g"];
    let program = compile("classes.cpp", Kind::Static, &flags, "classes-sanitized");
    // Where addresses are more random than usual, the sanitizer may not find the places that it needs.
    let random = fs::read_to_string("/proc/sys/vm/mmap_rnd_bits").unwrap_or_default();
    let mut command = if random.trim().parse().is_ok_and(|bits: u32| bits > 28) {
        let mut command = Command::new("setarch");
        command.arg("--addr-no-randomize").arg(program);
        command
    } else {
        Command::new(program)
    };
    assert_eq!(said(&mut command), "done\n");
}
