//! Which words ask for a look-up, and what is looked for.

use serde_json::json;
use vocabulary::ToolSpec;

use super::{Wished, wished};

fn tools() -> Vec<ToolSpec> {
    let names = [
        "search_messages",
        "memory_search",
        "web_search",
        "web_scrape",
        "clock_remind",
        "make_picture",
        "find_gif",
    ];
    let spec = |name: &str| ToolSpec {
        name: name.to_owned(),
        description: String::new(),
        parameters: json!({}),
    };
    names.map(spec).to_vec()
}

fn wish(text: &str) -> String {
    match wished(text, &["Denizen"], &tools()) {
        Wished::Nothing => "nothing".to_owned(),
        Wished::LookUp(call) => {
            let argument = call
                .arguments
                .as_object()
                .and_then(|object| object.values().next());
            let argument = argument.and_then(|value| value.as_str()).unwrap_or_default();
            format!("{} {argument}", call.name)
        }
        Wished::Named(tools) => format!("offers {}", tools[0].name),
    }
}

#[test]
fn words_that_ask_for_a_look_up_are_understood_with_what_they_look_for() {
    for (text, wanted) in [
        (
            "Denizen, look up when the eclipse begins tonight",
            "web_search when the eclipse begins tonight",
        ),
        (
            "Denizen, can you search the web for the newest version of Krita?",
            "web_search the newest version of Krita",
        ),
        (
            "Denizen, what's the weather in Bremen tomorrow?",
            "web_search what's the weather in Bremen tomorrow",
        ),
        (
            "Denizen, please google the opening hours",
            "web_search the opening hours",
        ),
        (
            "Denizen, any news about the strike?",
            "web_search any news about the strike",
        ),
        (
            "Denizen, who won last night? look it up",
            "web_search who won last night",
        ),
        (
            "Denizen, what does https://cafe.example/menu say?",
            "web_scrape https://cafe.example/menu",
        ),
        (
            "Denizen: (https://a.example/x).",
            "web_scrape https://a.example/x",
        ),
        (
            "Denizen, search this channel for the link to the soldering guide",
            "search_messages the soldering guide",
        ),
        (
            "Denizen, what did Kofi write here about the fuse box?",
            "search_messages what did Kofi write here about the fuse box",
        ),
        (
            "Denizen, please draw me a fox in the snow",
            "make_picture a fox in the snow",
        ),
        ("Denizen, find a gif of a sleepy cat!", "find_gif a sleepy cat"),
        ("Denizen, remind me at five", "offers clock_remind"),
    ] {
        assert_eq!(wish(text), wanted, "{text}");
    }
}

#[test]
fn they_are_understood_in_german_french_and_spanish_with_and_without_accents() {
    for (text, wanted) in [
        (
            "Denizen, schau bitte mal nach, wann der Zug fährt",
            "web_search wann der Zug fährt",
        ),
        (
            "Denizen, kannst du im Internet nach Fahrplänen suchen?",
            "web_search Fahrplänen suchen",
        ),
        (
            "Denizen, wie wird das Wetter morgen?",
            "web_search wie wird das Wetter morgen",
        ),
        ("Denizen, such hier nach dem Rezept", "search_messages dem Rezept"),
        ("Denizen, mal mir einen Fuchs", "nothing"),
        (
            "Denizen, mal mir ein rotes Haus, bitte",
            "make_picture ein rotes Haus",
        ),
        (
            "Denizen, cherche sur internet l'horaire du musée, s'il te plaît",
            "web_search l'horaire du musée",
        ),
        (
            "Denizen, quel temps fera-t-il demain ?",
            "web_search quel temps fera-t-il demain",
        ),
        (
            "Denizen, qui a poste le lien ici?",
            "search_messages qui a poste le lien ici",
        ),
        ("Denizen, dessine-moi un mouton", "make_picture un mouton"),
        (
            "Denizen, por favor busca en internet el horario del tren",
            "web_search el horario del tren",
        ),
        (
            "Denizen, que tiempo hace en Lima?",
            "web_search que tiempo hace en Lima",
        ),
        ("Denizen, dibújame un gato", "make_picture un gato"),
        ("Denizen, look up what C++ is", "web_search what C++ is"),
    ] {
        assert_eq!(wish(text), wanted, "{text}");
    }
}

#[test]
fn words_that_ask_for_nothing_out_there_look_nothing_up() {
    for text in [
        "Denizen, what is flaky again?",
        "Denizen, who runs the rehearsal on Thursday?",
        "Denizen, you look tired",
        "Denizen, up we go, look",
        "Denizen, what did Petra say?",
        "Denizen, what do you think of googly eyes?",
        "Denizen, do you remember my cat?",
        "Denizen, wie heißt die Katze von Mira?",
        "Denizen, wer hat den Schlüssel?",
        "Denizen, où est la clé ?",
        "Denizen, ¿quién tiene la llave?",
        "Denizen, are people rude on the internet?",
        "",
    ] {
        assert_eq!(wish(text), "nothing", "{text}");
    }
}

#[test]
fn what_is_not_there_is_not_looked_up() {
    let text = "Denizen, look up https://a.example for me";
    assert_eq!(wished(text, &["Denizen"], &[]), Wished::Nothing);
}

#[test]
fn a_query_of_nothing_but_politeness_is_the_message_itself() {
    assert_eq!(
        wish("Denizen, google please"),
        "web_search Denizen, google please"
    );
}

#[test]
fn a_picture_is_ordered_by_a_request_and_not_by_a_word_of_it() {
    for (text, wanted) in [
        ("Denizen, draw me a cat", "make_picture a cat"),
        (
            "hey Denizen, can you please draw a red barn?",
            "make_picture a red barn",
        ),
        ("Denizen, zeichne mir eine Katze", "make_picture eine Katze"),
        ("Denizen, did the match end in a draw?", "nothing"),
        ("Denizen, I saw a picture of you", "nothing"),
        ("Denizen, who won the prize draw", "nothing"),
    ] {
        assert_eq!(wish(text), wanted, "{text}");
    }
}
