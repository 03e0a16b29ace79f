use super::{Options, measure};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn communities_of_one_process_never_hear_each_other() {
    let options = Options {
        communities: 20,
        messages: 2,
    };
    let report = measure(options).await.unwrap();
    assert_eq!(report.cross_talk, Vec::<String>::new());
    assert!(report.replies >= report.communities, "{report:?}");
    assert!(report.asks >= report.replies && report.events > 0);
    assert!(report.turns >= report.messages, "{report:?}");
}
