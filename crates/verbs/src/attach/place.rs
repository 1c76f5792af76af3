//! The destination of the profile, and its format.

use std::path::Path;

use super::words;
use crate::attach::flags::AttachArgs;
use crate::present::{Goes, Target};
use locktoll_results::profile::Profile;
use locktoll_shown::{Content, Document, Formats, JSON, Selection, SortKey, Subject, TEXT};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::output;

/// Whether the name's ending means a page, a table or a picture.
fn is_of_another_format(output: &Path) -> bool {
    let format = Formats::OfProfiles.choose(None, false, Some(output));
    ![TEXT, JSON].contains(&format.name)
}

/// A destination that has been checked.
pub struct Place<'a> {
    args: &'a AttachArgs,
    output: Option<&'a Path>,
}

impl<'a> Place<'a> {
    /// Checks the destination before anything is watched.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the destination cannot be used.
    pub fn of(args: &'a AttachArgs) -> Result<Self, Failure> {
        let output = args.output.as_deref();
        if let Some(name) = output.filter(|it| is_of_another_format(it)) {
            return Err(Failure::Usage(format!(
                "attach writes only profiles in JSON; use `-o PROFILE.json`, then run `locktoll report PROFILE.json -o {}`",
                shown(name.as_os_str())
            )));
        }
        Target::of(output).check(None, Goes::default())?;
        Ok(Self { args, output })
    }

    /// Writes the profile there.
    ///
    /// # Errors
    /// If the profile cannot be written.
    pub fn put(&self, profile: &Profile) -> Outcome {
        if let Some(file) = self.output {
            let document = Document::only(Content::Plain(locktoll_shown::json(profile)?));
            Target::of(Some(file)).put(document)?;
            if self.is_stdout() {
                return Ok(Ending::Done);
            }
            words::kept(file);
        }
        let format = self.args.format();
        if format.name == JSON {
            return output::print(&locktoll_shown::json(profile)?);
        }
        let top = self.args.top.map(|top| top as usize);
        let sort = self.args.sort.unwrap_or(SortKey::Wait);
        let selection = Selection::new(profile, sort, top);
        Target::Stdout.put_in(format, Subject::Profile(&selection))
    }

    /// Whether the document goes to standard output, which then holds nothing else.
    fn is_stdout(&self) -> bool {
        self.output.is_some_and(|file| file.as_os_str() == "-")
    }
}
