// Thoughts of its own as the API tells them, for checks to compare the page with.
export class ThoughtsApi {
  constructor(url) {
    this.url = url;
  }

  async call(method, path, body, headers = {}) {
    const response = await fetch(`${this.url}${path}`, { method, headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers }, body: body === undefined ? undefined : JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return text ? JSON.parse(text) : null;
  }

  view = () => this.call('GET', '/api/ambient');

  settings = () => this.call('GET', '/api/settings');

  async knob(key) {
    return (await this.settings()).knobs.find((knob) => knob.key === key)?.value;
  }

  /** Saves settings; null goes back to the default. */
  async set(changes) {
    const { version } = await this.settings();
    return this.call('PUT', '/api/settings', { changes }, { 'if-match': `"${version}"` });
  }

  /** Messages of Denizen's in the room, oldest first. */
  async said(room = 'lounge') {
    return (await this.call('GET', `/api/rooms/${room}/messages?limit=50`)).messages.filter(({ author }) => author.kind === 'denizen');
  }
}
