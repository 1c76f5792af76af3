//! `attach` on running programs in several languages: it names the locks and the program's own functions that wait for them.
//!
//! If the kernel does not permit it, or a language's tools are not installed, tests are skipped.
#![cfg(target_os = "linux")]

mod alerts;
mod c_and_cpp;
mod containers;
mod family;
mod go;
mod group;
mod java;
mod rust;
mod several;
mod watched;
mod who_holds;
