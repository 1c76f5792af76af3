//! The verbs as `lib.rs` lists them, turned into what clap parses and what runs.

use clap::Subcommand;

use super::words;
use crate::command_line::{completions, licences, man};
use locktoll_terminal::failure::Outcome;

/// Takes a line such as `Tour: tour::TourArgs;` for each verb: its flags are `tour::flags::TourArgs`, whose doc is the verb's
/// line in the help, and `tour::run` runs it.
macro_rules! verbs {
    ($($(#[$system:meta])? $verb:ident: $room:ident::$args:ident;)+) => {
        /// The verbs, in the order a newcomer meets them.
        #[derive(Debug, Subcommand)]
        pub enum Verb {
            $(
                $(#[$system])?
                $verb(Box<crate::$room::flags::$args>),
            )+
            /// Print a completion script for a shell.
            #[command(after_help = words::COMPLETIONS)]
            Completions {
                /// The shell to complete for.
                shell: clap_complete::Shell,
            },
            /// Print a manual page of the program or of a verb.
            #[command(after_help = words::MAN)]
            Man {
                /// The verb [default: the program].
                verb: Option<String>,
            },
            /// List the licences of all parts of locktoll, or print their texts.
            #[command(after_help = words::LICENCES)]
            Licences {
                /// The package whose texts to print [default: list all packages].
                #[arg(value_name = "PACKAGE")]
                package: Option<String>,
                /// Print all texts.
                #[arg(long, conflicts_with = "package")]
                texts: bool,
            },
        }

        impl Verb {
            /// Runs the verb.
            pub fn run(self) -> Outcome {
                match self {
                    $(
                        $(#[$system])?
                        Self::$verb(args) => crate::$room::run(&args),
                    )+
                    Self::Completions { shell } => completions::run(shell),
                    Self::Man { verb } => man::run(verb.as_deref()),
                    Self::Licences { package, texts } => licences::run(package.as_deref(), texts),
                }
            }
        }
    };
}

// `verbs! { ... }` with a line for each verb: `build.rs` generates it from the lines in `lib.rs`.
include!(concat!(env!("OUT_DIR"), "/verbs.rs"));
