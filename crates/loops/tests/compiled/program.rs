//! A compiled program, kept as the bytes of its functions.

use std::path::PathBuf;

use locktoll_loops::{Architecture, Code, Registers, decode};

/// Where the thread's stack begins.
pub const STACK: u64 = 0x7fff_f000_0000;
/// What memory on the stack holds: a pointer to here, plus the offset.
pub const POINTED: u64 = 0x6000_0000_0000;

/// What registers hold: this and more.
pub const ARGUMENTS: u64 = 0x5000_0000_0000;

/// A function or a variable.
pub struct Symbol {
    pub name: String,
    pub address: u64,
    pub size: u64,
    pub bytes: Option<Vec<u8>>,
}

/// All of one variant.
pub struct Program {
    pub variant: String,
    pub architecture: Architecture,
    pub symbols: Vec<Symbol>,
}

impl Program {
    /// Every kept variant.
    pub fn all() -> Vec<Program> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/compiled/code");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|it| it.unwrap().path())
            .collect();
        files.sort();
        files.iter().map(|it| Program::read(it)).collect()
    }

    fn read(file: &std::path::Path) -> Program {
        let variant = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let architecture = if variant.contains("aarch64") {
            Architecture::Aarch64
        } else {
            Architecture::X86_64
        };
        let text = std::fs::read_to_string(file).unwrap();
        let symbols = text.lines().map(|line| {
            let [name, address, size, bytes] = line.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{}: {line}", file.display());
            };
            let byte = |at: usize| u8::from_str_radix(&bytes[at..at + 2], 16).unwrap();
            Symbol {
                name: name.to_owned(),
                address: u64::from_str_radix(address, 16).unwrap(),
                size: size.parse().unwrap(),
                bytes: (bytes != "-").then(|| (0..bytes.len()).step_by(2).map(byte).collect()),
            }
        });
        Program {
            variant,
            architecture,
            symbols: symbols.collect(),
        }
    }

    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols.iter().find(|it| it.name == name)
    }

    /// Functions whose names begin so.
    pub fn functions<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a Symbol> {
        let is = move |it: &&Symbol| it.name.starts_with(prefix) && it.bytes.is_some();
        self.symbols.iter().filter(is)
    }

    /// The addresses of a function's instructions, each with those of the same function to which it may go next.
    pub fn instructions(&self, function: &Symbol) -> Vec<(u64, Vec<u64>)> {
        use locktoll_loops::instruction::Flow;
        let range = function.address..function.address + function.size;
        let mut at = function.address;
        let mut found = Vec::new();
        while range.contains(&at) {
            let Some(it) = decode(self.architecture, self, at) else {
                panic!("{} {}: nothing at {at:#x}", self.variant, function.name);
            };
            let next = match it.flow {
                Flow::Jump(target) => vec![target],
                Flow::Branch { target, .. } => vec![it.next(), target],
                Flow::Return(_) | Flow::Stop => vec![],
                Flow::JumpThrough(_) | Flow::JumpUnknown(_) => vec![],
                _ => vec![it.next()],
            };
            let within = next.into_iter().filter(|it| range.contains(it));
            found.push((at, within.collect()));
            at = it.next();
        }
        found
    }

    /// The instructions that can be reached from themselves: those in a loop.
    pub fn repeated(&self, function: &Symbol) -> Vec<u64> {
        let all = self.instructions(function);
        let next = |at: u64| &all.iter().find(|it| it.0 == at).unwrap().1;
        let repeats = |at: u64| {
            let mut seen = Vec::new();
            let mut stack = next(at).clone();
            while let Some(here) = stack.pop() {
                if here == at {
                    return true;
                }
                if !seen.contains(&here) {
                    seen.push(here);
                    stack.extend(next(here));
                }
            }
            false
        };
        all.iter()
            .map(|it| it.0)
            .filter(|at| repeats(*at))
            .collect()
    }

    /// Registers at a sample: each holds another value, and the stack is where it should be.
    pub fn registers(&self, ip: u64, own: bool) -> Registers {
        let mut general: [u64; 32] = std::array::from_fn(|it| ARGUMENTS + 0x1_0000 * it as u64);
        let (stack, frame) = match self.architecture {
            Architecture::X86_64 => (7, 6),
            Architecture::Aarch64 => (31, 29),
        };
        general[stack] = STACK;
        // Only unoptimised code has a frame pointer; in other code the register holds anything.
        if self.variant.ends_with("O0") || self.architecture == Architecture::Aarch64 {
            general[frame] = STACK + 0x40;
        }
        if own {
            // The registers that functions keep hold addresses of variables on the stack.
            let kept = match self.architecture {
                Architecture::X86_64 => [1, 20, 21, 22, 23],
                Architecture::Aarch64 => [19, 20, 21, 22, 23],
            };
            kept.iter().for_each(|it| general[*it] = STACK + 0x20);
        }
        Registers { general, ip }
    }
}

impl Code for Program {
    fn bytes(&self, address: u64, into: &mut [u8]) -> usize {
        for (at, byte) in into.iter_mut().enumerate() {
            let address = address + at as u64;
            let within = |it: &&Symbol| (it.address..it.address + it.size).contains(&address);
            let symbol = self.symbols.iter().find(within);
            match symbol.and_then(|it| Some(it.bytes.as_ref()?[(address - it.address) as usize])) {
                Some(known) => *byte = known,
                None => return at,
            }
        }
        into.len()
    }

    fn data(&self, address: u64) -> Option<u64> {
        if address.abs_diff(STACK) < 0x1000 {
            return Some(POINTED + 0x100 * (address + 0x1000 - STACK));
        }
        // What an argument points to is a pointer, too.
        if (ARGUMENTS..POINTED + 0x100_0000_0000).contains(&address) {
            return Some(address + 0x10_0000_0000);
        }
        let mut bytes = [0; 8];
        (self.bytes(address, &mut bytes) == 8).then(|| u64::from_le_bytes(bytes))
    }
}
