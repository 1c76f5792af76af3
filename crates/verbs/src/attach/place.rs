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

/// Locks in the summary.
const TOP: usize = 10;

/// Whether the name promises a page, a table or a picture.
fn is_of_another_format(output: &Path) -> bool {
    let format = Formats::OfProfiles.choose(None, false, Some(output));
    ![TEXT, JSON].contains(&format.name)
}

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
        if let Some(name) = output.filter(|it| is_of_another_format(it)) {
            return Err(Failure::Usage(format!(
                "attach writes a profile as JSON; use `-o PROFILE.json`, then run `locktoll report PROFILE.json -o {}`",
                shown(name.as_os_str())
            )));
        }
        Target::of(output).check(None, Goes::default())?;
        Ok(Self { args, output })
    }

    /// Puts the profile there.
    ///
    /// # Errors
    /// If it cannot be written.
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
        let unsaid = (format.name == TEXT).then_some(TOP);
        let top = self.args.top.map(|top| top as usize).or(unsaid);
        let sort = self.args.sort.unwrap_or(SortKey::Wait);
        let selection = Selection::new(profile, sort, top);
        Target::Stdout.put_in(format, Subject::Profile(&selection))
    }

    /// Whether the document goes to standard output, which is then the document's alone.
    fn is_stdout(&self) -> bool {
        self.output.is_some_and(|file| file.as_os_str() == "-")
    }
}
