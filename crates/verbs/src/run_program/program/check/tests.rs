//! Tests of [`super`].

use super::*;
use std::os::unix::fs::PermissionsExt;

fn dynamic(loader: &str, needed: &[&str], runtime: Runtime) -> Image {
    Image::Dynamic {
        loader: loader.to_owned(),
        needed: needed.iter().map(|&name| name.to_owned()).collect(),
        runtime,
        thread_sanitizer: false,
    }
}

#[test]
fn each_kind_of_program_has_its_answer() {
    let refused = |image| match judge("prog", image, Purpose::Record, &mut Vec::new()) {
        Err(Failure::Unsupported(text)) => text,
        other => panic!("expected a refusal, got {other:?}"),
    };
    assert!(
        refused(Image::Static {
            runtime: Runtime::Other
        })
        .contains("statically linked")
    );
    assert!(
        refused(Image::Static {
            runtime: Runtime::Go
        })
        .contains("Go program")
    );
    assert!(refused(Image::Foreign("32-bit".to_owned())).contains("32-bit"));
    assert!(refused(dynamic("/lib/ld-musl-x86_64.so.1", &[], Runtime::Other)).contains("musl"));
    assert!(refused(dynamic("/lib/ld-uClibc.so.0", &[], Runtime::Other)).contains("not glibc's"));
    let glibc = "/lib64/ld-linux-x86-64.so.2";
    assert!(refused(dynamic(glibc, &["libtsan.so.2"], Runtime::Other)).contains("ThreadSanitizer"));

    assert!(refused(dynamic(glibc, &["libasan.so.8"], Runtime::Other)).contains("first library"));

    let tried = judge(
        "prog",
        Image::Static {
            runtime: Runtime::Other,
        },
        Purpose::Try,
        &mut Vec::new(),
    );
    assert!(
        tried
            .unwrap_err()
            .to_string()
            .ends_with("against glibc to try it")
    );

    let mut warnings = Vec::new();
    judge(
        "prog",
        dynamic(glibc, &["libc.so.6"], Runtime::Go),
        Purpose::Record,
        &mut warnings,
    )
    .unwrap();
    assert!(warnings[0].contains("Go"), "{warnings:?}");
}

#[test]
fn interpreter_lines_are_followed_to_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let script = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        path
    };
    check(script("fine", "#!/bin/sh\n").as_os_str(), Purpose::Record).unwrap();
    check(
        script("env", "#!/usr/bin/env sh\n").as_os_str(),
        Purpose::Record,
    )
    .unwrap();

    let usage = |path: PathBuf| match check(path.as_os_str(), Purpose::Record) {
        Err(Failure::Usage(text)) => text,
        other => panic!("expected wrong use, got {other:?}"),
    };
    assert!(usage(script("lost", "#!/nowhere/sh\n")).contains("interpreter"));
    assert!(usage(script("text", "hello\n")).contains("neither"));
    assert!(usage(script("empty", "")).contains("neither"));
    let round = folder.path().join("round");
    std::fs::write(&round, format!("#!{}\n", round.display())).unwrap();
    std::fs::set_permissions(&round, PermissionsExt::from_mode(0o755)).unwrap();
    assert!(usage(round).contains("too many interpreter lines"));
}
