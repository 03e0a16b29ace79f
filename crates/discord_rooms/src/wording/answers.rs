//! The answers to commands.

use super::phrases;

phrases! {
    /// What is said to whoever used a command.
    Phrase {
        NotHereYet {
            en: "I am not quite here yet. Try again in a moment.",
            de: "Ich bin noch nicht ganz da. Versuch es gleich noch einmal.",
            es: "Todavía no estoy del todo aquí. Inténtalo de nuevo en un momento.",
            fr: "Je ne suis pas encore tout à fait là. Réessaie dans un instant.",
        }
        NoPlace {
            en: "Whoever runs me hosts as many communities as I can hold, so I am not in this server: nothing is read or answered here. Ask them to make room.",
            de: "Wer mich betreibt, hat so viele Gemeinschaften, wie ich fassen kann. Deshalb bin ich auf diesem Server nicht da: Hier wird nichts gelesen und nichts beantwortet. Bitte dort um Platz.",
            es: "Quien me aloja ya tiene tantas comunidades como puedo atender, así que no estoy en este servidor: aquí no leo ni respondo nada. Pídele que haga sitio.",
            fr: "La personne qui m'héberge a déjà autant de communautés que je peux en servir : je ne suis donc pas sur ce serveur, rien n'y est lu ni répondu. Demande-lui de faire de la place.",
        }
        NoSuchChannel {
            en: "“{given}” is no channel of this server, or several are called so. Give its number, its name or a mention (#channel). Nothing was changed.",
            de: "„{given}“ ist kein Kanal dieses Servers, oder mehrere heißen so. Gib seine Nummer, seinen Namen oder eine Erwähnung (#kanal) an. Nichts wurde geändert.",
            es: "«{given}» no es un canal de este servidor, o hay varios que se llaman así. Indica su número, su nombre o una mención (#canal). No se ha cambiado nada.",
            fr: "« {given} » n'est pas un salon de ce serveur, ou plusieurs portent ce nom. Donne son numéro, son nom ou une mention (#salon). Rien n'a été changé.",
        }
        NoSuchPerson {
            en: "I know nobody here by “{given}”, or several. Give a number, a name or a mention (@name). Nothing was changed.",
            de: "Als „{given}“ kenne ich hier niemanden, oder mehrere. Gib eine Nummer, einen Namen oder eine Erwähnung (@name) an. Nichts wurde geändert.",
            es: "Aquí no conozco a nadie como «{given}», o a varias personas. Indica un número, un nombre o una mención (@nombre). No se ha cambiado nada.",
            fr: "Je ne connais ici personne sous « {given} », ou plusieurs personnes. Donne un numéro, un nom ou une mention (@nom). Rien n'a été changé.",
        }
        NotPermitted {
            en: "Only people who may manage messages or the server can have that. Ask one of them.",
            de: "Das dürfen nur Leute, die Nachrichten oder den Server verwalten. Frag jemanden von ihnen.",
            es: "Eso solo lo puede pedir quien gestiona los mensajes o el servidor. Pídeselo a alguien con ese permiso.",
            fr: "Seules les personnes qui gèrent les messages ou le serveur peuvent demander cela. Adresse-toi à l'une d'elles.",
        }
        NotAdministrator {
            en: "Only people who may manage the server can change that. Ask one of them.",
            de: "Das dürfen nur Leute ändern, die den Server verwalten. Frag jemanden von ihnen.",
            es: "Eso solo lo puede cambiar quien gestiona el servidor. Pídeselo a alguien con ese permiso.",
            fr: "Seules les personnes qui gèrent le serveur peuvent changer cela. Adresse-toi à l'une d'elles.",
        }
        UnknownCommand {
            en: "I do not know this command. It may be an old one: try again in an hour.",
            de: "Diesen Befehl kenne ich nicht. Vielleicht ist er alt: Versuch es in einer Stunde noch einmal.",
            es: "No conozco esta orden. Puede que sea antigua: inténtalo de nuevo dentro de una hora.",
            fr: "Je ne connais pas cette commande. Elle est peut-être ancienne : réessaie dans une heure.",
        }
        NothingRead {
            en: "Nobody has written anything here that I have read.",
            de: "Hier hat niemand etwas geschrieben, das ich gelesen habe.",
            es: "Aquí nadie ha escrito nada que yo haya leído.",
            fr: "Personne n'a rien écrit ici que j'aie lu.",
        }
        UnknownMessage {
            en: "I do not know this message, or it is not of this channel.",
            de: "Diese Nachricht kenne ich nicht, oder sie ist nicht aus diesem Kanal.",
            es: "No conozco este mensaje, o no es de este canal.",
            fr: "Je ne connais pas ce message, ou il n'est pas de ce salon.",
        }
        NotReadable {
            en: "It cannot be read at the moment: {error}",
            de: "Das lässt sich gerade nicht lesen: {error}",
            es: "Ahora mismo no se puede leer: {error}",
            fr: "Ce n'est pas lisible en ce moment : {error}",
        }
        MessageOf {
            en: "(a message of {name})",
            de: "(eine Nachricht von {name})",
            es: "(un mensaje de {name})",
            fr: "(un message de {name})",
        }
        IAm {
            en: "I am {name}.",
            de: "Ich bin {name}.",
            es: "Soy {name}.",
            fr: "Je suis {name}.",
        }
        AnswersHere {
            en: "I answer here when I am mentioned, called by name or replied to.",
            de: "Hier antworte ich, wenn man mich erwähnt, beim Namen nennt oder auf mich antwortet.",
            es: "Aquí respondo cuando me mencionan, me llaman por mi nombre o me contestan.",
            fr: "Ici, je réponds quand on me mentionne, m'appelle par mon nom ou me répond.",
        }
        NotSeenHere {
            en: "I do not see this channel, so I am not in it: nothing is read or answered here. People who manage the server can give me *View Channel*; into a private thread I come when somebody mentions me in it.",
            de: "Ich sehe diesen Kanal nicht und bin also nicht darin: Hier wird nichts gelesen und nichts beantwortet. Wer den Server verwaltet, kann mir *Kanal anzeigen* geben; in einen privaten Thread komme ich, wenn mich dort jemand erwähnt.",
            es: "No veo este canal, así que no estoy en él: aquí no leo ni respondo nada. Quien gestiona el servidor puede darme *Ver canal*; en un hilo privado entro cuando alguien me menciona en él.",
            fr: "Je ne vois pas ce salon, je n'y suis donc pas : rien n'y est lu ni répondu. Qui gère le serveur peut me donner *Voir le salon* ; j'entre dans un fil privé quand quelqu'un m'y mentionne.",
        }
        ReadsOnly {
            en: "I can read here, but I may not write, so I answer nothing. People who manage the server can give me *Send Messages* in this channel, or *Send Messages in Threads*.",
            de: "Ich kann hier lesen, darf aber nicht schreiben und beantworte deshalb nichts. Wer den Server verwaltet, kann mir in diesem Kanal *Nachrichten senden* geben, oder *Nachrichten in Threads senden*.",
            es: "Aquí puedo leer, pero no escribir, así que no respondo nada. Quien gestiona el servidor puede darme *Enviar mensajes* en este canal, o *Enviar mensajes en hilos*.",
            fr: "Je peux lire ici, mais pas écrire, je ne réponds donc à rien. Qui gère le serveur peut me donner *Envoyer des messages* dans ce salon, ou *Envoyer des messages dans les fils*.",
        }
        BlockedHere {
            en: "I say nothing in this channel: it is among those in which I may not (`permissions.replies.blockedChannelIds`).",
            de: "In diesem Kanal sage ich nichts: Er gehört zu denen, in denen ich nicht darf (`permissions.replies.blockedChannelIds`).",
            es: "En este canal no digo nada: es uno de los que tengo vedados (`permissions.replies.blockedChannelIds`).",
            fr: "Je ne dis rien dans ce salon : il est de ceux où je n'ai pas le droit (`permissions.replies.blockedChannelIds`).",
        }
        QuietUntil {
            en: "I say nothing here until {until}. I still read; `/denizen quiet` with `for: off` has me speak again.",
            de: "Ich sage hier nichts bis {until}. Ich lese weiter; mit `/denizen ruhe` und `for: aus` darf ich wieder reden.",
            es: "No digo nada aquí hasta {until}. Sigo leyendo; `/denizen silencio` con `for: no` me deja hablar de nuevo.",
            fr: "Je ne dis rien ici jusqu'au {until}. Je lis toujours ; `/denizen silence` avec `for: fini` me rend la parole.",
        }
        QuietForGood {
            en: "I say nothing here any more. I still read; `/denizen quiet` with `for: off` has me speak again.",
            de: "Ich sage hier nichts mehr. Ich lese weiter; mit `/denizen ruhe` und `for: aus` darf ich wieder reden.",
            es: "Ya no digo nada aquí. Sigo leyendo; `/denizen silencio` con `for: no` me deja hablar de nuevo.",
            fr: "Je ne dis plus rien ici. Je lis toujours ; `/denizen silence` avec `for: fini` me rend la parole.",
        }
        QuietOver {
            en: "I may speak here again.",
            de: "Ich darf hier wieder reden.",
            es: "Puedo volver a hablar aquí.",
            fr: "Je peux de nouveau parler ici.",
        }
        WrittenBy {
            en: "My replies are written by {model}.",
            de: "Meine Antworten schreibt {model}.",
            es: "Mis respuestas las escribe {model}.",
            fr: "Mes réponses sont écrites par {model}.",
        }
        BuiltInModel {
            en: "a built-in model that is no language model",
            de: "ein eingebautes Modell, das kein Sprachmodell ist",
            es: "un modelo incorporado que no es un modelo de lenguaje",
            fr: "un modèle intégré qui n'est pas un modèle de langue",
        }
        Remembers {
            en: "I remember what is said, and `/denizen forget` takes it back.",
            de: "Ich merke mir, was gesagt wird; `/denizen vergessen` nimmt es zurück.",
            es: "Recuerdo lo que se dice; `/denizen olvidar` lo borra.",
            fr: "Je me souviens de ce qui est dit ; `/denizen oublier` l'efface.",
        }
        RemembersNothing {
            en: "I remember nothing beyond the conversation.",
            de: "Über das Gespräch hinaus merke ich mir nichts.",
            es: "No recuerdo nada más allá de la conversación.",
            fr: "Je ne retiens rien au-delà de la conversation.",
        }
        CostToday {
            en: "Today my models have cost ${dollars} in this server.",
            de: "Heute haben meine Modelle auf diesem Server ${dollars} gekostet.",
            es: "Hoy mis modelos han costado ${dollars} en este servidor.",
            fr: "Aujourd'hui, mes modèles ont coûté ${dollars} sur ce serveur.",
        }
        OperatorForgets {
            en: "Only whoever runs me may have something forgotten here. Ask them.",
            de: "Vergessen lassen darf hier nur, wer mich betreibt. Frag dort.",
            es: "Aquí solo quien me aloja puede hacer olvidar algo. Pídeselo.",
            fr: "Ici, seule la personne qui m'héberge peut faire oublier quelque chose. Demande-lui.",
        }
        AreYouSure {
            en: "That forgets everything of you here, for good: what you said, and what I have kept of it. Use the command again with `sure: True`.",
            de: "Damit wird hier alles von dir vergessen, für immer: was du gesagt hast und was ich davon behalten habe. Benutze den Befehl noch einmal mit `sure: True`.",
            es: "Eso olvida todo lo tuyo aquí, para siempre: lo que dijiste y lo que he guardado de ello. Usa la orden otra vez con `sure: True`.",
            fr: "Cela oublie tout de toi ici, pour toujours : ce que tu as dit et ce que j'en ai gardé. Utilise de nouveau la commande avec `sure: True`.",
        }
        NothingToForget {
            en: "There is nothing of yours here that I could forget.",
            de: "Hier ist nichts von dir, das ich vergessen könnte.",
            es: "Aquí no hay nada tuyo que pueda olvidar.",
            fr: "Il n'y a rien de toi ici que je puisse oublier.",
        }
        IsForgotten {
            en: "It is forgotten, for good.",
            de: "Es ist vergessen, für immer.",
            es: "Está olvidado, para siempre.",
            fr: "C'est oublié, pour toujours.",
        }
        NotForgotten {
            en: "It is not forgotten, or not everywhere: {error}",
            de: "Es ist nicht vergessen, oder nicht überall: {error}",
            es: "No está olvidado, o no en todas partes: {error}",
            fr: "Ce n'est pas oublié, ou pas partout : {error}",
        }
        NoChannel {
            en: "There is no channel here.",
            de: "Hier ist kein Kanal.",
            es: "Aquí no hay ningún canal.",
            fr: "Il n'y a pas de salon ici.",
        }
        NoQuestion {
            en: "There is no question.",
            de: "Da ist keine Frage.",
            es: "No hay ninguna pregunta.",
            fr: "Il n'y a pas de question.",
        }
        QuestionTooLong {
            en: "That is too long for a command. Mention me and write it.",
            de: "Das ist zu lang für einen Befehl. Erwähne mich und schreib es.",
            es: "Eso es demasiado largo para una orden. Mencióname y escríbelo.",
            fr: "C'est trop long pour une commande. Mentionne-moi et écris-le.",
        }
        NothingSet {
            en: "Nothing is set for this server alone.",
            de: "Für diesen Server allein ist nichts eingestellt.",
            es: "No hay nada ajustado solo para este servidor.",
            fr: "Rien n'est réglé pour ce serveur seul.",
        }
        SetHere {
            en: "Set for this server:\n{list}",
            de: "Für diesen Server eingestellt:\n{list}",
            es: "Ajustado para este servidor:\n{list}",
            fr: "Réglé pour ce serveur :\n{list}",
        }
        GiveAKey {
            en: "Give a key to see or change one; while you type, those that can be changed are shown.",
            de: "Gib einen Schlüssel an, um ihn zu sehen oder zu ändern; beim Tippen werden die gezeigt, die sich ändern lassen.",
            es: "Da una clave para verla o cambiarla; mientras escribes se muestran las que se pueden cambiar.",
            fr: "Donne une clé pour la voir ou la changer ; pendant que tu écris, celles qui peuvent l'être s'affichent.",
        }
        ForTheOperator {
            en: "`{key}` is for whoever runs me to set, not for one server.",
            de: "`{key}` stellt ein, wer mich betreibt, und nicht ein einzelner Server.",
            es: "`{key}` lo ajusta quien me aloja, no un servidor.",
            fr: "`{key}` se règle par la personne qui m'héberge, pas par un serveur.",
        }
        KeyIs {
            en: "`{key}` is `{value}`.",
            de: "`{key}` ist `{value}`.",
            es: "`{key}` es `{value}`.",
            fr: "`{key}` est `{value}`.",
        }
        KeyIsUsual {
            en: "`{key}` is as it always is.",
            de: "`{key}` ist wie immer.",
            es: "`{key}` está como siempre.",
            fr: "`{key}` est comme d'habitude.",
        }
        Changed {
            en: "Done: `{key}` is `{value}` in this server.",
            de: "Erledigt: `{key}` ist auf diesem Server `{value}`.",
            es: "Hecho: `{key}` es `{value}` en este servidor.",
            fr: "C'est fait : `{key}` est `{value}` sur ce serveur.",
        }
        TakenBack {
            en: "Done: `{key}` is what it is everywhere.",
            de: "Erledigt: `{key}` ist wie überall.",
            es: "Hecho: `{key}` es lo que es en todas partes.",
            fr: "C'est fait : `{key}` est comme partout.",
        }
        NotChanged {
            en: "It could not be changed: {error}",
            de: "Es ließ sich nicht ändern: {error}",
            es: "No se ha podido cambiar: {error}",
            fr: "Cela n'a pas pu être changé : {error}",
        }
        NoVoiceHere {
            en: "There are no voice channels here. Ask me in a server.",
            de: "Hier gibt es keine Sprachkanäle. Frag mich auf einem Server.",
            es: "Aquí no hay canales de voz. Pídemelo en un servidor.",
            fr: "Il n'y a pas de salons vocaux ici. Demande-le-moi sur un serveur.",
        }
        GoIntoVoice {
            en: "Go into a voice channel first, and use `/denizen join` again: I come to you.",
            de: "Geh erst in einen Sprachkanal und benutze dann `/denizen kommen` noch einmal: Ich komme zu dir.",
            es: "Entra primero en un canal de voz y usa otra vez `/denizen entrar`: voy contigo.",
            fr: "Entre d'abord dans un salon vocal, puis utilise de nouveau `/denizen venir` : je viens à toi.",
        }
        VoiceIsOff {
            en: "My voice is switched off here (`voice.enabled`). Whoever runs me can switch it on.",
            de: "Meine Stimme ist hier ausgeschaltet (`voice.enabled`). Wer mich betreibt, kann sie einschalten.",
            es: "Mi voz está apagada aquí (`voice.enabled`). Quien me aloja puede encenderla.",
            fr: "Ma voix est coupée ici (`voice.enabled`). La personne qui m'héberge peut l'activer.",
        }
        CannotCome {
            en: "I cannot come into {channel}: {obstacle}.",
            de: "Ich kann nicht in {channel} kommen: {obstacle}.",
            es: "No puedo entrar en {channel}: {obstacle}.",
            fr: "Je ne peux pas venir dans {channel} : {obstacle}.",
        }
        ThereAlready {
            en: "I am in {channel} already.",
            de: "Ich bin schon in {channel}.",
            es: "Ya estoy en {channel}.",
            fr: "Je suis déjà dans {channel}.",
        }
        SomewhereElse {
            en: "I am in {channel}, and I can be in one voice channel only. Somebody there can send me away with `/denizen leave`, and people who may manage messages can have me come to you.",
            de: "Ich bin in {channel}, und ich kann nur in einem Sprachkanal sein. Wer dort ist, kann mich mit `/denizen gehen` wegschicken, und wer Nachrichten verwaltet, kann mich zu dir holen.",
            es: "Estoy en {channel} y solo puedo estar en un canal de voz. Quien esté allí puede despedirme con `/denizen salir`, y quien gestiona mensajes puede traerme contigo.",
            fr: "Je suis dans {channel}, et je ne peux être que dans un salon vocal. Quelqu'un là-bas peut me renvoyer avec `/denizen partir`, et qui gère les messages peut me faire venir à toi.",
        }
        Coming {
            en: "I am coming into {channel}. What I understand there I keep as I keep what is typed; `/listen off` typed there keeps me from listening to you, and `/denizen leave` sends me away.",
            de: "Ich komme in {channel}. Was ich dort verstehe, behalte ich wie Getipptes; `/listen off`, dort getippt, hält mich davon ab, dir zuzuhören, und `/denizen gehen` schickt mich weg.",
            es: "Voy a {channel}. Lo que entienda allí lo guardo como lo que se escribe; si escribes allí `/listen off` no te escucho, y `/denizen salir` me despide.",
            fr: "J'arrive dans {channel}. Ce que j'y comprends, je le garde comme ce qui est écrit ; `/listen off` écrit là-bas m'empêche de t'écouter, et `/denizen partir` me renvoie.",
        }
        InNoVoice {
            en: "I am in no voice channel here.",
            de: "Ich bin hier in keinem Sprachkanal.",
            es: "Aquí no estoy en ningún canal de voz.",
            fr: "Je ne suis dans aucun salon vocal ici.",
        }
        ForThoseThere {
            en: "I am in {channel}. Whoever is there can send me away.",
            de: "Ich bin in {channel}. Wer dort ist, kann mich wegschicken.",
            es: "Estoy en {channel}. Quien esté allí puede despedirme.",
            fr: "Je suis dans {channel}. Les personnes qui y sont peuvent me renvoyer.",
        }
        Leaving {
            en: "I leave {channel}.",
            de: "Ich verlasse {channel}.",
            es: "Salgo de {channel}.",
            fr: "Je quitte {channel}.",
        }
        NotNow {
            en: "It does not work at the moment: {error}",
            de: "Das geht gerade nicht: {error}",
            es: "Ahora mismo no funciona: {error}",
            fr: "Cela ne marche pas en ce moment : {error}",
        }
        WatchHere {
            en: "Discord does not let bots see streams and shared screens, so I have a page for that: {link}\nOpen it until {until} and choose there what I see; it is yours alone, and good for one screen. I look along in {channel}{aloud}.",
            de: "Discord lässt Bots keine Streams und geteilten Bildschirme sehen. Deshalb habe ich dafür eine Seite: {link}\nÖffne sie bis {until} und wähle dort, was ich sehe; sie ist nur für dich und gilt für einen Bildschirm. Ich schaue in {channel} mit{aloud}.",
            es: "Discord no deja que los bots vean retransmisiones ni pantallas compartidas, así que tengo una página para eso: {link}\nÁbrela antes de {until} y elige allí lo que veo; es solo para ti y vale para una pantalla. Miro en {channel}{aloud}.",
            fr: "Discord ne laisse pas les bots voir les streams et les écrans partagés, j'ai donc une page pour cela : {link}\nOuvre-la avant {until} et choisis-y ce que je vois ; elle est à toi seul et vaut pour un écran. Je regarde dans {channel}{aloud}.",
        }
        CommentsAloud {
            en: ", and comment aloud",
            de: " und kommentiere laut",
            es: " y comento en voz alta",
            fr: " et commente à voix haute",
        }
        WatchNoAddress {
            en: "Discord does not let bots see streams and shared screens. I have a page on which you could show me one, but it cannot be opened from outside: whoever runs me has to give me an address with TLS (`denizen run --public-url https://…`).",
            de: "Discord lässt Bots keine Streams und geteilten Bildschirme sehen. Ich habe eine Seite, auf der du mir einen zeigen könntest, aber sie ist von außen nicht erreichbar: Wer mich betreibt, muss mir eine Adresse mit TLS geben (`denizen run --public-url https://…`).",
            es: "Discord no deja que los bots vean retransmisiones ni pantallas compartidas. Tengo una página donde podrías enseñarme una, pero no se puede abrir desde fuera: quien me aloja tiene que darme una dirección con TLS (`denizen run --public-url https://…`).",
            fr: "Discord ne laisse pas les bots voir les streams et les écrans partagés. J'ai une page où tu pourrais m'en montrer un, mais elle ne s'ouvre pas de l'extérieur : la personne qui m'héberge doit me donner une adresse avec TLS (`denizen run --public-url https://…`).",
        }
    }
}
