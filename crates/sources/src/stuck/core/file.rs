//! A core file as a whole.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object::elf;
use object::elf::FileHeader64;
use object::endian::LittleEndian;
use object::read::elf::{FileHeader, ProgramHeader};

use super::super::registers::Registers;
use super::memory::{CoreMemory, Stretch};
use super::notes::{MappedAt, Notes};
use crate::bounded::Bounded;
use crate::elf::build_id;
use crate::futexes::Processor;
use crate::mapped::Mapping;
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::quantity::counted;
use locktoll_terminal::system::files::open_regular;

/// The most bytes of headers and notes that are read.
const MOST_OF_NOTES: u64 = 1 << 30;

/// A core file.
pub struct CoreFile {
    /// The process id.
    pub pid: Option<u32>,
    /// The short name.
    pub name: String,
    /// The command, as far as the kernel keeps it.
    pub command: Vec<String>,
    /// The processor for which it was built.
    pub processor: Processor,
    /// The threads.
    pub threads: Vec<CoreThread>,
    /// The memory.
    pub memory: CoreMemory,
    /// The mappings, each with its file if that is here and the same.
    pub mappings: Vec<(Mapping, Option<Arc<File>>)>,
    /// What is missing.
    pub missing: Vec<String>,
}

/// A thread.
#[derive(Clone, Copy, Debug)]
pub struct CoreThread {
    /// Its id, as the process had it.
    pub tid: u32,
    /// Its registers.
    pub registers: Registers,
}

impl CoreFile {
    /// Reads the headers and notes of the file at `path`, and opens the files that the process had mapped.
    ///
    /// # Errors
    /// [`Failure::Usage`] if it is not a core file, [`Failure::Unsupported`] if it is of another architecture.
    pub fn at(path: &Path) -> Result<Self, Failure> {
        let name = shown(path.as_os_str());
        let core = open_regular(path)
            .map_err(|error| Failure::Usage(format!("{name} cannot be read: {error}")))?;
        let parsed = Parsed::read(&core, &name)?;
        let mut missing = parsed.missing;
        let notes = parsed.notes;
        let length = core.metadata().map_or(0, |found| found.len());
        let cut = parsed.stretches.iter().filter(|it| {
            it.offset
                .checked_add(it.bytes)
                .is_none_or(|end| end > length)
        });
        if cut.count() > 0 {
            missing.push(format!(
                "{name} is truncated: part of the memory is not in it"
            ));
        }
        let memory = CoreMemory::new(core, parsed.stretches, Vec::new());
        let files = Files::find(&notes.files, &memory, &mut missing);
        let flags = with_left_out(parsed.flags, &notes.files);
        let mappings = mappings(&flags, &notes.files, &files);
        let memory = memory.with_files(read_only(&mappings));
        let (pid, name) = match notes.process {
            Some((pid, name)) => (Some(pid), name),
            None => (None, String::new()),
        };
        let threads = notes.threads.into_iter();
        Ok(Self {
            processor: parsed.processor,
            pid,
            name,
            command: notes.arguments.split(' ').map(str::to_owned).collect(),
            threads: threads
                .map(|(tid, registers)| CoreThread { tid, registers })
                .collect(),
            memory,
            mappings,
            missing,
        })
    }
}

/// What the headers say.
struct Parsed {
    processor: Processor,
    notes: Notes,
    stretches: Vec<Stretch>,
    /// All memory: start, end, whether it was executable and writable.
    flags: Vec<(u64, u64, bool, bool)>,
    missing: Vec<String>,
}

