//! What people and scripts read: one file a form.

mod bench_result;
mod bench_text;
mod comparison;
mod doctor_result;
mod doctor_text;
pub mod html;
mod kernel_result;
mod kernel_text;
mod machine_line;
mod machine_result;
mod machine_text;
mod profile;
pub mod quantity;
mod reproduction;
mod reproduction_markdown;
mod reproduction_text;
mod shown;
mod stand_in;
mod text_fold;
mod text_table;
mod tour;
mod trial_result;
mod trial_text;
#[cfg(target_os = "linux")]
mod watch;
mod width;
#[cfg(target_os = "linux")]
mod written_here;

#[cfg(test)]
mod bench_snapshots;
#[cfg(test)]
pub mod made_up;
#[cfg(test)]
pub mod mock;
#[cfg(test)]
mod reproduction_snapshots;

pub use bench_result::BenchResult;
pub use bench_text::{bench_text, setting_of as bench_setting};
pub use comparison::{
    Better, Comparison, Difference, Figure, Noise, Page as ComparisonPage, Row, RowVerdict,
    RuleOutcome, Side as ComparedSide, Unit, amount, ratio,
};
pub use doctor_result::DoctorResult;
pub use doctor_text::doctor_text;
pub use kernel_result::{
    KernelCaller, KernelKind, KernelLock, KernelLockKind, KernelResult, KernelScope, KernelWaits,
};
#[cfg(target_os = "linux")]
pub use kernel_result::{KernelCpu, KernelLost, KernelProbe};
pub use kernel_text::kernel_text;
#[cfg(target_os = "linux")]
pub use kernel_text::{KernelPage, kernel_interval_text};
pub use machine_line::machine_line;
pub use machine_result::MachineResult;
pub use machine_text::machine_text;
pub use profile::{
    Content, Csv, Document, Folded, Form, Html, Json, Names, Pprof, Selection, Side, Svg, Text,
    TextOptions, View,
};
#[cfg(target_os = "linux")]
pub use profile::{json, text_within, words as profile_words};
pub use reproduction::{
    Check, Claim, ClaimVerdict, Point, Published, Reproduction, Series, Source,
};
pub use reproduction_markdown::reproduction_markdown;
pub use reproduction_text::{short, verdict_words};
pub use shown::Shown;
pub use stand_in::stand_in_line;
pub use tour::TourResult;
#[cfg(target_os = "linux")]
pub use trial_result::{Best, Only, PassedThrough, Replaced};
pub use trial_result::{
    Better as TrialBetter, Coverage, Dropped, Metric, MetricSource, ObjectKind, TrialResult,
    TrialRow, WhyDropped,
};
pub use trial_text::trial_text;
#[cfg(target_os = "linux")]
pub use watch::{Block, Room, block_text, has_room_for_notes, json_line, notes_text};
pub use width::{WIDTH_OF_FILES, columns, line_width};
