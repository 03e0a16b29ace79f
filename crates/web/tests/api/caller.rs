//! Calling the API as any program would.

use std::net::SocketAddr;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::Value;

#[derive(Clone)]
pub struct Caller {
    pub client: Client,
    pub base: String,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Caller {
    /// Somebody who has shown nothing.
    pub fn new(address: SocketAddr) -> Self {
        Self::with(address, HeaderMap::new())
    }

    /// Somebody who shows a token with every call that shows no other.
    pub fn knowing(address: SocketAddr, token: &str) -> Self {
        let bearer = HeaderValue::from_str(&format!("Bearer {token}")).unwrap();
        Self::with(address, HeaderMap::from_iter([(AUTHORIZATION, bearer)]))
    }

    fn with(address: SocketAddr, headers: HeaderMap) -> Self {
        // A second test in this process finds it installed already.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let client = Client::builder()
            .no_proxy()
            .redirect(Policy::none())
            .default_headers(headers)
            .build()
            .unwrap();
        Self {
            client,
            base: format!("http://{address}"),
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.base))
            .timeout(Duration::from_secs(60))
    }

    pub async fn get(&self, path: &str) -> Answer {
        answer(self.request(Method::GET, path)).await
    }

    pub async fn send(&self, method: Method, path: &str, body: &Value) -> Answer {
        answer(self.with_json(method, path, body)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, body).await
    }

    pub fn with_json(&self, method: Method, path: &str, body: &Value) -> RequestBuilder {
        self.request(method, path)
            .header("content-type", "application/json")
            .body(body.to_string())
    }

    /// Opens the live events; more headers may be given.
    pub async fn listen(&self, path: &str, headers: &[(&'static str, &str)]) -> Response {
        let mut request = self.client.get(format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, HeaderValue::from_str(value).unwrap());
        }
        request.send().await.unwrap()
    }
}

pub async fn answer(request: RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        text: response.text().await.unwrap(),
    }
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {} {}", self.status, self.text))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Checks a refusal: its status and code, and that its message is for people and has a remedy.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> String {
        assert_eq!(self.status, status, "{}", self.text);
        let error = &self.json()["error"];
        assert_eq!(error["code"], code, "{}", self.text);
        let message = error["message"].as_str().unwrap().to_owned();
        let sentences = message.matches(['.', ';']).count();
        assert!(sentences >= 1 && message.len() > 30, "says too little: {message}");
        message
    }

    #[track_caller]
    pub fn ok(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        if self.text.is_empty() {
            Value::Null
        } else {
            self.json()
        }
    }
}
