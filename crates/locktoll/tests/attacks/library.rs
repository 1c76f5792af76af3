//! A library whose one function makes the call that waits, in the form that a test chooses.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bench::Bench;
use crate::target::Target;

const STUB: &str = "
.text
.file 1 \"stub.c\"
.globl stub
.type stub,@function
stub:
 .loc 1 7
 push %rbp
 mov %rsp,%rbp
 mov %rdi,%rax
 mov %rsi,%rdi
 call *%rax
 pop %rbp
 ret
stub_end:
.size stub, .-stub
.section .note.GNU-stack,\"\",@progbits
";

/// The library with what else `assembly` says, at `path`.
pub fn built(path: &Path, assembly: &str) {
    let source = path.with_extension("s");
    std::fs::write(&source, format!("{STUB}\n{assembly}")).unwrap();
    let mut linker = Command::new("cc");
    linker.args(["-shared", "-nostdlib", "-o"]);
    let out = linker.arg(path).arg(&source).output().unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    std::fs::remove_file(source).unwrap();
}

/// As many functions more, with long names.
pub fn functions(count: usize) -> String {
    let mut assembly = ".text\n".to_owned();
    for at in 0..count {
        let name = format!("a_function_with_a_long_name_{at}");
        writeln!(
            assembly,
            ".globl {name}\n.type {name},@function\n{name}: ret\n.size {name},1"
        )
        .unwrap();
    }
    assembly
}

/// Debug information of one unit for the whole of `stub`, with these entries within its function. Abbreviations: 3 is an inlined function
/// without attributes that has children, 4 one with a range list at an offset.
pub fn debug_information(entries: &str) -> String {
    format!(
        "
.section .debug_abbrev,\"\",@progbits
 .byte 1,0x11,1, 0x11,1, 0x12,7, 0x10,0x17, 0,0
 .byte 2,0x2e,1, 0x11,1, 0x12,7, 3,8, 0,0
 .byte 3,0x1d,1, 0,0
 .byte 4,0x1d,0, 0x55,0x17, 0,0
 .byte 0
.section .debug_info,\"\",@progbits
 .4byte unit_end-unit_begin
unit_begin:
 .2byte 4
 .4byte 0
 .byte 8
 .byte 1
 .8byte stub
 .8byte stub_end-stub
 .4byte 0
 .byte 2
 .8byte stub
 .8byte stub_end-stub
 .asciz \"stub\"
 {entries}
unit_end:
"
    )
}

/// A process that waits in the library.
pub fn waiting_in(bench: &Bench, library: &Path) -> Target {
    Target::ready(Command::new(program(bench)).arg(library))
}

/// The program that waits.
pub fn program(bench: &Bench) -> PathBuf {
    bench.c("waits_in_library", &[])
}
