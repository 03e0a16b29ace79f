use super::*;

fn says(status: u16, body: &str) -> bool {
    is_elsewhere(Some(status), &ErrorReport::from_body(body.as_bytes()))
}

#[test]
fn a_country_that_is_not_served_is_told_in_many_ways() {
    for (status, body) in [
        // OpenAI, and gateways that pass on its words without its code.
        (
            403,
            r#"{"error":{"code":"unsupported_country_region_territory","message":"x"}}"#,
        ),
        (
            403,
            r#"{"error":{"message":"Country, region, or territory not supported (request id: 20240725)","type":"new_api_error"}}"#,
        ),
        (
            403,
            r#"{"error":{"message":"Provider returned error","code":403,"metadata":{"raw":"{\"error\":{\"code\":\"unsupported_country_region_territory\",\"message\":\"x\"}}"}}}"#,
        ),
        (
            403,
            "Access from your country, region, or territory is not supported.",
        ),
        // Google and Amazon.
        (
            400,
            r#"{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}"#,
        ),
        (
            400,
            r#"{"message":"Access to Anthropic models is not allowed from unsupported countries, regions, or territories."}"#,
        ),
        // Anthropic.
        (
            403,
            r#"{"error":{"type":"forbidden","message":"Request not allowed"}}"#,
        ),
        (
            403,
            r#"{"error":{"type":"permission_error","message":"Our services are not available in your current location."}}"#,
        ),
        // OpenRouter and whoever else.
        (
            403,
            r#"{"error":{"message":"This model is not available in your region.","code":403}}"#,
        ),
        (
            403,
            r#"{"type":"error","error":{"type":"RegionError","message":"x"}}"#,
        ),
        (
            403,
            r#"{"error":"Sorry, this service isn’t available in your country"}"#,
        ),
        (
            403,
            r#"{"error":"We do not serve the country you are asking from"}"#,
        ),
        (403, r#"{"error":"Requests from your region are blocked"}"#),
        (403, r#"{"error":"Your location is restricted"}"#),
        (403, r#"{"detail":"This API is geo-restricted"}"#),
        (403, "error code: 1009"),
        (
            403,
            "<title>Access denied</title> The owner of this website (api.example) has banned the country or region your IP address is in (CN) from accessing this website.",
        ),
        // For legal reasons, whatever else it says.
        (451, r#"{"error":{"message":"x"}}"#),
        (451, ""),
    ] {
        assert!(says(status, body), "{body}");
    }
}

#[test]
fn a_key_a_field_or_a_data_centre_is_not_where_somebody_is() {
    for (status, body) in [
        (
            401,
            r#"{"error":{"message":"Incorrect API key provided: your key is not valid in this region"}}"#,
        ),
        (
            403,
            r#"{"message":"Credential should be scoped to a valid region, not 'us-east-1'."}"#,
        ),
        (
            403,
            r#"{"error":{"type":"permission_error","message":"Your API key does not have permission to use this model"}}"#,
        ),
        (
            403,
            r#"{"error":{"type":"forbidden","message":"You may not use this workspace"}}"#,
        ),
        (
            403,
            r#"{"error":{"type":"permission_error","message":"Request not allowed"}}"#,
        ),
        (
            400,
            r#"{"message":"The model is not supported in region us-west-2"}"#,
        ),
        (
            404,
            r#"{"error":{"message":"Model not available in location global. Try another location."}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported parameter: 'user_location' is not supported with this model.","param":"user_location"}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"tools[0].user_location.country: value is not a country code"}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"The file location is not supported"}}"#,
        ),
        (
            401,
            r#"{"error":{"code":"incorrect_hostname","message":"attempted to access resource with incorrect regional hostname. Please make your request to us.api.openai.com"}}"#,
        ),
        (403, r#"{"error":{"message":"Forbidden"}}"#),
        (403, "error code: 1020"),
        (
            400,
            r#"{"error":{"message":"Which countries border France is supported. Your prompt was empty"}}"#,
        ),
    ] {
        assert!(!says(status, body), "{body}");
    }
}
