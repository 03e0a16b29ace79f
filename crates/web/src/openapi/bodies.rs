//! The bodies of requests and answers, described by the very types that are read and written.

use std::cell::RefCell;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use crate::refusal::ErrorBody;

/// Where the description keeps the schemas of types.
const SCHEMAS: &str = "/components/schemas";

thread_local! {
    /// Whatever was named while routes were gathered; each thread gathers by itself. None while nobody gathers: routes that are
    /// only to be served need no description of their bodies, which are thousands of small pieces.
    static NAMED: RefCell<Option<Named>> = const { RefCell::new(None) };
}

/// Types that were named so far. What is read and what is written differ: a field with a default may be left out of a
/// request and is always in an answer.
struct Named {
    read: SchemaGenerator,
    written: SchemaGenerator,
}

impl Named {
    fn new() -> Self {
        let mut settings = SchemaSettings::draft2020_12();
        settings.definitions_path = SCHEMAS.into();
        settings.meta_schema = None;
        Self {
            read: settings.clone().for_deserialize().into_generator(),
            written: settings.for_serialize().into_generator(),
        }
    }
}

/// A body that is answered; nothing while nobody gathers.
pub(crate) fn answer<T: JsonSchema>() -> String {
    noted(|named| named.written.subschema_for::<T>())
}

/// A body that is sent; nothing while nobody gathers.
pub(crate) fn question<T: JsonSchema>() -> String {
    noted(|named| named.read.subschema_for::<T>())
}

fn noted(describe: impl FnOnce(&mut Named) -> Schema) -> String {
    NAMED.with_borrow_mut(|named| {
        named
            .as_mut()
            .map_or_else(String::new, |named| reference(&describe(named)))
    })
}

/// The body of every refusal.
pub(crate) fn refusal() -> String {
    answer::<ErrorBody>()
}

/// Gathers routes, and the schemas of all types they name.
///
/// # Panics
/// If a type is described differently as part of a request and of an answer: then it needs two names.
pub(crate) fn gathered<R>(routes: impl FnOnce() -> R) -> (R, Map<String, Value>) {
    NAMED.set(Some(Named::new()));
    let routes = routes();
    let mut named = NAMED.take().expect("nobody else gathers in this thread");
    let mut schemas = named.written.take_definitions(true);
    for (name, schema) in named.read.take_definitions(true) {
        match schemas.get(&name) {
            Some(other) => assert_eq!(*other, schema, "{name} is read and written differently"),
            None => {
                schemas.insert(name, schema);
            }
        }
    }
    (routes, schemas)
}

fn reference(schema: &Schema) -> String {
    let target = schema.get("$ref").and_then(Value::as_str);
    target.expect("bodies are types with a name").to_owned()
}