impl Parsed {
    fn read(core: &File, name: &str) -> Result<Self, Failure> {
        let no_core = || {
            Failure::Usage(format!(
                "{name} is not a core file; accepted: a core file of Linux (core(5)), as `gcore PID` or `coredumpctl dump` writes it"
            ))
        };
        let data = &Bounded::new(core, MOST_OF_NOTES);
        let endian = LittleEndian;
        let header = FileHeader64::<LittleEndian>::parse(data).map_err(|_| no_core())?;
        if header.e_type(endian) != elf::ET_CORE {
            return Err(no_core());
        }
        let machine = header.e_machine(endian);
        let is_arm = machine == elf::EM_AARCH64;
        if !is_arm && machine != elf::EM_X86_64 {
            return Err(Failure::Unsupported(format!(
                "{name} is a core file of another architecture (ELF machine {}); accepted: x86-64 and aarch64",
                machine.0
            )));
        }
        if !is_arm && Processor::OWN == Processor::Arm {
            return Err(Failure::Unsupported(format!(
                "{name} is a core file of an x86-64 process; run locktoll on x86-64 to read it: on aarch64, only cores of aarch64 are \
                 read"
            )));
        }
        let mut parsed = Self {
            processor: match is_arm {
                true => Processor::Arm,
                false => Processor::X86,
            },
            notes: Notes::default(),
            stretches: Vec::new(),
            flags: Vec::new(),
            missing: Vec::new(),
        };
        for segment in header
            .program_headers(endian, data)
            .map_err(|_| no_core())?
        {
            if let Ok(Some(mut notes)) = segment.notes(endian, data) {
                parsed.notes.add(&mut notes, is_arm);
            }
            if segment.p_type(endian) == elf::PT_LOAD {
                let start = segment.p_vaddr(endian);
                let flags = segment.p_flags(endian).0;
                let end = start.saturating_add(segment.p_memsz(endian));
                let is_set = |flag: u32| flags & flag != 0;
                parsed
                    .flags
                    .push((start, end, is_set(elf::PF_X.0), is_set(elf::PF_W.0)));
                parsed.stretches.push(Stretch {
                    start,
                    bytes: segment.p_filesz(endian),
                    offset: segment.p_offset(endian),
                });
            }
        }
        if parsed.notes.threads.is_empty() {
            return Err(Failure::Usage(format!(
                "{name} is a core file without threads: it is truncated, or its notes are damaged; write it again, with enough disk \
                 space for all of it"
            )));
        }
        if parsed.notes.files.is_empty() {
            parsed.missing.push(format!(
                "{name} does not list the mapped files (NT_FILE), so functions and variables have no names"
            ));
        }
        Ok(parsed)
    }
}

/// The mapped files that are here, by path.
struct Files(BTreeMap<String, Arc<File>>);

impl Files {
    /// Opens the files that the process had mapped, and says which are not the same.
    fn find(mapped: &[MappedAt], memory: &CoreMemory, missing: &mut Vec<String>) -> Self {
        let mut found = BTreeMap::new();
        let mut seen = std::collections::BTreeSet::new();
        for at in mapped.iter().filter(|it| it.path.starts_with('/')) {
            if !seen.insert(&at.path) {
                continue;
            }
            let path = shown(at.path.as_ref());
            let Some(file) = open_regular(Path::new(&at.path)).ok() else {
                // Data files, such as caches of a desktop, are no loss.
                if is_code(mapped, &at.path, memory) {
                    missing.push(format!(
                        "{path} was not found: its functions and variables have no names, and stacks through it may end early"
                    ));
                }
                continue;
            };
            let then = header_build_id(memory, mapped, &at.path);
            let now = build_id(&file);
            if then
                .as_ref()
                .is_some_and(|then| !then.is_empty() && *then != now)
            {
                missing.push(format!(
                    "{path} is another version than the one that the process ran (its build id differs): its functions and variables \
                     have no names, and stacks through it may end early"
                ));
                continue;
            }
            found.insert(at.path.clone(), Arc::new(file));
        }
        Self(found)
    }
}

/// Whether the first bytes of a file in memory are those of an ELF file.
fn is_code(mapped: &[MappedAt], path: &str, memory: &CoreMemory) -> bool {
    let first = mapped.iter().find(|it| it.path == path && it.offset == 0);
    let mut magic = [0; 4];
    first.is_none_or(|at| memory.read(at.start, &mut magic) && magic == elf::ELFMAG)
}

