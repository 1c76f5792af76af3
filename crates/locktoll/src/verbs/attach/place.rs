//! Where the profile goes, and in which form.

use std::path::Path;

use super::words;
use crate::cli::{AttachArgs, ResultFormat, SortKey};
use crate::exit::{Ending, Failure, Outcome};
use crate::profile::Profile;
use crate::report::{Content, Document, Form, Html, Selection, Text, View};
use crate::target::{Goes, Target};
use crate::{output, report};

/// Locks in the summary.
const TOP: usize = 10;

/// A checked place.
pub struct Place<'a> {
    args: &'a AttachArgs,
    output: Option<&'a Path>,
}

impl<'a> Place<'a> {
    /// Looks at the place before anything is watched.
    ///
    /// # Errors
    /// [`Failure::Usage`] if it would not do.
    pub fn of(args: &'a AttachArgs) -> Result<Self, Failure> {
        let output = args.output.as_deref();
        Target::of(output).check(None, Goes::default())?;
        Ok(Self { args, output })
    }

    /// Puts the profile there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put(&self, profile: &Profile) -> Outcome {
        if let Some(file) = self.output {
            let document = Document::only(Content::Plain(report::json(profile)?));
            Target::of(Some(file)).put(document)?;
            if self.is_stdout() {
                return Ok(Ending::Done);
            }
            words::kept(file);
        }
        let top = self.args.top.map(|top| top as usize);
        let sort = self.args.sort.unwrap_or(SortKey::Wait);
        match self.args.format() {
            ResultFormat::Text => {
                let form = Text {
                    view: View::Locks,
                    width: Target::Stdout.line_width(),
                };
                let selection = Selection::new(profile, sort, top.or(Some(TOP)));
                Target::Stdout.put(form.documents(&selection)?)
            }
            ResultFormat::Json => output::print(&report::json(profile)?),
            ResultFormat::Html => {
                let selection = Selection::new(profile, sort, top);
                Target::Stdout.put(Html.documents(&selection)?)
            }
        }
    }

    /// Whether the document goes to standard output, which is then the document's alone.
    fn is_stdout(&self) -> bool {
        self.output.is_some_and(|file| file.as_os_str() == "-")
    }
}
