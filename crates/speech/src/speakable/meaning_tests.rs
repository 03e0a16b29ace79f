//! What must mean aloud what it means in writing.

use super::tests::check;

#[test]
fn letters_that_belong_to_a_name_are_not_taken_from_it() {
    check(&[
        ("World War III", "World War III"),
        ("Henry VIII and Rocky III", "Henry VIII and Rocky III"),
        ("AAA games, an AAAA record, WWW", "AAA games, an AAAA record, WWW"),
        ("NOOOOOO way, yesssss", "NOOO way, yess"),
    ]);
}

#[test]
fn numbers_keep_their_meaning() {
    check(&[
        ("wait 30s", "wait thirty seconds"),
        ("the 90s, in the early 60s", "the nineties, in the early sixties"),
        ("music of the '80s", "music of the eighties"),
        ("2h 30m left", "two hours thirty minutes left"),
        ("5m ago, in 10m", "five minutes ago, in ten minutes"),
        ("a 5m rope", "a five meters rope"),
        ("a 70B model", "a seventy billion model"),
        ("-12.30 EUR", "minus twelve euros and thirty cents"),
        ("$-5.50 today", "minus five dollars and fifty cents today"),
        ("10 - 3 = 7", "ten minus three equals seven"),
        ("pages 3 - 5", "pages three to five"),
        ("6 / 2", "six divided by two"),
        ("9/11 and 50/50", "nine eleven and fifty fifty"),
        (
            "(555) 123-4567",
            "(five five five) one two three, four five six seven",
        ),
        ("100-1000 people", "one hundred to one thousand people"),
        ("1939–1945", "nineteen thirty-nine to nineteen forty-five"),
        (
            "a V8, v2.1 and V1.0",
            "a V8, version two point one and version one point zero",
        ),
        ("$20/month", "twenty dollars per month"),
        ("as shown[1] and told[12].", "as shown and told."),
        ("[1](https://example.org)", "one"),
        ("you may 5 times", "you may five times"),
        ("an RN won the IMO, imo", "an RN won the IMO, in my opinion"),
    ]);
}
