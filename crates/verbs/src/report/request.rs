//! The format that was asked for, and whether it supports the flags.

use crate::present::Goes;
use crate::report::flags::ReportArgs;
use crate::saved;
use locktoll_results::saved::Saved;
use locktoll_shown::{Choice, Formats, OfProfile, TEXT, View, listed};
use locktoll_terminal::failure::Failure;

/// Returns the format that the flags ask for.
///
/// # Errors
/// [`Failure::Usage`] where the format has no use for a flag, which would otherwise have no effect without a warning.
pub fn format(args: &ReportArgs) -> Result<Choice, Failure> {
    let format = Formats::OfProfiles.choose(args.format, args.json, args.output.as_deref());
    let tables = || listed(|format| format.has_tables());
    let sides = || listed(|format| format.profile.has_sides());
    if args.tables.view() != View::Locks && !format.has_tables() {
        return Err(Failure::Usage(format!(
            "--sites, --blame, --stacks and --threads are for --format {}; \
             html and json have all of these tables, and {} are made of stacks",
            tables(),
            sides()
        )));
    }
    if (args.tables.order || args.tables.alerts) && format.name != TEXT {
        return Err(Failure::Usage(
            "--order and --alerts are for --format text; json has both without them".to_owned(),
        ));
    }
    if args.by.is_some() && !format.profile.has_sides() {
        return Err(Failure::Usage(format!(
            "--by is for --format {}; {} show waiters and holders together with --blame",
            sides(),
            tables()
        )));
    }
    Ok(format)
}

/// Checks that the ending of the output's name fits the format of the output.
///
/// # Errors
/// [`Failure::Usage`] if it does not. The text lists the endings for the kind of result that the input is; if the input cannot
/// be read, those for recordings.
pub fn check_ending(args: &ReportArgs) -> Result<(), Failure> {
    let refusal =
        |formats: Formats| formats.refusal(args.format, args.json, args.output.as_deref());
    let Some(of_recordings) = refusal(Formats::OfProfiles) else {
        return Ok(());
    };
    let refused = match saved::open(&args.recording, args.input) {
        Ok(Saved::Profile(_)) | Err(_) => of_recordings,
        Ok(_) => refusal(Formats::OfResults).unwrap_or(of_recordings),
    };
    Err(Failure::Usage(refused))
}

/// Returns the kind of output that the format and the flags make.
pub fn goes(format: Choice, args: &ReportArgs) -> Goes {
    Goes {
        binary: format.profile.is_binary(),
        second: format.profile == OfProfile::BinarySides && args.by.is_none(),
        pictures: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    /// The verb's flags, without the other verbs.
    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        args: ReportArgs,
    }

    fn request(words: &str) -> Result<Choice, Failure> {
        let words = ["report", "r"].into_iter().chain(words.split_whitespace());
        format(&Words::try_parse_from(words).unwrap().args)
    }

    #[test]
    fn flags_without_effect_are_refused() {
        for words in [
            "--json --threads",
            "--format html --sites",
            "--format svg --sites",
            "--by holder",
            "--format csv --by waiter",
        ] {
            assert!(matches!(request(words), Err(Failure::Usage(_))), "{words}");
        }
        for words in [
            "--format csv --threads",
            "--blame",
            "--format folded --by holder",
        ] {
            assert!(request(words).is_ok(), "{words}");
        }
    }
}
