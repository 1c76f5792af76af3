//! Planted changes: each is found, or is free.

use serde_json::{Value, json};
use xtask_schemas::breaks::breaks;
use xtask_schemas::files::{State, keep, state};
use xtask_schemas::generated::{self, Generated};

/// A schema with everything that ours have.
fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "schema": {"const": "locktoll.x/1"},
            "locks": {"type": "array", "items": {"$ref": "#/$defs/Lock"}},
            "alert": {"anyOf": [{"$ref": "#/$defs/Why"}, {"type": "null"}]},
            "per_reason": {"type": "object", "additionalProperties": {"type": "integer"}}
        },
        "required": ["schema", "locks", "per_reason"],
        "$defs": {
            "Lock": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "kind": {"oneOf": [{"const": "mutex", "type": "string"}, {"const": "spin", "type": "string"}]},
                    "wait_ns": {"type": "integer"},
                    "share": {"type": ["number", "null"]},
                    "inside": {"type": "array", "items": {"$ref": "#/$defs/Lock"}}
                },
                "required": ["name", "kind", "wait_ns", "share"]
            },
            "Why": {
                "oneOf": [
                    {"type": "object", "properties": {"why": {"const": "hung"}, "after_ns": {"type": "integer"}}, "required": ["why", "after_ns"]},
                    {"type": "object", "properties": {"why": {"const": "crashed"}, "signal": {"type": "integer"}}, "required": ["why", "signal"]}
                ]
            }
        }
    })
}

/// Returns what a change breaks.
fn after(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut new = schema();
    change(&mut new);
    let found = breaks(&schema(), &new);
    found.iter().map(ToString::to_string).collect()
}

fn lock(schema: &mut Value) -> &mut Value {
    &mut schema["$defs"]["Lock"]
}

fn remove(value: &mut Value, name: &str) -> Value {
    value.as_object_mut().unwrap().shift_remove(name).unwrap()
}

#[test]
fn what_is_taken_away_is_found() {
    let gone = after(|it| drop(remove(&mut lock(it)["properties"], "wait_ns")));
    assert_eq!(gone, ["`locks[].wait_ns`: is gone, or has another name"]);

    let renamed = after(|it| {
        let fields = &mut lock(it)["properties"];
        fields["waited_ns"] = remove(fields, "wait_ns");
        lock(it)["required"] = json!(["name", "kind", "waited_ns", "share"]);
    });
    assert_eq!(renamed, ["`locks[].wait_ns`: is gone, or has another name"]);

    let optional = after(|it| lock(it)["required"] = json!(["name", "kind", "share"]));
    assert_eq!(optional, ["`locks[].wait_ns`: is optional now"]);

    let word = after(|it| lock(it)["properties"]["kind"]["oneOf"][1]["const"] = json!("spinlock"));
    assert_eq!(word, ["`locks[].kind`: the word \"spin\" is gone"]);

    let map = after(|it| {
        drop(remove(
            &mut it["properties"]["per_reason"],
            "additionalProperties",
        ))
    });
    assert_eq!(map, ["`per_reason.*`: the object no longer takes any name"]);

    let number = after(|it| it["properties"]["schema"]["const"] = json!("locktoll.x/2"));
    assert_eq!(number, ["`schema`: the word \"locktoll.x/1\" is gone"]);

    let form = after(|it| {
        let forms = it["$defs"]["Why"]["oneOf"].as_array_mut().unwrap();
        forms.remove(1);
    });
    assert_eq!(
        form,
        [
            "`alert.signal`: is gone, or has another name",
            "`alert.why`: the word \"crashed\" is gone"
        ]
    );
}

