//! The sessions of a page.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use crate::headings::options;

/// A session: commands and their output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The line of its first command in the page, from 1.
    pub line: usize,
    /// How it is taken again, as the comment before it says.
    pub retake: Option<String>,
    /// The commands, without `$`. A command that continues after a backslash is one.
    pub commands: Vec<String>,
    /// The lines that the commands print.
    pub output: Vec<String>,
}

/// Returns the sessions of a page, in order.
pub fn sessions(text: &str) -> Vec<Session> {
    let mut sessions = Vec::new();
    let mut retake = None;
    let mut inside: Option<usize> = None;
    for (event, place) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Html(html) => {
                if let Some((_, behind)) = html.split_once("retake:") {
                    let words = behind.split("-->").next().unwrap_or_default();
                    retake = Some(words.trim().to_owned());
                }
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) => {
                let line = text[..place.start].matches('\n').count() + 2;
                inside = (&*kind == "console").then_some(line);
                if inside.is_none() {
                    retake = None;
                }
            }
            Event::Text(code) => {
                if let Some(line) = inside {
                    sessions.push(session(line, retake.take(), &code));
                }
            }
            Event::End(TagEnd::CodeBlock) => inside = None,
            // The comment belongs to the block that follows it.
            Event::Start(Tag::Paragraph | Tag::Heading { .. }) => retake = None,
            _ => {}
        }
    }
    sessions
}

fn session(line: usize, retake: Option<String>, code: &str) -> Session {
    let (mut commands, mut output) = (Vec::<String>::new(), Vec::new());
    let mut continues = false;
    for line in code.lines() {
        let begins = line.strip_prefix("$ ");
        let words = begins.or(continues.then_some(line));
        let Some(words) = words else {
            output.push(line.to_owned());
            continue;
        };
        let (words, more) = match words.strip_suffix('\\') {
            Some(words) => (words, true),
            None => (words, false),
        };
        match commands.last_mut().filter(|_| continues) {
            Some(command) => command.push_str(words.trim_start()),
            None => commands.push(words.to_owned()),
        }
        continues = more;
    }
    Session {
        line,
        retake,
        commands,
        output,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_sessions_with_their_commands_and_output() {
        let page = "Text.\n\n<!-- retake: locktoll a (as b) -->\n```console\n$ locktoll a \\\n    --c\nout 1\n...\n$ echo $?\n0\n```\n\n\
                    <!-- retake: lost -->\nText.\n\n```console\n$ ls\n```\n\n```sh\n$ no\n```\n";
        let found = sessions(page);
        assert_eq!(
            found,
            [
                Session {
                    line: 5,
                    retake: Some("locktoll a (as b)".to_owned()),
                    commands: vec!["locktoll a --c".to_owned(), "echo $?".to_owned()],
                    output: ["out 1", "...", "0"].map(str::to_owned).to_vec(),
                },
                Session {
                    line: 17,
                    retake: None,
                    commands: vec!["ls".to_owned()],
                    output: Vec::new(),
                },
            ]
        );
    }
}
