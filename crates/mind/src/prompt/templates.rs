//! The template files, compiled once. A missing value is an error, so a test of each template finds it.

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value};

/// Declares the templates: each variant stands for the file of the name beside it.
macro_rules! templates {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// Which template.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Template { $($(#[$doc])* $variant,)+ }

        impl Template {
            fn name(self) -> &'static str {
                match self { $(Template::$variant => $name,)+ }
            }
        }

        const SOURCES: &[(&str, &str)] = &[$(($name, include_str!(concat!("templates/", $name, ".md.j2")))),+];
    };
}

templates! {
    ReplySystem = "reply_system",
    /// What is known for this one reply, and will be otherwise at the next.
    ReplyKnown = "reply_known",
    ReplyTask = "reply_task",
    /// What the answer must look like.
    ReplyAnswer = "reply_answer",
    /// The same three for a small model.
    PlainSystem = "plain_system",
    PlainUser = "plain_user",
    PlainTask = "plain_task",
    ClassifierSystem = "classifier_system",
    ClassifierTask = "classifier_task",
    CompactionSystem = "compaction_system",
    CompactionTask = "compaction_task",
    MemorySystem = "memory_system",
    MemoryTask = "memory_task",
    ScreenNoteSystem = "screen_note_system",
    ScreenNoteTask = "screen_note_task",
    ScreenCommentarySystem = "screen_commentary_system",
    ScreenCommentaryTask = "screen_commentary_task",
    AmbientSystem = "ambient_system",
    AmbientMode = "ambient_mode",
    AmbientThought = "ambient_thought",
    AmbientCapabilities = "ambient_capabilities",
    AmbientTask = "ambient_task",
    AmbientUser = "ambient_user",
    VoiceSystem = "voice_system",
    /// What is known for this one answer.
    VoiceKnown = "voice_known",
    VoiceTask = "voice_task",
    /// What it is asked in a silence.
    VoiceThoughtTask = "voice_thought_task",
    /// What a realtime service is told to be that thinks for itself.
    NativeSystem = "native_system",
    /// What it is told for one answer.
    NativeTask = "native_task",
    NativeTurn = "native_turn",
    VoiceDecisionSystem = "voice_decision_system",
    VoiceDecisionTask = "voice_decision_task",
    /// How Denizen behaves in a room, whatever it is asked for.
    Manners = "manners",
    /// The frame around what a tool brought from outside.
    OutsideMaterial = "outside_material",
    /// What a frame means.
    OutsideRule = "outside_rule",
}

impl Template {
    /// Fills the template in.
    pub fn render(self, values: Value) -> String {
        let template = ENVIRONMENT
            .get_template(self.name())
            .expect("every template is added below");
        template
            .render(values)
            .expect("a test renders every template with every value it names")
            .trim()
            .to_owned()
    }
}

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build();
    environment.set_syntax(syntax.expect("only the treatment of white space differs from the default"));
    for (name, source) in SOURCES {
        environment
            .add_template(name, source)
            .expect("a test compiles every template");
    }
    environment
});
