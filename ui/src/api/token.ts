// The access token that a Denizen on another address than loopback asks for; kept per browser tab.
const KEY = 'denizen.token';

export function token(): string {
  return sessionStorage.getItem(KEY) ?? '';
}

export function keepToken(value: string): void {
  sessionStorage.setItem(KEY, value.trim());
}

/** Takes `?token=` out of the page's address, so that it is neither bookmarked nor shown. */
export function takeTokenFromAddress(): void {
  const address = new URL(location.href);
  const given = address.searchParams.get('token');
  if (given === null) return;
  keepToken(given);
  address.searchParams.delete('token');
  history.replaceState(null, '', address);
}
