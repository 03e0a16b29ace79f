// The key at the end of a link. It leaves the address at once: the address bar may be on the very screen that is shared.
const KEY = 'denizen.share';

/** The key of this tab: from the address, or from before it was taken out of there. */
export function takeKey(): string {
  const given = decodeURIComponent(location.hash.slice(1)).trim();
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return given || (sessionStorage.getItem(KEY) ?? '');
}

/** A link is worth nothing once its share is over. */
export function forgetKey(): void {
  sessionStorage.removeItem(KEY);
}
