use super::{Catalogue, Purpose};

#[test]
fn the_built_in_catalogue_is_whole() {
    let catalogue = Catalogue::built_in();
    for purpose in Purpose::ALL {
        assert!(catalogue.for_purpose(purpose).is_some(), "nothing for {purpose}");
    }
    for model in &catalogue.models {
        for needed in &model.needs {
            assert!(catalogue.model(needed).is_some(), "{} needs {needed}", model.name);
        }
        assert!(
            !model.files.is_empty() && !model.licence.is_empty(),
            "{}",
            model.name
        );
        for file in &model.files {
            assert!(
                !file.path.contains(['/', '\\']) && !file.path.starts_with('.'),
                "{}",
                file.path
            );
            assert_eq!(file.sha256.len(), 64, "{}", file.path);
            assert!(
                file.sha256
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            );
            assert!(!file.sources.is_empty() && file.bytes > 0, "{}", file.path);
            for source in &file.sources {
                assert!(source.url.starts_with("https://"), "{}", source.url);
                let is_archive = source.url.ends_with(".whl") || source.url.ends_with(".tgz");
                assert_eq!(source.member.is_some(), is_archive, "{}", source.url);
                assert_eq!(source.bytes.is_some(), is_archive, "{}", source.url);
            }
        }
    }
}

#[test]
fn a_model_comes_after_what_it_needs_and_once() {
    let names = |wanted: &[&str]| {
        let wanted: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
        let models = Catalogue::built_in().wanted(&wanted);
        models.map(|models| models.iter().map(|model| model.name.clone()).collect::<Vec<_>>())
    };
    assert_eq!(
        names(&["ears"]),
        Ok(vec!["onnxruntime".to_owned(), "moonshine-tiny".to_owned()])
    );
    assert_eq!(
        names(&["piper-joe", "ears", "voice"]),
        Ok(["onnxruntime", "piper-joe", "moonshine-tiny"]
            .map(str::to_owned)
            .to_vec())
    );
    let refused = names(&["eras"]).expect_err("there is no such model").to_string();
    assert!(
        refused.contains("eras") && refused.contains("moonshine-tiny") && refused.contains("ears"),
        "{refused}"
    );
}
