//! Libraries with false headers, symbol tables and debug information.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use object::elf::{FileHeader64, SectionHeader64};
use object::read::elf::FileHeader;
use object::{LittleEndian as LE, pod};

use crate::bench::Bench;
use crate::library::{built, debug_information, waiting_in};
use crate::target::{attach, attached, functions, run, shared};

/// Less than any of these libraries would have us take.
const MOST_KIB: u64 = 400 << 10;

/// Changes the header of one section in place.
fn changed(library: &Path, name: &str, change: impl FnOnce(&mut SectionHeader64<LE>)) {
    let bytes = std::fs::read(library).unwrap();
    let header = FileHeader64::<LE>::parse(&bytes[..]).unwrap();
    let sections = header.sections(LE, &bytes[..]).unwrap();
    let (index, section) = sections.section_by_name(LE, name.as_bytes()).unwrap();
    let mut section = *section;
    change(&mut section);
    let at = header.e_shoff.get(LE) + (index.0 * size_of::<SectionHeader64<LE>>()) as u64;
    let file = OpenOptions::new().write(true).open(library).unwrap();
    file.write_all_at(pod::bytes_of(&section), at).unwrap();
}

/// Watches a process that waits in the library; whether the library's function has its name.
fn watched(bench: &Bench, library: &Path) -> Option<bool> {
    std::fs::set_permissions(library, PermissionsExt::from_mode(0o666)).unwrap();
    let target = waiting_in(bench, library);
    let (ended, profile) = attached(attach(bench, target.id(), "500ms"))?;
    assert!(ended.memory_kib < MOST_KIB, "{} KiB", ended.memory_kib);
    Some(functions(&profile).contains(&"stub".to_owned()))
}

#[test]
fn tables_larger_than_memory_are_not_read() {
    let bench = Bench::new();
    let folder = shared(&bench, "shared");
    for (name, section) in [("symbols", ".symtab"), ("frames", ".eh_frame")] {
        let library = folder.join(name);
        built(
            &library,
            ".cfi_sections .eh_frame\n.text\n.cfi_startproc\nret\n.cfi_endproc\n",
        );
        let end = std::fs::metadata(&library)
            .unwrap()
            .len()
            .next_multiple_of(4096);
        let most = 24 << 28;
        changed(&library, section, |header| {
            header.sh_offset.set(LE, end);
            header.sh_size.set(LE, most);
        });
        // A file of six gigabytes that takes no room.
        let file = OpenOptions::new().write(true).open(&library).unwrap();
        file.set_len(end + most).unwrap();
        let _ = watched(&bench, &library);
    }
}

#[test]
fn more_sections_than_there_can_be_are_not_looked_through() {
    let bench = Bench::new();
    let library = shared(&bench, "shared").join("sections");
    built(&library, "");
    let file = OpenOptions::new().write(true).open(&library).unwrap();
    // Their number is in the first section's header, which says a billion of them.
    let bytes = std::fs::read(&library).unwrap();
    let mut header = *FileHeader64::<LE>::parse(&bytes[..]).unwrap();
    let at = header.e_shoff.get(LE);
    header.e_shnum.set(LE, 0);
    file.write_all_at(pod::bytes_of(&header), 0).unwrap();
    file.write_all_at(&(1_u64 << 30).to_le_bytes(), at + 32)
        .unwrap();
    file.set_len(1 << 37).unwrap();
    let _ = watched(&bench, &library);
}

#[test]
fn what_a_small_section_inflates_to_is_bounded() {
    let bench = Bench::new();
    let library = shared(&bench, "shared").join("bomb");
    let mut inflating = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    inflating.write_all(&vec![0; 1 << 20]).unwrap();
    inflating.flush().unwrap();
    // The same again and again: two gigabytes, and no end.
    const HEAD: usize = 2;
    let once = inflating.get_ref();
    let mut small = once[..HEAD].to_vec();
    for _ in 0..2048 {
        small.extend(&once[HEAD..]);
    }
    // A header that says sixty-four bytes: ELFCOMPRESS_ZLIB, padding, size, alignment.
    let mut contents = vec![1, 0, 0, 0, 0, 0, 0, 0];
    contents.extend(64_u64.to_le_bytes());
    contents.extend(1_u64.to_le_bytes());
    contents.extend(&small);
    let blob = bench.path("blob");
    std::fs::write(&blob, contents).unwrap();
    let include = format!(
        ".section .debug_info,\"\",@progbits\n.incbin \"{0}\"\n.section .debug_abbrev,\"\",@progbits\n.byte 0\n",
        blob.display()
    );
    built(&library, &include);
    changed(&library, ".debug_info", |header| {
        header.sh_flags.set(LE, object::elf::SHF_COMPRESSED);
    });
    if let Some(is_named) = watched(&bench, &library) {
        assert!(is_named, "its symbol table is as good as any");
    }
}

#[test]
fn entries_nested_a_million_deep_overflow_no_stack_of_ours() {
    let bench = Bench::new();
    let library = shared(&bench, "shared").join("nested");
    built(
        &library,
        &debug_information(".rept 3000000\n .byte 3\n .endr"),
    );
    if let Some(is_named) = watched(&bench, &library) {
        assert!(is_named, "its symbol table is as good as any");
    }
}

#[test]
fn lines_of_another_users_library_are_found_as_before() {
    let bench = Bench::new();
    let library = shared(&bench, "shared").join("lines");
    let source = bench.path("lines.c");
    std::fs::write(
        &source,
        "void stub(int (*call)(void *), void *with)\n{\n    call(with);\n    __asm__ volatile(\"\");\n}\n",
    )
    .unwrap();
    let mut compiler = Command::new("cc");
    compiler.args([
        "-g",
        "-O1",
        "-fno-omit-frame-pointer",
        "-shared",
        "-fPIC",
        "-o",
    ]);
    assert!(
        compiler
            .arg(&library)
            .arg(&source)
            .status()
            .unwrap()
            .success()
    );
    let target = waiting_in(&bench, &library);
    let Some((_, profile)) = attached(attach(&bench, target.id(), "500ms")) else {
        return;
    };
    let text = profile.to_string();
    assert!(text.contains("lines.c"), "{profile:#}");
}

#[test]
fn a_link_to_further_debug_information_opens_no_pipe() {
    let bench = Bench::new();
    let folder = shared(&bench, "shared");
    let pipe = folder.join("pipe");
    let mode = rustix::fs::Mode::from_raw_mode(0o644);
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, fifo, mode, 0).unwrap();
    // What dwz(1) writes: a path, and the build id of what is there.
    let link = format!(
        "{}.section .gnu_debugaltlink,\"\",@progbits\n.asciz \"{}\"\n.rept 20\n.byte 7\n.endr\n",
        debug_information(".byte 0,0"),
        pipe.display()
    );
    let program = bench.c("calls_library", &["-ldl"]);
    let library = folder.join("library.so");
    built(&library, &link);
    let mut record = bench.locktoll();
    record.args(["record", "--quiet", "-o", "out.locktoll", "--"]);
    let ended = run(record.arg(&program).arg(&library), &bench.path("recorded"));
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    let mut report = bench.locktoll();
    let ended = run(
        report.args(["report", "--sites", "out.locktoll"]),
        &bench.path("said"),
    );
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    assert!(crate::target::read(&bench.path("said")).contains("stub"));
}
