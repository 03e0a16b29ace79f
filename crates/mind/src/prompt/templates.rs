//! The template files, compiled once. A missing value is an error, so a test of each template finds it.

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value};

/// Which template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Template {
    ReplySystem,
    ReplyTask,
    /// What the answer must look like.
    ReplyAnswer,
    ClassifierSystem,
    ClassifierTask,
    CompactionSystem,
    CompactionTask,
    MemorySystem,
    MemoryTask,
    ScreenNoteSystem,
    ScreenNoteTask,
    ScreenCommentarySystem,
    ScreenCommentaryTask,
    AmbientSystem,
    AmbientMode,
    AmbientThought,
    AmbientCapabilities,
    AmbientTask,
    AmbientUser,
    /// How Denizen behaves in a room, whatever it is asked for.
    Manners,
    /// The frame around what a tool brought from outside.
    OutsideMaterial,
    /// What a frame means.
    OutsideRule,
}

impl Template {
    fn name(self) -> &'static str {
        match self {
            Template::ReplySystem => "reply_system",
            Template::ReplyTask => "reply_task",
            Template::ReplyAnswer => "reply_answer",
            Template::ClassifierSystem => "classifier_system",
            Template::ClassifierTask => "classifier_task",
            Template::CompactionSystem => "compaction_system",
            Template::CompactionTask => "compaction_task",
            Template::MemorySystem => "memory_system",
            Template::MemoryTask => "memory_task",
            Template::ScreenNoteSystem => "screen_note_system",
            Template::ScreenNoteTask => "screen_note_task",
            Template::ScreenCommentarySystem => "screen_commentary_system",
            Template::ScreenCommentaryTask => "screen_commentary_task",
            Template::AmbientSystem => "ambient_system",
            Template::AmbientMode => "ambient_mode",
            Template::AmbientThought => "ambient_thought",
            Template::AmbientCapabilities => "ambient_capabilities",
            Template::AmbientTask => "ambient_task",
            Template::AmbientUser => "ambient_user",
            Template::Manners => "manners",
            Template::OutsideMaterial => "outside_material",
            Template::OutsideRule => "outside_rule",
        }
    }

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
    for (name, source) in [
        ("reply_system", include_str!("templates/reply_system.md.j2")),
        ("reply_task", include_str!("templates/reply_task.md.j2")),
        ("reply_answer", include_str!("templates/reply_answer.md.j2")),
        (
            "classifier_system",
            include_str!("templates/classifier_system.md.j2"),
        ),
        ("classifier_task", include_str!("templates/classifier_task.md.j2")),
        (
            "compaction_system",
            include_str!("templates/compaction_system.md.j2"),
        ),
        ("compaction_task", include_str!("templates/compaction_task.md.j2")),
        ("memory_system", include_str!("templates/memory_system.md.j2")),
        ("memory_task", include_str!("templates/memory_task.md.j2")),
        (
            "screen_note_system",
            include_str!("templates/screen_note_system.md.j2"),
        ),
        (
            "screen_note_task",
            include_str!("templates/screen_note_task.md.j2"),
        ),
        (
            "screen_commentary_system",
            include_str!("templates/screen_commentary_system.md.j2"),
        ),
        (
            "screen_commentary_task",
            include_str!("templates/screen_commentary_task.md.j2"),
        ),
        ("ambient_system", include_str!("templates/ambient_system.md.j2")),
        ("ambient_mode", include_str!("templates/ambient_mode.md.j2")),
        ("ambient_thought", include_str!("templates/ambient_thought.md.j2")),
        (
            "ambient_capabilities",
            include_str!("templates/ambient_capabilities.md.j2"),
        ),
        ("ambient_task", include_str!("templates/ambient_task.md.j2")),
        ("ambient_user", include_str!("templates/ambient_user.md.j2")),
        ("manners", include_str!("templates/manners.md.j2")),
        (
            "outside_material",
            include_str!("templates/outside_material.md.j2"),
        ),
        ("outside_rule", include_str!("templates/outside_rule.md.j2")),
    ] {
        environment
            .add_template(name, source)
            .expect("a test compiles every template");
    }
    environment
});
