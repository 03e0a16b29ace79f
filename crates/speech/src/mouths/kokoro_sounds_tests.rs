use super::*;

#[test]
fn the_sounds_of_espeak_become_those_that_kokoro_learnt() {
    for (language, theirs, own) in [
        (
            "en-us",
            "həlˈoʊ, wˈɛðɚɹ ɪz lˈaɪk tədˈeɪ?",
            "hᵊlˈO, wˈɛðəɹ ɪz lˈIk tədˈA?",
        ),
        ("en-us", "ðə bˈɜːd ænd ɐ tʃˈɔɪs", "ðə bˈɜɹd ænd ə ʧˈYs"),
        ("en-gb", "həlˈəʊ, njˈuː kˈɑː", "hᵊlˈQ, njˈuː kˈɑː"),
        ("it", "tʃˈao, pˈittsa", "ʧˈao, pˈitʦa"),
    ] {
        assert_eq!(adapted(theirs, language), own);
    }
}

#[test]
fn sounds_have_the_numbers_of_kokoro_s_own_list_and_what_it_does_not_know_is_left_out() {
    assert_eq!(numbers("hᵊlˈO, ʤ?"), [50, 42, 54, 156, 31, 3, 16, 82, 6]);
    assert_eq!(numbers("ˌᵻːʔz1☃"), [157, 177, 158, 148, 68]);
}

#[test]
fn a_long_text_is_said_in_pieces_that_end_at_a_mark_or_between_words() {
    let clause = [50, 51, 16, 52, 3];
    let long = clause.repeat(250);
    let cut = pieces(&long);
    assert_eq!(cut.concat(), long);
    assert!(
        cut.iter()
            .all(|piece| piece.len() <= SOUNDS_MAX && piece.ends_with(&[3])),
        "{cut:?}"
    );
    let without_marks = [50, 51, 52, 16].repeat(200);
    assert!(pieces(&without_marks)[0].ends_with(&[16]));
    let one_word = [50].repeat(600);
    assert_eq!(
        pieces(&one_word)
            .iter()
            .map(|piece| piece.len())
            .collect::<Vec<_>>(),
        [510, 90]
    );
    assert!(pieces(&[]).is_empty());
}
