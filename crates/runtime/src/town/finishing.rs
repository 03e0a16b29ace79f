//! Before an orderly end: what is being said is said to its end.

use std::time::Duration;

use futures_util::future::join_all;

use super::Town;

const LOOKS_AGAIN: Duration = Duration::from_millis(50);
/// A mind that does not answer by then is held up; nobody waits for it.
const LOOK_DEADLINE: Duration = Duration::from_millis(500);

impl Town {
    /// Waits until nothing is being said in any room, at most so long. False: something still is. What models are asked
    /// meanwhile is not waited for; the next start asks it again.
    pub async fn finish_saying(&self, within: Duration) -> bool {
        let finishing = async {
            while self.is_saying().await {
                tokio::time::sleep(LOOKS_AGAIN).await;
            }
        };
        tokio::time::timeout(within, finishing).await.is_ok()
    }

    async fn is_saying(&self) -> bool {
        let all = self.list();
        let looks = all
            .iter()
            .map(|hosted| tokio::time::timeout(LOOK_DEADLINE, hosted.handle.is_saying()));
        let looks = join_all(looks).await;
        looks.into_iter().any(|look| look.ok().flatten() == Some(true))
    }
}
