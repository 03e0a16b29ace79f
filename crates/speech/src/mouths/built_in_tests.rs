use super::*;

async fn said(text: &str, pace: f32) -> (Vec<i16>, Vec<(f64, usize)>) {
    let (sender, mut receiver) = mpsc::channel(64);
    let text = text.to_owned();
    let saying = tokio::spawn(async move { BuiltIn::new(pace).say(&text, "", &sender).await });
    let (mut samples, mut marks) = (Vec::new(), Vec::new());
    while let Some(piece) = receiver.recv().await {
        assert_eq!(piece.rate, 16_000);
        samples.extend(piece.samples);
        marks.extend(piece.marks);
    }
    saying.await.expect("no panic").expect("it speaks");
    (samples, marks)
}

#[tokio::test]
async fn it_speaks_with_nothing_installed() {
    let (samples, _) = said("Hello, I am here and I can speak.", 1.0).await;
    let seconds = samples.len() as f64 / 16_000.0;
    assert!((1.0..6.0).contains(&seconds), "{seconds} s");
    let loudest = samples.iter().map(|sample| sample.unsigned_abs()).max();
    assert!(loudest > Some(3_000), "{loudest:?}");
}

#[tokio::test]
async fn it_tells_when_each_word_is_over() {
    let text = "One two. Three four five.";
    let (samples, marks) = said(text, 1.0).await;
    let reached: Vec<&str> = marks.iter().map(|(_, characters)| &text[..*characters]).collect();
    assert_eq!(
        reached,
        ["One", "One two.", "One two. Three", "One two. Three four", text]
    );
    assert!(marks.windows(2).all(|pair| pair[0].0 < pair[1].0), "{marks:?}");
    let seconds = samples.len() as f64 / 16_000.0;
    let last = marks.last().expect("marks").0;
    assert!((last - seconds).abs() < 0.5, "{last} of {seconds} s");
}

#[tokio::test]
async fn it_speaks_faster_when_it_is_told_to() {
    let (slow, _) = said("The quick brown fox jumps over the lazy dog.", 1.0).await;
    let (fast, _) = said("The quick brown fox jumps over the lazy dog.", 2.0).await;
    assert!(
        fast.len() * 3 < slow.len() * 2,
        "{} and {}",
        fast.len(),
        slow.len()
    );
}

#[tokio::test]
async fn letters_that_it_does_not_know_are_said_as_those_that_they_are_like() {
    assert_eq!(folded("Zoë’s café, łódź").0, "Zoe's cafe, lodz");
    let text = "Zoë isst Straßen auf";
    let (samples, marks) = said(text, 1.0).await;
    let plain = said("Zoe isst Strassen auf", 1.0).await.0;
    assert_eq!(samples.len(), plain.len());
    let reached: Vec<String> = marks
        .iter()
        .map(|(_, characters)| text.chars().take(*characters).collect())
        .collect();
    assert_eq!(reached, ["Zoë", "Zoë isst", "Zoë isst Straßen", text]);
}

#[tokio::test]
async fn of_letters_that_are_like_none_it_says_that_it_cannot() {
    let (sender, _receiver) = mpsc::channel(4);
    let trouble = BuiltIn::new(1.0).say("こんにちは!", "", &sender).await;
    assert!(trouble.expect_err("no sound").detail.contains("espeak"));
}
