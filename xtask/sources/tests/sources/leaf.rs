//! Where a file can be changed, and how much is compiled with it.

use xtask_sources::{leaves, unit_code};

use crate::made_up;

#[test]
fn leaves_have_a_place_in_a_function_that_runs() {
    let root = made_up::written(&[
        ("src/lib.rs", "mod a;\nmod b;\nmod c;\npub fn f() {}\n"),
        ("src/a/mod.rs", "mod leaf;\npub fn not_a_leaf() {}\n"),
        (
            "src/a/leaf.rs",
            "macro_rules! m { () => { fn in_macro() {} } }\nconst fn at_compile_time() {}\ntrait T { fn without(&self); }\n\
             impl T for u8 {\n    fn without(&self) { let _ = 1; }\n}\n",
        ),
        (
            "src/b.rs",
            "#[cfg(test)]\nmod tests { fn f() {} }\npub(crate) unsafe fn g() {}\n",
        ),
        ("src/c.rs", "pub struct NoFunction;\n"),
    ]);
    let leaves = leaves(root.path(), "crates/made-up".as_ref());
    let found: Vec<(&str, &str, (usize, usize))> = leaves
        .iter()
        .map(|leaf| {
            (
                leaf.room.as_str(),
                leaf.file.rsplit('/').next().unwrap(),
                leaf.body,
            )
        })
        .collect();
    assert_eq!(found, [("a", "leaf.rs", (5, 23)), ("b", "b.rs", (3, 26))]);
}

#[test]
fn a_unit_is_compiled_with_all_files_that_it_reaches() {
    let root = made_up::written(&[
        ("src/lib.rs", "mod a;\npub fn f() {}\n"),
        ("src/a.rs", "pub fn g() {}\n"),
        ("src/main.rs", "fn main() {}\n"),
    ]);
    let code = |file: &str| unit_code(root.path(), &root.path().join("crates/made-up").join(file));
    assert_eq!(
        (code("src/lib.rs"), code("src/main.rs"), code("src/none.rs")),
        (3, 1, 0)
    );
}
