//! The name of a site, as people say it: `https://www.youtube.com/…` is `youtube`.

/// Short addresses of sites that everybody knows by another name.
const SHORT: [(&str, &str); 4] = [
    ("youtu.be", "youtube"),
    ("redd.it", "reddit"),
    ("t.co", ""),
    ("twitter.com", "twitter"),
];
/// Labels before a country that are no names: `bbc.co.uk`.
const SECOND_LEVEL: [&str; 7] = ["co", "com", "org", "net", "ac", "gov", "edu"];

/// The name of the site of a canonical address; none where it has only a number.
pub(super) fn name_of_site(link: &str) -> Option<String> {
    let (_, rest) = link.split_once("://")?;
    let authority = rest.split('/').next()?;
    let host = authority
        .split(':')
        .next()
        .filter(|_| !authority.starts_with('['))?;
    let known = SHORT
        .iter()
        .find(|(short, _)| *short == host)
        .map(|(_, name)| *name);
    if let Some(known) = known {
        return Some(known.to_owned()).filter(|name| !name.is_empty());
    }
    let labels: Vec<&str> = host.split('.').collect();
    let name = match labels.as_slice() {
        [.., name, second, country] if country.len() == 2 && SECOND_LEVEL.contains(second) => name,
        [.., name, _] => name,
        _ => return None,
    };
    let is_name = name.len() >= 3 && name.chars().any(char::is_alphabetic);
    is_name.then(|| (*name).to_owned())
}
