use secrecy::SecretString;
use settings::{MediaProvider, MediaSettings, Settings};
use vocabulary::MediaKind;

use super::Service;
use crate::keys::StudioKeys;

fn keys() -> StudioKeys {
    StudioKeys::from_env(|name| (name == "OPENAI_API_KEY").then(|| "sk-openai".to_owned()))
}

fn media() -> MediaSettings {
    MediaSettings {
        image_provider: MediaProvider::OpenAi,
        ..Settings::default().media
    }
}

#[test]
fn openai_is_reached_with_its_own_key_where_there_is_no_other() {
    let service = Service::of(MediaKind::Image, &media(), &keys()).unwrap();
    assert_eq!(
        service.address("/images/generations"),
        "https://api.openai.com/v1/images/generations"
    );
    assert_eq!(
        (service.key(), service.variable),
        (Some("sk-openai"), "OPENAI_API_KEY")
    );
    let both = StudioKeys {
        image: Some(SecretString::from("sk-image")),
        ..keys()
    };
    let service = Service::of(MediaKind::Image, &media(), &both).unwrap();
    assert_eq!(
        (service.key(), service.variable),
        (Some("sk-image"), "IMAGE_API_KEY")
    );
}

#[test]
fn a_server_of_somebody_else_never_gets_openais_key_and_needs_none() {
    let media = MediaSettings {
        image_url: "http://127.0.0.1:8188/".to_owned(),
        ..media()
    };
    let service = Service::of(MediaKind::Image, &media, &keys()).unwrap();
    assert_eq!(service.key(), None);
    assert_eq!(service.address("/images"), "http://127.0.0.1:8188/v1/images");
    assert_eq!(service.trusted_host().unwrap(), "127.0.0.1:8188");
    assert_eq!(
        service.resolve("/out/a.png").unwrap(),
        "http://127.0.0.1:8188/out/a.png"
    );
}

#[test]
fn openais_own_address_may_be_written_out() {
    let media = MediaSettings {
        image_url: "https://api.openai.com/v1/".to_owned(),
        ..media()
    };
    let service = Service::of(MediaKind::Image, &media, &keys()).unwrap();
    assert_eq!((service.key(), service.is_own), (Some("sk-openai"), false));
}

#[test]
fn what_is_missing_is_named() {
    let missing =
        |kind, media: &MediaSettings, keys: &StudioKeys| Service::of(kind, media, keys).unwrap_err();
    assert!(missing(MediaKind::Video, &media(), &keys()).contains("media.videoProvider"));
    assert!(
        missing(MediaKind::Image, &media(), &StudioKeys::default())
            .contains("IMAGE_API_KEY or OPENAI_API_KEY")
    );
    let giphy = MediaSettings {
        gif_provider: settings::GifProvider::Giphy,
        ..media()
    };
    assert!(missing(MediaKind::Gif, &giphy, &keys()).contains("GIPHY_API_KEY"));
    for (url, says) in [
        ("nonsense", "not an address"),
        ("ftp://x", "ftp"),
        ("http://a:b@x", "password"),
        ("http://x?k=1", "?"),
    ] {
        let media = MediaSettings {
            image_url: url.to_owned(),
            ..media()
        };
        let told = missing(MediaKind::Image, &media, &keys());
        assert!(told.contains("media.imageUrl") && told.contains(says), "{told}");
    }
}

#[test]
fn keys_do_not_print_themselves() {
    let service = Service::of(MediaKind::Image, &media(), &keys()).unwrap();
    let printed = format!("{service:?} {:?}", keys());
    assert!(!printed.contains("sk-openai"), "{printed}");
    assert_eq!(service.without_key("bad key sk-openai!"), "bad key [hidden]!");
}
