//! The schemas, made from the types of the results.

use locktoll_results::advice::AdviceResult;
use locktoll_results::bench::BenchResult;
use locktoll_results::comparison::Comparison;
use locktoll_results::doctor::DoctorResult;
use locktoll_results::hang::HangResult;
use locktoll_results::kernel::KernelResult;
use locktoll_results::machine::MachineResult;
use locktoll_results::merged::Merged;
use locktoll_results::profile::{Alert, Profile};
use locktoll_results::reproduction::Reproduction;
use locktoll_results::top::Top;
use locktoll_results::tour::TourResult;
use locktoll_results::trial::TrialResult;
use locktoll_results::watch::Watch;
use locktoll_results::whatif::WhatIfResult;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// A schema.
pub struct Generated {
    /// `profile` in `locktoll.profile/1`.
    pub name: &'static str,
    /// 1 in `locktoll.profile/1`.
    pub number: u32,
    /// The JSON Schema.
    pub schema: Value,
}

impl Generated {
    /// The name of its file below `docs/schemas`.
    pub fn file(&self) -> String {
        format!("{}-{}.json", self.name, self.number)
    }
}

/// Returns all schemas.
///
/// After an incompatible change, raise the number here and in the verb that writes it: the file of the old number stays, for those
/// who read results that were saved earlier.
pub fn all() -> Vec<Generated> {
    vec![
        document::<AdviceResult>("advise", 1),
        document::<BenchResult>("bench", 1),
        document::<Comparison>("compare", 1),
        document::<DoctorResult>("doctor", 1),
        document::<HangResult>("hang", 1),
        document::<KernelResult>("kernel", 1),
        document::<MachineResult>("machine", 1),
        document::<Profile>("profile", 1),
        document::<Reproduction>("reproduce", 1),
        document::<Merged>("reproduce-merged", 1),
        document::<Top>("top", 1),
        document::<TourResult>("tour", 1),
        document::<TrialResult>("try", 1),
        document::<Watch>("watch", 1),
        document::<WhatIfResult>("whatif", 1),
        line::<Alert>("alert", 1),
    ]
}

/// The schema of a whole document, whose field `schema` says which one it is.
fn document<T: JsonSchema>(name: &'static str, number: u32) -> Generated {
    let mut generated = line::<T>(name, number);
    generated.schema["properties"]["schema"]["const"] = json!(format!("locktoll.{name}/{number}"));
    generated
}

/// The schema of a line that has no field for its name: one of `record --alert-file`.
fn line<T: JsonSchema>(name: &'static str, number: u32) -> Generated {
    // Of what is written: a field with a default for the reader is still always there.
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    schema["title"] = json!(format!("locktoll.{name}/{number}"));
    in_words_of_json(&mut schema);
    Generated {
        name,
        number,
        schema,
    }
}

/// Descriptions are the types' documentation: `None` is `null` in a document, which has no links to types either.
fn in_words_of_json(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if name == "description" => {
                        *text = text
                            .replace("`None`", "`null`")
                            .replace("[`", "`")
                            .replace("`]", "`");
                    }
                    value => in_words_of_json(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(in_words_of_json),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_have_the_words_of_json() {
        let mut schema = json!({"anyOf": [{"description": "[`Sum`] of it; `None` if unknown"}]});
        in_words_of_json(&mut schema);
        assert_eq!(
            schema["anyOf"][0]["description"],
            "`Sum` of it; `null` if unknown"
        );
    }
}