#[test]
fn another_type_is_found() {
    let set = |place: &'static str, to: Value| after(move |it| lock(it)["properties"][place] = to);
    assert_eq!(
        set("wait_ns", json!({"type": "number"})),
        ["`locks[].wait_ns`: may now be a number, and was a whole number"]
    );
    assert_eq!(
        set("wait_ns", json!({"type": ["integer", "null"]})),
        ["`locks[].wait_ns`: may now be null, and was a whole number"]
    );
    assert_eq!(
        set("name", json!({"$ref": "#/$defs/Why"})),
        ["`locks[].name`: may now be an object, and was a text"]
    );
    assert_eq!(
        set("name", json!(true)),
        ["`locks[].name`: may now be any value, and was a text"]
    );
    assert_eq!(
        set("share", json!({"type": "null"})),
        ["`locks[].share`: is now always null"]
    );
    assert_eq!(
        set(
            "inside",
            json!({"type": "array", "items": {"type": "string"}})
        ),
        ["`locks[].inside[]`: may now be a text, and was an object"]
    );
}

#[test]
fn additions_are_free() {
    let free: [fn(&mut Value); 8] = [
        |_| {},
        |it| lock(it)["properties"]["hold_ns"] = json!({"type": "integer"}),
        |it| lock(it)["description"] = json!("Other words."),
        // Always there now.
        |it| {
            lock(it)["required"]
                .as_array_mut()
                .unwrap()
                .push(json!("inside"))
        },
        // Never null any more.
        |it| lock(it)["properties"]["share"] = json!({"type": "number"}),
        |it| lock(it)["properties"]["share"] = json!({"type": ["integer", "null"]}),
        |it| {
            let words = lock(it)["properties"]["kind"]["oneOf"].as_array_mut();
            words.unwrap().push(json!({"const": "barrier"}));
        },
        |it| {
            let forms = it["$defs"]["Why"]["oneOf"].as_array_mut();
            forms.unwrap().push(json!({"type": "object", "properties": {"why": {"const": "slow"}}, "required": ["why"]}));
        },
    ];
    for (at, change) in free.into_iter().enumerate() {
        assert_eq!(after(change), [""; 0], "change {at}");
    }
}

#[test]
fn every_field_of_every_schema_is_watched() {
    // A tour consists of a price list, a bench and a profile.
    let all = generated::all().into_iter();
    for generated in all.filter(|it| it.name != "tour") {
        let mut fields = 0;
        for pointer in objects(&generated.schema) {
            let names = generated.schema.pointer(&pointer).unwrap()["properties"].clone();
            for name in names.as_object().unwrap().keys() {
                let mut new = generated.schema.clone();
                let part = new.pointer_mut(&pointer).unwrap();
                remove(&mut part["properties"], name);
                let lost = breaks(&generated.schema, &new);
                assert!(
                    !lost.is_empty(),
                    "{}: {pointer} without {name}",
                    generated.name
                );
                fields += 1;
            }
        }
        assert!(fields > 5, "{}: only {fields} fields", generated.name);
    }
}

/// Returns the places of all schemas with fields.
fn objects(schema: &Value) -> Vec<String> {
    fn walk(value: &Value, at: &str, found: &mut Vec<String>) {
        if value["properties"].is_object() {
            found.push(at.to_owned());
        }
        match value {
            Value::Object(parts) => {
                for (name, part) in parts {
                    walk(part, &format!("{at}/{}", name.replace('/', "~1")), found);
                }
            }
            Value::Array(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    walk(part, &format!("{at}/{index}"), found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(schema, "", &mut found);
    found
}

#[test]
fn a_schema_that_lost_something_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let of = |schema| {
        [Generated {
            name: "x",
            number: 1,
            schema,
        }]
    };
    assert_eq!(keep(folder.path(), &of(schema())).unwrap(), ["x-1.json"]);
    assert!(keep(folder.path(), &of(schema())).unwrap().is_empty());

    let mut grown = schema();
    lock(&mut grown)["properties"]["hold_ns"] = json!({"type": "integer"});
    let [grown] = of(grown);
    assert_eq!(state(folder.path(), &grown).unwrap(), State::Grown);
    keep(folder.path(), &[grown]).unwrap();

    let lost = keep(folder.path(), &of(schema())).unwrap_err().to_string();
    assert!(
        lost.contains("`locks[].hold_ns`") && lost.contains("raise the number to 2"),
        "{lost}"
    );
    let raised = Generated {
        number: 2,
        ..of(schema()).into_iter().next().unwrap()
    };
    assert_eq!(keep(folder.path(), &[raised]).unwrap(), ["x-2.json"]);
}
