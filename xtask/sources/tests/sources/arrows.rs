//! Each way in which a path can lead from one room to another is seen; nothing else is.

use crate::made_up::arrows;

#[test]
fn imports_are_seen_in_nested_groups_and_under_other_names() {
    let found = arrows(&[
        ("lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\n"),
        (
            "a.rs",
            "use crate::b::One as _;\npub(crate) use crate::{\n    b,\n    c::{self, deep::{Two, Three as Four}},\n    d::*,\n};\n",
        ),
        ("b.rs", "pub trait One {}\n"),
        (
            "c.rs",
            "pub mod deep { pub struct Two; pub struct Three; }\n",
        ),
        ("d.rs", "pub struct Five;\n"),
    ]);
    assert_eq!(
        found,
        [
            "a -> b a.rs:1 crate::b::One",
            "a -> b a.rs:3 crate::b",
            "a -> c a.rs:4 crate::c",
            "a -> c a.rs:4 crate::c::deep::Three",
            "a -> c a.rs:4 crate::c::deep::Two",
            "a -> d a.rs:5 crate::d",
        ]
    );
}

#[test]
fn paths_are_seen_in_types_expressions_macros_and_attributes() {
    let found = arrows(&[
        ("lib.rs", "mod a;\nmod b;\n"),
        (
            "a.rs",
            "fn f(it: &crate::b::A) -> Vec<crate::b::B> {\n    g(crate::b::C::<u8>::new());\n    println!(\"{}\", crate::b::D);\n    vec![]\n}\n\
             impl crate::b::E for <crate::b::F as T>::G {}\n\
             macro_rules! m { () => { $crate::b::H } }\n\
             #[serde(with = \"crate::b::i\")]\nstruct S;\n\
             #[arg(value_parser = crate::b::j)]\nstruct T;\n",
        ),
        ("b.rs", ""),
    ]);
    assert_eq!(
        found,
        [
            "a -> b a.rs:1 crate::b::A",
            "a -> b a.rs:1 crate::b::B",
            "a -> b a.rs:2 crate::b::C",
            "a -> b a.rs:3 crate::b::D",
            "a -> b a.rs:6 crate::b::E",
            "a -> b a.rs:6 crate::b::F",
            "a -> b a.rs:7 crate::b::H",
            "a -> b a.rs:8 crate::b::i",
            "a -> b a.rs:10 crate::b::j",
        ]
    );
}

#[test]
fn a_chain_of_super_counts_when_it_leaves_the_room() {
    let found = arrows(&[
        ("lib.rs", "mod a;\nmod b;\n"),
        ("a/mod.rs", "mod inner;\nmod other;\npub struct A;\n"),
        (
            "a/inner.rs",
            "use super::other::O;\nuse super::{A, super::b::B};\nmod deep {\n    use super::super::super::b;\n    \
             use super::super::A;\n}\nfn f() { self::deep::g(); super::super::b::h() }\n",
        ),
        ("a/other.rs", "pub struct O;\n"),
        ("b.rs", ""),
    ]);
    assert_eq!(
        found,
        [
            "a -> b a/inner.rs:2 super::super::b::B",
            "a -> b a/inner.rs:4 super::super::super::b",
            "a -> b a/inner.rs:7 super::super::b::h",
        ]
    );
}

#[test]
fn a_name_that_the_root_re_exports_leads_to_its_room() {
    let found = arrows(&[
        (
            "lib.rs",
            "mod a;\nmod b;\nmod c;\nmod d;\npub use {b::Named, c::{Old as New, deep}};\npub use d::*;\n\
             pub use std::rc::Rc;\npub struct Own;\n",
        ),
        (
            "a.rs",
            "use crate::Named;\nuse crate::{New, deep::X, Globbed, Taken};\nuse crate::Rc;\nuse crate::Own;\n\
             fn f() { crate::exported!(); }\n",
        ),
        (
            "b.rs",
            "#[macro_export]\nmacro_rules! exported { () => {} }\npub struct Named;\n",
        ),
        ("c.rs", "pub struct Old;\npub mod deep { pub struct X; }\n"),
        ("d/mod.rs", "mod e;\npub use e::*;\npub struct Globbed;\n"),
        ("d/e.rs", "pub fn Taken() {}\n"),
    ]);
    assert_eq!(
        found,
        [
            "a -> (root) a.rs:4 crate::Own",
            "a -> b a.rs:1 crate::Named",
            "a -> b a.rs:5 crate::exported",
            "a -> c a.rs:2 crate::New",
            "a -> c a.rs:2 crate::deep::X",
            "a -> d a.rs:2 crate::Globbed",
            "a -> d a.rs:2 crate::Taken",
        ]
    );
}

#[test]
fn verbs_are_rooms_of_their_own() {
    let found = arrows(&[
        (
            "main.rs",
            "mod verbs;\nmod low;\nfn main() { verbs::run() }\n",
        ),
        ("verbs/mod.rs", "mod one;\nmod two;\npub use one::run;\n"),
        (
            "verbs/one/mod.rs",
            "mod part;\npub fn run() { super::two::go() }\n",
        ),
        (
            "verbs/one/part.rs",
            "use crate::verbs::run;\nuse crate::low::X;\n",
        ),
        ("verbs/two.rs", "use crate::verbs::run;\n"),
        ("low.rs", "use crate::verbs::two;\n"),
    ]);
    assert_eq!(
        found,
        [
            "low -> verbs/two low.rs:1 crate::verbs::two",
            "verbs -> verbs/one verbs/mod.rs:3 one::run",
            "verbs/one -> low verbs/one/part.rs:2 crate::low::X",
            "verbs/one -> verbs/two verbs/one/mod.rs:2 super::two::go",
            "verbs/two -> verbs/one verbs/two.rs:1 crate::verbs::run",
        ]
    );
}

#[test]
fn comments_strings_tests_and_visibilities_are_no_arrows() {
    let found = arrows(&[
        ("lib.rs", "mod a;\nmod b;\n#[cfg(test)]\nmod only_tests;\n"),
        (
            "a.rs",
            "//! [`crate::b::A`]\n// use crate::b::A;\n/* crate::b::A */\n/// crate::b::A\n\
             const S: &str = \"crate::b::A\";\nconst R: &str = r#\"crate::b::A\"#;\n\
             pub(in crate::b) fn f<'a>() -> impl Sized + use<'a> {}\n\
             #[cfg(test)]\nuse crate::b::A;\n\
             #[cfg(all(test, unix))]\n#[expect(unused)]\nfn g(a: u8, b: crate::b::A) -> u8 { crate::b::c() }\n\
             struct T { #[cfg(test)] a: M<u8, crate::b::A>, b: u8 }\n\
             fn h() { #[cfg(test)] crate::b::c(); match 1 { #[cfg(test)] 2 => crate::b::d(), _ => () } }\n\
             #[cfg(not(any(test, locktoll_loom)))]\nuse crate::b::Seen;\n\
             #[cfg(any(test, unix))]\nuse crate::b::SeenToo;\n\
             #[cfg(test)]\nmod tests { use crate::b::A; }\n",
        ),
        ("b.rs", "#![cfg(not(test))]\n"),
        ("only_tests.rs", "use crate::b::A;\nuse crate::a::A;\n"),
    ]);
    assert_eq!(
        found,
        [
            "a -> b a.rs:16 crate::b::Seen",
            "a -> b a.rs:18 crate::b::SeenToo",
        ]
    );
}
