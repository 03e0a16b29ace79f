use super::*;

/// Ordinary names of many places, which people have beside each other.
const ORDINARY: &str = "Aaron Abdul Adam Ada Aditi Ahmed Aisha Alan Albert Alex Alexander Alexandra Ali Alice Alicia Alina \
    Amir Amy Ana Andrea Andreas Andrew Angela Ann Anna Anne Anton Antonio Anya Ari Arthur Astrid Ayşe Beatriz Ben Bernd \
    Bo Bob Bob2 Bobby Boris Brian Camila Carl Carla Carlo Carlos Carol Cem Chloe Chris Clara Dan Dana Daniel Daniela \
    David Dean Deniz Denis Denise Dennis Diego Dina Dirk Eli Elena Elif Elin Ella Ellen Elsa Emil Emilia Emily Emma Eric \
    Erik Erika Eva Fatima Felix Finn Frank Fred Frida Georg Giulia Grace Greta Hana Hanna Hannah Hans Harry Hassan Heidi \
    Helen Helena Hugo Ian Ida Ines Ingrid Iris Isabel Ivan Jack Jakob Jan Jana Jane Jean Jens Jin Joan Joe Johan John \
    Jon Jonas José Juan Julia Julian Julie Jun Kai Kari Karim Karin Karl Karla Kate Ken Kim Klara Kurt Lan Lara Lars Laura \
    Lea Leah Lee Lena Leo Leon Li Liam Lina Linda Lisa Liu Lou Luca Lucas Lucia Luis Luke Lukas Lily Mai Marc Marco Maria \
    Marie Mario Mark Marko Martin Mary Max Maya Mei Mia Michael Mike Mila Milan Mina Mira Mohammed Nadia Nick Nico Niko \
    Nils Nina Noa Noah Nora Olaf Olga Olivia Omar Oscar Otto Paul Paula Pavel Pedro Peter Petra Pia Rafael Rami Rana Ravi \
    Rita Rob Robin Rosa Ryan Sam Samir Sami Sara Sarah Sasha Sina Sofia Sophie Stefan Sven Tal Talbot Tim Tina Tom Tomas \
    Uli Ulla Uma Vera Victor Viktor Wei Will Yan Yara Yuki Yusuf Zoe \
    Анна Алла Алина Анастасия Андрей Борис Вадим Валя Ваня Вера Виктор Владимир Галина Дарья Денис Дима Ева Егор Елена \
    Жанна Зоя Иван Игорь Илья Инна Ирина Катя Кирилл Лариса Лев Лена Лида Максим Марина Мария Миша Наташа Нина Олег Ольга \
    Павел Пётр Полина Рита Роман Саша Света Сергей Соня Таня Тимур Ульяна Фёдор Юля Юрий Яна Ярослав \
    أحمد محمد محمود فاطمة عائشة علي عمر مريم خالد ليلى نور سارة يوسف زينب \
    王伟 李娜 张敏 刘洋 陈静 杨帆 山田 田中 佐藤 鈴木 高橋 中村 小林 さくら はると ゆい ひな タロウ ハナコ 김민준 이서연 박지훈 최유나 \
    राम रमा रीमा सीता गीता अनिता Νίκος Μαρία Ελένη Γιώργος Κώστας דוד שרה משה רחל สมชาย สมศรี";

fn ordinary() -> Vec<&'static str> {
    ORDINARY.split_whitespace().collect()
}

#[test]
fn ordinary_names_are_not_refused_against_each_other_nor_against_denizens() {
    let names = ordinary();
    assert!(names.len() > 300, "{}", names.len());
    for (at, one) in names.iter().enumerate() {
        for other in &names[at + 1..] {
            assert!(!looks_like(one, other), "{one} and {other}");
        }
        for own in ["Denizen", "Claude", "Jarvis", "Clanky"] {
            assert!(!passes_for(one, own, Care::Own), "{one} beside {own}");
        }
    }
}

#[test]
fn few_ordinary_names_are_refused_beside_those_of_administrators() {
    let names = ordinary();
    let pairs = |one: &&str| {
        names
            .iter()
            .filter(|other| passes_for(other, one, Care::Administrator))
            .count()
            - 1
    };
    let refused: Vec<&&str> = names.iter().filter(|one| pairs(one) > 0).collect();
    // Where `i` and `l` are the same, these are: so be it for who is in charge.
    assert_eq!(refused, [&"Ian", &"Kari", &"Karl", &"Lan"]);
}

#[test]
fn signs_titles_and_letters_of_elsewhere_make_no_other_person() {
    for alike in [
        "Alice!",
        "@Alice",
        "@lice",
        "Al!ce",
        "Alice (admin)",
        "[MOD] Alice",
        "Alice | Official",
        "Alice ✓",
        "Alice ☑️",
        "👑 Alice",
        "Alice™",
        "~Alice~",
        "AIice",
        "A1ice",
        "ꓮlice",
        "Ꭺlice",
        "ꭺlice",
        "Al1ce",
        "M4ria of old",
    ] {
        let whom = if alike.starts_with('M') {
            "Maria of old"
        } else {
            "Alice"
        };
        assert!(looks_like(alike, whom) && looks_like(whom, alike), "{alike}");
    }
    for other in [
        "Alicia",
        "Alice2",
        "Alice B",
        "Alice (Berlin)",
        "Alix",
        "Malice",
        "Alice Bot",
    ] {
        assert!(!looks_like(other, "Alice"), "{other}");
    }
}

#[test]
fn an_administrators_name_is_guarded_more_closely() {
    for alike in [
        "Alice (Berlin)",
        "Alice Bot",
        "The Real Alice",
        "Al1c3",
        "Aiice",
        "Alice team",
        "Alice",
    ] {
        assert!(passes_for(alike, "Alice", Care::Administrator), "{alike}");
    }
    for (other, whom) in [
        ("Anna", "Ann"),
        ("Bob2", "Bob"),
        ("Talbot", "Tal"),
        ("Alice Miller", "Alice"),
    ] {
        assert!(!passes_for(other, whom, Care::Administrator), "{other}");
    }
}

#[test]
fn denizens_own_name_is_guarded_most_closely() {
    for alike in [
        "Deni2en",
        "Den12en",
        "Dennizen",
        "Denizenn",
        "DDenizen",
        "denizen bot",
        "DenizenBot",
        "TheDenizen",
        "Denizen (official)",
        "(Den)izen",
        "[Denizen]",
        "Denizen 2",
        "Denizen2",
        "Denizen!",
        "@Denizen",
        "Denizen ✓",
        "denizen-ai",
        "Ꭰenizen",
        "ꭰꭼnizꭼn",
        "ↁenizen",
        "Ⅾenⅰzen",
        "ꓓꓰꓠꓲꓜꓰꓠ",
        "ᗪEᑎIᘔEᑎ",
        "ᗪ乇几丨乙乇几",
        "ᎠᎬᏁᎥᏃᎬᏁ",
        "Denizen Support Team",
    ] {
        assert!(passes_for(alike, "Denizen", Care::Own), "{alike}");
    }
    for other in [
        "Denizens",
        "Citizen",
        "Denizen of Rome",
        "Dennis",
        "Zen",
        "2",
        "Bot",
        "The Admin",
    ] {
        assert!(!passes_for(other, "Denizen", Care::Own), "{other}");
    }
}
