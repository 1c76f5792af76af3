//! No product file has more than 400 lines, and no function more than 80 without saying why.

use xtask_sources::{Counted, Limit, TooLong, crates, product_files, root, too_long};

use crate::made_up;

const LIMIT: Limit = Limit {
    file: 400,
    function: 80,
};

/// What is still too long: the end of a file's path, and the name of a function in it, or nothing for the file itself.
/// What has become short enough is taken off this list.
const KNOWN: &[(&str, &str)] = &[];

fn is((file, function): &(&str, &str), found: &TooLong) -> bool {
    let name = found.function.as_ref().map_or("", |(name, _)| name);
    found.file.ends_with(&format!("/{file}")) && *function == name
}

#[test]
fn files_and_functions_of_the_product_are_short() {
    let root = root();
    let folders = crates(&root);
    let files: Vec<Counted> = folders
        .iter()
        .flat_map(|it| product_files(&root, it))
        .collect();
    let found = too_long(&files, LIMIT);
    let unknown = found
        .iter()
        .filter(|it| !KNOWN.iter().any(|known| is(known, it)));
    let gone = KNOWN
        .iter()
        .filter(|known| !found.iter().any(|it| is(known, it)));
    let mut wrong: Vec<String> = unknown.map(ToString::to_string).collect();
    wrong.extend(gone.map(|(file, function)| {
        format!(
            "{file} {function} is short enough: take it off the list KNOWN in {}",
            file!()
        )
    }));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn code_is_counted_without_comments_blank_lines_and_tests() {
    let root = made_up::written(&[
        (
            "src/lib.rs",
            "//! Doc.\n\n/* more\n   of it */\npub mod a; // counts\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod inside {\n    fn f() {}\n}\n",
        ),
        (
            "src/a.rs",
            "/// Doc.\n#[doc(hidden)]\npub const TEXT: &str = \"one\n\n  // two\n\";\n\nfn f() {\n    // why\n    g();\n}\n",
        ),
        ("src/tests.rs", "fn t() {}\n"),
        ("build.rs", "fn main() {}\n"),
        ("tests/t.rs", "fn t() {}\n"),
        (
            "src/page.js",
            "// c\n/* d\n */\nconst a = \"// no comment\"; /* e */\nconst b = `\n// text ${f(\"}\")}\n`;\nconst c = /[/]\"/;\n",
        ),
        ("src/page.css", "/* c */\na { b: url(//x); }\n"),
        (
            "bpf/call.c",
            "#include \"x\"\n\n/*\n * c\n */\nint f(void) { return '\"'; }\n",
        ),
        ("vendor/x.js", "a\n"),
    ]);
    let files = product_files(root.path(), "crates/made-up".as_ref());
    let counts: Vec<(&str, usize, usize)> = files
        .iter()
        .map(|it| {
            (
                it.file.strip_prefix("crates/made-up/").unwrap(),
                it.lines,
                it.code,
            )
        })
        .collect();
    assert_eq!(
        counts,
        [
            ("bpf/call.c", 6, 2),
            ("build.rs", 1, 1),
            ("src/a.rs", 11, 7),
            ("src/lib.rs", 11, 1),
            ("src/page.css", 2, 1),
            ("src/page.js", 8, 5),
        ]
    );
}

#[test]
fn long_functions_are_found_unless_they_say_why() {
    let body = "\n".repeat(3);
    let rust = format!(
        "fn one() {{{body}}}\n\n// Long: one table.\n#[inline]\nfn two() {{{body}}}\n\nimpl A {{\n    /// Long: no\n    ///\n    \
         /// Why.\n    fn three(\n        self,\n    ) {{ fn four() {{}} }}\n}}\n#[cfg(test)]\nfn five() {{{body}}}\n// Long: it is three's\n\n\
         fn six() {{{body}}}\n"
    );
    let script = format!(
        "kit.seven = function (a, b) {{{body}}};\nif (a) {{{body}}}\nconst eight = (a) => {{{body}}};\n// Long: a list\n\
         function nine() {{{body}}}\nconst ten = {{{body}}};\n"
    );
    let root = made_up::written(&[("src/lib.rs", &rust), ("src/page.js", &script)]);
    let files = product_files(root.path(), "crates/made-up".as_ref());
    let limit = Limit {
        file: 30,
        function: 3,
    };
    let found: Vec<String> = too_long(&files, limit)
        .iter()
        .map(|it| it.to_string().replace("crates/made-up/src/", ""))
        .collect();
    assert_eq!(
        found,
        [
            "lib.rs: 31 lines",
            "lib.rs:1: one has 4 lines",
            "lib.rs:28: six has 4 lines",
            "page.js:1: seven has 4 lines",
            "page.js:9: eight has 4 lines",
        ]
    );
}
