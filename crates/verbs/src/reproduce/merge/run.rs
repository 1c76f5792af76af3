//! The command: reads, merges and shows; measures nothing.

use locktoll_shown::{Formats, Subject};
use locktoll_terminal::failure::{Failure, Outcome};

use super::{combine, files};
use crate::present::Target;
use crate::reproduce::catalogue::Catalogue;
use crate::reproduce::flags::ReproduceArgs;

/// Returns a word after `--merge` that names claims and no file.
fn claim_among_files<'a>(args: &'a ReproduceArgs, catalogue: &Catalogue) -> Option<&'a str> {
    let mut words = args.merge.iter().filter(|path| !path.exists());
    words.find_map(|path| {
        let word = path.to_str()?;
        catalogue.named(&[word.to_owned()]).is_ok().then_some(word)
    })
}

/// Merges the results in the files that `--merge` names.
pub fn run(args: &ReproduceArgs, catalogue: &Catalogue) -> Outcome {
    let output = args.output.as_deref();
    let target = Target::of(output);
    if let Some(refusal) = Formats::OfReproductions.refusal(args.format, args.json, output) {
        return Err(Failure::Usage(refusal));
    }
    let asked = match args.claims.is_empty() {
        true => None,
        false => Some(catalogue.named(&args.claims).map_err(Failure::Usage)?),
    };
    let format = args.format();
    for path in &args.merge {
        target.check(Some(path), args.goes())?;
    }
    if let Some(id) = claim_among_files(args, catalogue) {
        return Err(Failure::Usage(format!(
            "--merge takes all words after it as files, and {id} is a claim; type claims first: `locktoll reproduce {id} --merge \
             FILE...`"
        )));
    }
    let results = files::read(&args.merge)?;
    let mut merged = combine::merged(results).map_err(Failure::Usage)?;
    if let Some(asked) = asked {
        let ids: Vec<&str> = asked.iter().map(|it| it.id.as_str()).collect();
        combine::keep(&mut merged, &ids).map_err(Failure::Usage)?;
    }
    // With one machine there is nothing to compare: its page is the one that its own command writes.
    if let Some(alone) = combine::alone(&merged) {
        return target.put_in(format, Subject::Reproduction(&alone));
    }
    target.put_in(format, Subject::Merged(&merged))
}
