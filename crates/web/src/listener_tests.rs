use axum::serve::Listener;
use futures_util::FutureExt;
use tokio::net::{TcpListener, TcpStream};

use super::BoundedListener;

#[tokio::test]
async fn beyond_the_bound_a_connection_waits_until_another_is_closed() {
    let inner = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = inner.local_addr().unwrap();
    let mut listener = BoundedListener::new(inner, 2);
    let _callers = [
        TcpStream::connect(address).await.unwrap(),
        TcpStream::connect(address).await.unwrap(),
        TcpStream::connect(address).await.unwrap(),
    ];
    let (first, _) = listener.accept().await;
    let (_second, _) = listener.accept().await;
    assert!(
        listener.accept().now_or_never().is_none(),
        "there is no place for a third"
    );
    drop(first);
    listener.accept().await;
}
