//! Pictures that come with a message: fetched within bounds, checked to be what they say, and kept beside the message.

use std::time::Duration;

use bytes::Bytes;
use discord::wire::PostedFile;
use fetching::{FetchPolicy, Fetcher, Validators, Wanted};
use runtime::ports::Store;
use vocabulary::text::plain_line;
use vocabulary::{Attachment, AttachmentId, CommunityId, MessageId, is_fit_picture_size, picture_size};

/// The same bounds as in the local room.
const PICTURES_MAX: usize = 4;
const PICTURE_BYTES_MAX: usize = 5 * 1024 * 1024;
const NAME_MAX: usize = 120;
const DESCRIPTION_MAX: usize = 1_000;
/// A message waits for its pictures, and whatever is said after it.
const PATIENCE: Duration = Duration::from_secs(10);

/// Fetches pictures. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct PictureFetcher {
    fetcher: Fetcher,
    policy: FetchPolicy,
}

/// What came of a message's pictures.
#[derive(Debug, Default)]
pub(crate) struct FetchedPictures {
    pub attachments: Vec<Attachment>,
    /// A line for each that could not be had.
    pub missing: Vec<String>,
}

impl PictureFetcher {
    /// For a server at this address: pictures are on the open internet, or where a server of one's own is.
    pub fn new(api: &str) -> Self {
        let own = url::Url::parse(api)
            .ok()
            .filter(|_| fetching::service::is_loopback(api));
        let host = own.and_then(|url| Some(format!("{}:{}", url.host_str()?, url.port_or_known_default()?)));
        Self {
            fetcher: Fetcher::new(),
            policy: FetchPolicy {
                allowed_private_hosts: host.into_iter().collect(),
            },
        }
    }

    /// Fetches the pictures of a message and keeps them, under names that a repetition makes again.
    pub async fn keep(
        &self,
        store: &dyn Store,
        community: &CommunityId,
        message: &MessageId,
        files: &[PostedFile],
    ) -> FetchedPictures {
        let mut fetched = FetchedPictures::default();
        for (index, file) in files.iter().enumerate() {
            let name = plain_line(&file.name, NAME_MAX);
            let name = if name.is_empty() {
                "picture".to_owned()
            } else {
                name
            };
            if index >= PICTURES_MAX {
                fetched
                    .missing
                    .push(format!("[picture: {name}, one too many to look at]"));
                continue;
            }
            let id = AttachmentId::new(format!("{message}-{}", index + 1));
            match self.picture(file).await {
                Ok((mime, bytes)) => {
                    let size = bytes.len() as u64;
                    if let Err(error) = store.put_attachment(community, &id, mime, bytes).await {
                        tracing::warn!(%error, "a picture could not be stored");
                        fetched.missing.push(format!("[picture: {name}, not stored]"));
                        continue;
                    }
                    fetched.attachments.push(Attachment {
                        id,
                        mime: mime.to_owned(),
                        name,
                        bytes: size,
                        description: plain_line(
                            file.description.as_deref().unwrap_or_default(),
                            DESCRIPTION_MAX,
                        ),
                    });
                }
                Err(why) => fetched.missing.push(format!("[picture: {name}, {why}]")),
            }
        }
        fetched
    }

    async fn picture(&self, file: &PostedFile) -> Result<(&'static str, Bytes), &'static str> {
        if file.size > PICTURE_BYTES_MAX as u64 {
            return Err("too large to look at");
        }
        let wanted = Wanted {
            url: file.url.clone(),
            accept: vec!["image/*".to_owned()],
            max_bytes: PICTURE_BYTES_MAX,
            timeout: PATIENCE,
            validators: Validators::default(),
        };
        let fetched = self.fetcher.fetch(&wanted, &self.policy).await.map_err(|fault| {
            tracing::debug!(%fault, "a picture of a message could not be fetched");
            "which could not be loaded"
        })?;
        let mime = mime_of(&fetched.bytes).ok_or("which is none")?;
        let size = picture_size(&fetched.bytes).ok_or("which is damaged")?;
        match is_fit_picture_size(size) {
            true => Ok((mime, fetched.bytes)),
            false => Err("with too many pixels to look at"),
        }
    }
}

/// What the first bytes say a file is.
fn mime_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}
