//! A page for each refusal, from the snapshot of the test that makes the program refuse.

use std::path::PathBuf;

use anyhow::{Context, bail};

/// The snapshot, in the checkout.
pub const SNAPSHOT: &str = "crates/locktoll/tests/snapshots/refusals__each_says_what_was_wrong_what_is_accepted_and_what_to_type.snap";

/// One refusal of the program.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The words after `locktoll`.
    pub words: String,
    /// What the program says.
    pub message: String,
    /// The exit code.
    pub code: u8,
}

/// Reads the refusals of the snapshot.
///
/// # Errors
/// If it has another form.
pub fn refusals(snapshot: &str) -> anyhow::Result<Vec<Refusal>> {
    let (_, body) = snapshot
        .split_once("\n---\n")
        .context("the snapshot has no head")?;
    let mut refusals = Vec::new();
    for block in body.trim().split("\n\n") {
        let Some((command, message)) = block.split_once('\n') else {
            bail!("`{block}` is not a command and what it says");
        };
        let words = command
            .strip_prefix("$ locktoll ")
            .with_context(|| format!("`{command}` is not a command"))?;
        let (words, code) = match words.strip_suffix(" (unsupported)") {
            Some(words) => (words, 3),
            None => (words, 2),
        };
        refusals.push(Refusal {
            words: words.to_owned(),
            message: message.to_owned(),
            code,
        });
    }
    Ok(refusals)
}

impl Refusal {
    /// Returns the verb that refused; `None` if there is none of that name.
    fn verb(&self) -> Option<&str> {
        let first = self.words.split(' ').next()?;
        let known = VERBS.iter().find(|(verb, _)| *verb == first)?;
        Some(known.0)
    }

    /// Returns the path of its page in the site.
    pub fn path(&self) -> PathBuf {
        let name: String = self
            .words
            .chars()
            .map(|character| match character {
                character if character.is_ascii_alphanumeric() => character,
                _ => '-',
            })
            .collect();
        // Different words may have the same letters: `--exat` and `-exat`.
        let sum = self.words.bytes().fold(7_u32, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(byte.into())
        });
        PathBuf::from(format!("docs/refusals/{name}-{:04x}.md", sum & 0xffff))
    }

    /// Returns the title of its page.
    pub fn title(&self) -> String {
        format!("locktoll {}", self.words)
    }

    /// Returns its page.
    pub fn page(&self) -> String {
        let Self {
            words,
            message,
            code,
        } = self;
        let meaning = match code {
            3 => {
                "the command cannot be carried out here: by this machine, this user, this version, or on this program"
            }
            _ => "the command line, or a file that it names, is not accepted; nothing was started",
        };
        let further = match self.verb() {
            Some(verb) => format!(
                "`locktoll {verb} -h` lists the flags, `locktoll {verb} --help` explains them, and there is a [page about \
                 `{verb}`]({}).",
                page_of(verb)
            ),
            None => "`locktoll -h` lists the verbs.".to_owned(),
        };
        format!(
            "# `locktoll {words}`\n\n```console\n$ locktoll {words}\n{message}\n$ echo $?\n{code}\n```\n\nExit code [{code}]({}): \
             {meaning}.\n\nThe message says what is wrong, what is accepted, and what to type instead. {further}\n",
            anchor(*code)
        )
    }
}

/// The heading in `docs/exit-codes.md`.
fn anchor(code: u8) -> &'static str {
    match code {
        3 => "../exit-codes.md#3-unsupported-here",
        _ => "../exit-codes.md#2-wrong-use",
    }
}

/// The verbs, and the pages about them.
const VERBS: [(&str, &str); 15] = [
    ("tour", "tour.md"),
    ("machine", "machine.md"),
    ("bench", "bench.md"),
    ("reproduce", "reproduce.md"),
    ("record", "record.md"),
    ("report", "record.md#report"),
    ("try", "try.md"),
    ("whatif", "advice.md"),
    ("advise", "advice.md"),
    ("attach", "attach.md"),
    ("hang", "stuck.md"),
    ("top", "top.md"),
    ("kernel", "kernel.md"),
    ("compare", "compare.md"),
    ("doctor", "doctor.md"),
];

fn page_of(verb: &str) -> String {
    let known = VERBS.iter().find(|(known, _)| *known == verb);
    format!("../{}", known.map_or("exit-codes.md", |(_, page)| page))
}
