//! The program's own names for what the recording has addresses of.

use std::path::Path;
use std::process::Command;

use locktoll_recording::reader::Part;

/// Symbols of a program, by address.
pub struct Names {
    program: String,
    symbols: Vec<(u64, String)>,
}

impl Names {
    /// Of a program that is not stripped.
    pub fn of(program: &Path) -> Self {
        let output = Command::new("nm")
            .args(["--defined-only", "--numeric-sort"])
            .arg(program)
            .output()
            .expect("nm comes with the compiler");
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).expect("names are text");
        let symbol = |line: &str| {
            let mut words = line.split_whitespace();
            let address = u64::from_str_radix(words.next()?, 16).ok()?;
            Some((address, words.nth(1)?.to_owned()))
        };
        Self {
            program: program.file_name().unwrap().to_str().unwrap().to_owned(),
            symbols: text.lines().filter_map(symbol).collect(),
        }
    }

    /// The symbol that an address of the process belongs to; `None` outside the program's file.
    pub fn symbol(&self, part: &Part, address: u64) -> Option<&str> {
        let (module, address) = part.elf_address(address)?;
        if !module.path.ends_with(&self.program) {
            return None;
        }
        let after = self.symbols.partition_point(|&(start, _)| start <= address);
        Some(&self.symbols[..after].last()?.1)
    }

    /// The function that a call site lies in.
    pub fn function(&self, part: &Part, site: Option<usize>) -> Option<&str> {
        // The byte before: the address is that of the instruction after the call, which may be another function's first.
        self.symbol(part, part.sites[site?].address - 1)
    }
}
