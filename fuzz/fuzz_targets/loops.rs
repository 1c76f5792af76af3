//! `locktoll_hostile::TARGETS` says what it reads.
#![no_main]

use locktoll_hostile::memory::Counted;

#[global_allocator]
static MEMORY: Counted = Counted;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| locktoll_hostile::named("loops").run(bytes));