/// The number of bytes at the beginning of an ELF file in which its build id lies.
const HEADER_BYTES: usize = 4096;

/// Returns the build id of a file as it was in memory; `None` if its first page was not written to the core file.
fn header_build_id(memory: &CoreMemory, mapped: &[MappedAt], path: &str) -> Option<Vec<u8>> {
    let at = mapped.iter().find(|it| it.path == path && it.offset == 0)?;
    let mut bytes = vec![0; HEADER_BYTES];
    if !memory.read(at.start, &mut bytes) {
        return None;
    }
    let endian = LittleEndian;
    let data = &bytes[..];
    let header = FileHeader64::<LittleEndian>::parse(data).ok()?;
    let segments = header.program_headers(endian, data).ok()?;
    for segment in segments {
        let Ok(Some(mut notes)) = segment.notes(endian, data) else {
            continue;
        };
        while let Ok(Some(note)) = notes.next() {
            if note.name() == elf::ELF_NOTE_GNU && note.n_type(endian) == elf::NT_GNU_BUILD_ID {
                return Some(note.desc().to_vec());
            }
        }
    }
    None
}

/// Adds the mapped files that the core file does not have as memory: debuggers leave out what is as in its file, which is code.
fn with_left_out(
    mut flags: Vec<(u64, u64, bool, bool)>,
    mapped: &[MappedAt],
) -> Vec<(u64, u64, bool, bool)> {
    let known: Vec<(u64, u64)> = flags.iter().map(|it| (it.0, it.1)).collect();
    let is_there = |at: &MappedAt| {
        let mut known = known.iter();
        known.any(|&(start, end)| (start..end).contains(&at.start))
    };
    let left_out = mapped.iter().filter(|at| !is_there(at));
    flags.extend(left_out.map(|at| (at.start, at.end, true, false)));
    flags
}

/// Returns all mappings, in the order of addresses.
fn mappings(
    flags: &[(u64, u64, bool, bool)],
    mapped: &[MappedAt],
    files: &Files,
) -> Vec<(Mapping, Option<Arc<File>>)> {
    let mut all: Vec<_> = flags
        .iter()
        .map(|&(start, end, executable, writable)| {
            let at = mapped.iter().find(|it| (it.start..it.end).contains(&start));
            let offset = at.map_or(0, |at| at.offset + (start - at.start));
            let path = at.map_or_else(PathBuf::new, |at| PathBuf::from(&at.path));
            // Any number that is the same for all mappings of a file will do: it only distinguishes files.
            let number = at.map(|at| mapped.iter().position(|it| it.path == at.path).unwrap_or(0));
            let mapping = Mapping {
                start,
                end,
                executable,
                shared: !writable,
                offset,
                device: "core".to_owned(),
                inode: number.map_or(0, |number| number as u64 + 1),
                path,
                deleted: false,
            };
            let file = at.and_then(|at| files.0.get(&at.path)).cloned();
            (mapping, file)
        })
        .collect();
    all.sort_by_key(|(mapping, _)| mapping.start);
    all
}

/// Returns the memory that is as in its file: what cannot be written.
fn read_only(mappings: &[(Mapping, Option<Arc<File>>)]) -> Vec<(Stretch, Arc<File>)> {
    let unchanged = mappings.iter().filter(|(mapping, _)| mapping.shared);
    unchanged
        .filter_map(|(mapping, file)| {
            let stretch = Stretch {
                start: mapping.start,
                bytes: mapping.end - mapping.start,
                offset: mapping.offset,
            };
            Some((stretch, Arc::clone(file.as_ref()?)))
        })
        .collect()
}

/// Describes what the file has, for messages.
impl std::fmt::Debug for CoreFile {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let threads = counted(self.threads.len() as u64, "thread", "threads");
        write!(formatter, "core of {} with {threads}", self.name)
    }
}
