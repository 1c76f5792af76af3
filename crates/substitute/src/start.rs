//! The start: reads which lock was chosen, and connects each exported name to a function accordingly.

use core::ffi::CStr;

use crate::candidate::{self, Algorithm, Candidate, for_each_algorithm};
use crate::entries::{self, COUNT};
use crate::environment::variable;
use crate::in_place::{InPlace, Sliced};
use crate::{
    condition, generation, in_place, lengthen, mutex, only, real, real_time, rwlock, sandbox,
    speed_up, spin, tally, waiting, warning,
};

/// The environment variable with the candidate's name.
const LOCK_VARIABLE: &CStr = c"LOCKTOLL_LOCK";

/// The environment variable with the places. Only their locks are replaced.
const ONLY_VARIABLE: &CStr = c"LOCKTOLL_ONLY";

/// Reads the choice, and fills the table. It may be called several times, and by several threads at once.
pub fn begin() {
    real::look_up_all();
    tally::open();
    let only_is_understood = variable(ONLY_VARIABLE).is_none_or(only::read);
    let is_ready = generation::start() && condition::start() && only_is_understood;
    let name = variable(LOCK_VARIABLE);
    if let Some(percent) = name.and_then(|name| lengthen::request::parse(name.to_bytes())) {
        match generation::start() && only_is_understood {
            true => lengthen::replace(percent),
            false => tally::count_failure(),
        }
        pass_the_rest_through();
        return;
    }
    if let Some(percent) = name.and_then(|name| speed_up::request::parse(name.to_bytes())) {
        match is_ready {
            true => speed_up(percent),
            false => tally::count_failure(),
        }
        pass_the_rest_through();
        return;
    }
    let chosen = name.map(|name| candidate::parse(name.to_bytes()));
    if let (Some(name), Some(Err(why))) = (name, chosen) {
        warning::unknown(name, why);
    }
    match (is_ready, chosen) {
        (true, Some(Ok(chosen))) => replace(chosen),
        // Nothing was asked for.
        (true, None) => {}
        (false, _) | (true, Some(Err(_))) => tally::count_failure(),
    }
    pass_the_rest_through();
}

/// Redirects the names that the chosen lock replaces to this library.
fn replace(chosen: Candidate) {
    let replaces = chosen.algorithm != Algorithm::PassThrough;
    if replaces && real_time::is_policy_of_process() {
        return;
    }
    macro_rules! replace {
        ($($algorithm:ident $name:literal,)+) => {
            match chosen.algorithm {
                Algorithm::PassThrough => return,
                $(Algorithm::$algorithm => {
                    <in_place::$algorithm as InPlace>::prepare();
                    if chosen.slice_extension {
                        mutex::replace_with::<Sliced<in_place::$algorithm>>(chosen.parameter);
                    } else {
                        mutex::replace_with::<in_place::$algorithm>(chosen.parameter);
                    }
                })+
            }
        };
    }
    for_each_algorithm!(replace);
    condition::replace();
    sandbox::watch();
    real_time::watch();
    if chosen.algorithm == Algorithm::Gate {
        rwlock::leave();
        spin::leave();
        return;
    }
    waiting::choose(chosen);
    if only::is_on() {
        rwlock::replace_only();
        spin::replace_only();
    } else {
        rwlock::replace();
        spin::replace();
    }
}

/// Redirects the names to functions that speed holds up.
fn speed_up(percent: u32) {
    speed_up::start(percent);
    mutex::replace_sped_up();
    condition::replace();
    sandbox::watch();
}

/// Redirects to the C library every name that was not redirected to this library. It never does the reverse: a thread that
/// came as early may already have acquired one of this library's locks, and must release it as such.
fn pass_the_rest_through() {
    for index in 0..COUNT {
        let function = real::address(index);
        // A thread that calls a function that is still being looked up comes here again. Only a thread that started at the
        // same moment can do so.
        if !function.is_null() {
            // SAFETY: E1: the real function of that name.
            unsafe { entries::send_unless_sent(index, function) };
        }
    }
}
