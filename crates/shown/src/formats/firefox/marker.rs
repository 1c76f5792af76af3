//! The kinds of markers, and their fields.

use fxprof::{
    CategoryHandle, Marker, MarkerFieldFlags, MarkerFieldFormat, MarkerLocations, MarkerTypeHandle,
    Profile, RuntimeSchemaMarkerField, RuntimeSchemaMarkerSchema, StringHandle,
};
use fxprof_processed_profile as fxprof;

/// The most fields of a kind.
const MOST_FIELDS: usize = 4;

/// A kind of marker.
#[derive(Clone, Copy)]
pub struct Kind {
    schema: MarkerTypeHandle,
    category: CategoryHandle,
}

/// The kinds of markers.
pub struct Kinds {
    /// A wait: how it ended, the holder at its beginning, where that thread had acquired the lock, and the thread that ended it.
    pub wait: Kind,
    /// A hold: where it began, and what is special about it.
    pub hold: Kind,
    /// A signal: where it was sent.
    pub signal: Kind,
    /// A call that may block.
    pub block: Kind,
    /// A time without a CPU: why, and the thread that woke it.
    pub switch: Kind,
}

/// A marker.
#[derive(Clone, Copy)]
pub struct Mark {
    /// Its kind.
    pub kind: Kind,
    /// Its name.
    pub name: StringHandle,
    /// The texts of its fields.
    pub fields: [StringHandle; MOST_FIELDS],
}

impl Kinds {
    /// Adds the kinds to a profile.
    pub fn new(profile: &mut Profile) -> Self {
        use fxprof::CategoryColor::{Brown, Gray, Green, Orange, Purple};
        let mut kind = |name: &str, color, description: &str, fields: &[(&str, &str)]| Kind {
            schema: profile.register_marker_type(schema(name, description, fields)),
            category: profile.add_category(name, color),
        };
        Self {
            wait: kind(
                "wait",
                Orange,
                "A thread waited for a lock or for an event.",
                &[
                    ("ended", "Ended"),
                    ("holder", "Holder at its beginning"),
                    ("holderPlace", "Acquired in"),
                    ("releasedBy", "Ended by"),
                ],
            ),
            hold: kind(
                "hold",
                Green,
                "A thread held a lock.",
                &[("place", "Acquired in"), ("remark", "Remark")],
            ),
            signal: kind(
                "signal",
                Purple,
                "A thread signalled others.",
                &[("place", "In")],
            ),
            block: kind(
                "call that may block",
                Brown,
                "A thread that held a lock made a call that may block.",
                &[("held", "Held")],
            ),
            switch: kind(
                "no CPU",
                Gray,
                "A thread had no CPU.",
                &[("why", "Why"), ("waker", "Woken by")],
            ),
        }
    }
}

fn schema(name: &str, description: &str, fields: &[(&str, &str)]) -> RuntimeSchemaMarkerSchema {
    RuntimeSchemaMarkerSchema {
        // The names of kinds are those of all programs that write this format.
        type_name: format!("locktoll {name}"),
        description: Some(description.to_owned()),
        locations: MarkerLocations::MARKER_CHART | MarkerLocations::MARKER_TABLE,
        chart_label: Some("{marker.name}".to_owned()),
        tooltip_label: Some("{marker.name}".to_owned()),
        table_label: Some("{marker.name}".to_owned()),
        fields: fields
            .iter()
            .map(|&(key, label)| RuntimeSchemaMarkerField {
                key: key.to_owned(),
                label: label.to_owned(),
                format: MarkerFieldFormat::String,
                flags: MarkerFieldFlags::SEARCHABLE,
            })
            .collect(),
        graphs: Vec::new(),
    }
}

impl Marker for Mark {
    fn marker_type(&self, _: &mut Profile) -> MarkerTypeHandle {
        self.kind.schema
    }

    fn name(&self, _: &mut Profile) -> StringHandle {
        self.name
    }

    fn category(&self, _: &mut Profile) -> CategoryHandle {
        self.kind.category
    }

    fn string_field_value(&self, field: u32) -> StringHandle {
        self.fields[field as usize]
    }

    fn number_field_value(&self, _: u32) -> f64 {
        unreachable!("no kind has a field that is a number")
    }
}
