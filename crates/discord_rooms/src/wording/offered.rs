//! The commands as they are shown while somebody chooses one: names, descriptions, and what can be chosen.

use super::phrases;

phrases! {
    /// A name, a description or a choice.
    Offered {
        Denizen {
            en: "Talk to Denizen about what it does", de: "Mit Denizen über sein Tun reden",
            es: "Habla con Denizen sobre lo que hace", fr: "Parler avec Denizen de ce qu'il fait",
        }
        WhyName { en: "why", de: "warum", es: "porqué", fr: "pourquoi", }
        Why {
            en: "Why it answered a message, or did not", de: "Warum es geantwortet hat oder nicht",
            es: "Por qué respondió a un mensaje, o no", fr: "Pourquoi il a répondu à un message, ou non",
        }
        WhyMessage {
            en: "A link to the message; the newest here without it", de: "Ein Link zur Nachricht; ohne ihn die neueste hier",
            es: "Un enlace al mensaje; sin él, el más reciente aquí", fr: "Un lien vers le message ; sinon le plus récent ici",
        }
        ForgetName { en: "forget", de: "vergessen", es: "olvidar", fr: "oublier", }
        Forget {
            en: "Have something forgotten for good", de: "Etwas für immer vergessen lassen",
            es: "Hacer olvidar algo para siempre", fr: "Faire oublier quelque chose pour toujours",
        }
        ForgetWhat {
            en: "What is to be forgotten for good", de: "Was für immer vergessen werden soll",
            es: "Qué se ha de olvidar para siempre", fr: "Ce qui doit être oublié pour toujours",
        }
        ForgetLast {
            en: "what I said last here", de: "was ich hier zuletzt gesagt habe",
            es: "lo último que dije aquí", fr: "ce que j'ai dit en dernier ici",
        }
        ForgetMe {
            en: "everything about me in this server", de: "alles über mich auf diesem Server",
            es: "todo sobre mí en este servidor", fr: "tout sur moi sur ce serveur",
        }
        ForgetSure {
            en: "It cannot be taken back", de: "Es gibt kein Zurück",
            es: "No se puede deshacer", fr: "C'est sans retour",
        }
        SettingsName { en: "settings", de: "einstellungen", es: "ajustes", fr: "réglages", }
        Settings {
            en: "See and change its settings in this server", de: "Seine Einstellungen auf diesem Server sehen und ändern",
            es: "Ver y cambiar sus ajustes en este servidor", fr: "Voir et changer ses réglages sur ce serveur",
        }
        SettingsKey { en: "Which one", de: "Welche", es: "Cuál", fr: "Lequel", }
        SettingsValue {
            en: "What it is to be; `default` takes it back", de: "Der neue Wert; `default` nimmt ihn zurück",
            es: "El nuevo valor; `default` lo restablece", fr: "La nouvelle valeur ; `default` la rétablit",
        }
        StatusName { en: "status", de: "zustand", es: "estado", fr: "état", }
        Status { en: "How it is doing", de: "Wie es ihm geht", es: "Cómo le va", fr: "Comment il va", }
        AskName { en: "ask", de: "fragen", es: "preguntar", fr: "demander", }
        Ask {
            en: "Ask it something here, for everybody to see", de: "Frag es hier etwas, für alle sichtbar",
            es: "Pregúntale algo aquí, a la vista de todos", fr: "Lui demander quelque chose ici, à la vue de tous",
        }
        AskQuestion {
            en: "What you want to know", de: "Was du wissen willst",
            es: "Lo que quieres saber", fr: "Ce que tu veux savoir",
        }
        QuietName { en: "quiet", de: "ruhe", es: "silencio", fr: "silence", }
        Quiet {
            en: "Have it say nothing in this channel for a while, or speak again",
            de: "In diesem Kanal eine Weile schweigen lassen, oder wieder reden",
            es: "Que calle un rato en este canal, o que vuelva a hablar",
            fr: "Le faire taire un moment dans ce salon, ou reparler",
        }
        QuietFor {
            en: "For how long; an hour without it", de: "Wie lange; ohne Angabe eine Stunde",
            es: "Cuánto tiempo; una hora si no se dice", fr: "Combien de temps ; une heure sinon",
        }
        QuietQuarter { en: "15 minutes", de: "15 Minuten", es: "15 minutos", fr: "un quart d'heure", }
        QuietHour { en: "1 hour", de: "1 Stunde", es: "1 hora", fr: "1 heure", }
        QuietNight {
            en: "until tomorrow (8 hours)", de: "bis morgen (8 Stunden)",
            es: "hasta mañana (8 horas)", fr: "jusqu'à demain (8 heures)",
        }
        QuietForGood { en: "for good", de: "für immer", es: "para siempre", fr: "pour de bon", }
        QuietOff {
            en: "off: it may speak again", de: "aus: es darf wieder reden",
            es: "no: puede volver a hablar", fr: "fini : il peut reparler",
        }
        JoinName { en: "join", de: "kommen", es: "entrar", fr: "venir", }
        Join {
            en: "Have it come into voice", de: "In den Sprachkanal holen",
            es: "Que entre en el canal de voz", fr: "Le faire venir dans le salon vocal",
        }
        LeaveName { en: "leave", de: "gehen", es: "salir", fr: "partir", }
        Leave {
            en: "Have it leave voice", de: "Aus dem Sprachkanal schicken",
            es: "Que salga del canal de voz", fr: "Le faire quitter le salon vocal",
        }
        WatchName { en: "watch", de: "zuschauen", es: "mirar", fr: "regarder", }
        Watch {
            en: "Show it a screen", de: "Ihm einen Bildschirm zeigen",
            es: "Enséñale una pantalla", fr: "Lui montrer un écran",
        }
    }
}

impl Offered {
    /// Whether it is the name of a command, of which Discord takes less.
    #[cfg(test)]
    pub fn is_name(self) -> bool {
        format!("{self:?}").ends_with("Name")
    }
}
