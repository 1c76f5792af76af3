//! Names from the files that were mapped.

use std::fs::File;
use std::time::SystemTime;

use locktoll_recording::layout::{ModuleRecord, NO_OWNER, RangeRecord, SiteRecord};
use locktoll_recording::reader::{Module, Part, Recording, append_part_with};
use locktoll_recording::writer::store_bytes;

use super::builder::{Builder, Event, store};
use crate::elf::build_id;
use crate::recording::embed::Embedder;
use crate::recording::join;
use crate::recording::symbols::Symbols;

/// Locks of this test program.
static LOCKS_OF_A_TEST: [u64; 16] = [7; 16];

/// Returns a part of this test program, in which the third of these locks was taken.
fn of_this_program() -> Vec<u8> {
    let path = std::env::current_exe().unwrap().canonicalize().unwrap();
    let path = path.to_str().unwrap();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let mut ends = maps
        .lines()
        .filter(|line| line.ends_with(path))
        .map(|line| {
            let (start, rest) = line.split_once('-').unwrap();
            let end = rest.split(' ').next().unwrap();
            [start, end].map(|number| u64::from_str_radix(number, 16).unwrap())
        });
    let [base, _] = ends.next().unwrap();
    let [_, end] = ends.next_back().unwrap();
    let mut part = Builder::new(1, b"./test\0");
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    store!(
        part.header(),
        start_realtime_ns = now.unwrap().as_nanos() as u64
    );
    let tail_bytes = path.len().next_multiple_of(8);
    let mut modules = part.segment::<ModuleRecord>(NO_OWNER, 1, tail_bytes);
    let id = build_id(&File::open(path).unwrap());
    modules.append_with_tail(|module, tail| {
        store!(module, id = 1, path_bytes = path.len() as u32, bias = base);
        store!(module, bias_known = 1, build_id_bytes = id.len() as u8);
        store_bytes(&module.build_id, &id);
        store_bytes(tail, path.as_bytes());
    });
    part.one(NO_OWNER, |range: &RangeRecord| {
        store!(range, start = base, end = end, module = 1);
    });
    part.event(&Event {
        slot: 1,
        lock: (&raw const LOCKS_OF_A_TEST[2]).addr() as u64,
        site: 0,
        acquisitions: 1,
        waits: vec![],
    });
    part.bytes()
}

fn read(bytes: &[u8]) -> Part {
    let recording = Recording::from_bytes(bytes).unwrap();
    recording.parts.into_iter().next().unwrap()
}

#[test]
fn a_lock_in_a_variable_of_a_file_is_named_by_it() {
    let bytes = of_this_program();
    let name_in = |bytes: &[u8]| {
        let profile = join::profile(&Recording::from_bytes(bytes).unwrap());
        assert_eq!(profile.locks.len(), 1);
        profile.locks[0].name.clone()
    };
    let name = name_in(&bytes);
    assert!(name.ends_with("LOCKS_OF_A_TEST+0x10"), "{name}");
    // The same from the recording alone.
    let names = Embedder::default().names(&read(&bytes));
    let mut named = Vec::new();
    append_part_with(&mut named, &bytes[..], &names).unwrap();
    let [variable] = &read(&named).variables[..] else {
        panic!("one lock was taken");
    };
    let address = LOCKS_OF_A_TEST.as_ptr().addr() as u64;
    assert_eq!((variable.address, variable.bytes), (address, 128));
    assert_eq!(name_in(&named), name);
}

/// Returns a part that has mapped a file since `start_realtime_ns`, which has no build id.
fn that_mapped(path: &str, start_realtime_ns: u64) -> Part {
    let mut part = Builder::new(1, b"./test\0");
    store!(part.header(), start_realtime_ns = start_realtime_ns);
    part.module(1, path.as_bytes());
    read(&part.bytes())
}

#[test]
fn a_file_that_is_not_the_one_that_was_mapped_is_warned_of_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lib.so");
    std::fs::write(&file, "no names").unwrap();
    let (file, folder) = (file.to_str().unwrap(), folder.path().to_str().unwrap());
    let later = u64::MAX / 2;
    for (path, start_ns, why) in [
        (file, later, None),
        (file, 1_000, Some("has changed since the recording")),
        (folder, later, Some("is not a file of code any more")),
        ("/no/such/file", later, Some("is not here any more")),
    ] {
        let mut symbols = Symbols::default();
        let part = that_mapped(path, start_ns);
        for _ in 0..2 {
            assert_eq!(
                symbols.usable(&part, &part.modules[0]),
                why.is_none(),
                "{path}"
            );
        }
        assert_eq!(symbols.warnings().len(), usize::from(why.is_some()));
        let expected = format!("{path} {}, so that places", why.unwrap_or_default());
        assert!(
            symbols
                .warnings()
                .iter()
                .all(|it| it.starts_with(&expected))
        );
    }
    // The kernel's own pages were never a file.
    let mut symbols = Symbols::default();
    let part = that_mapped("[vdso]", later);
    assert!(!symbols.usable(&part, &part.modules[0]));
    assert_eq!(symbols.warnings(), Vec::<String>::new());
}

#[test]
fn a_place_is_the_byte_before_the_return_address_as_the_file_numbers_it() {
    let mut builder = Builder::new(1, b"./test\0");
    builder.module(1, b"/opt/server");
    for (id, module) in [(1, 1), (2, 0)] {
        builder.one(NO_OWNER, |site: &SiteRecord| {
            store!(
                site,
                id = id,
                module = module,
                address = 0x2345,
                file_offset = 0x45
            );
        });
    }
    let mut part = read(&builder.bytes());
    let place = |part: &Part, site: usize| {
        let site = part.sites[site];
        let (call, function) = (
            Symbols::place(part, site),
            Symbols::function_place(part, site),
        );
        assert_eq!(call.module, function.module);
        let module = call.module.to_str().unwrap().to_owned();
        (module, call.address, function.address)
    };
    assert_eq!(place(&part, 0), ("/opt/server".to_owned(), 0x1344, 0x1345));
    assert_eq!(place(&part, 1), (String::new(), 0x2344, 0x2345));
    let module: &mut Module = &mut part.modules[0];
    module.bias = None;
    assert_eq!(place(&part, 0), ("/opt/server".to_owned(), 0x44, 0x45));
}
