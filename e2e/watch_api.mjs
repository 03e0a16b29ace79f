// The watch as the API tells it, for checks to compare the pages with.
export class WatchApi {
  constructor(url, room = 'lounge') {
    Object.assign(this, { url, room });
  }

  async call(method, path, body, headers = {}) {
    const json = body !== undefined && !(body instanceof Uint8Array);
    const response = await fetch(`${this.url}${path}`, {
      method, headers: { ...(json ? { 'content-type': 'application/json' } : {}), ...headers }, body: body === undefined ? undefined : json ? JSON.stringify(body) : body,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text };
  }

  view = async () => (await this.call('GET', `/api/rooms/${this.room}/watch`)).body;

  invite = async (name, source) => (await this.call('POST', `/api/rooms/${this.room}/shares`, { name, source })).body;

  choose = (share) => this.call('PUT', `/api/rooms/${this.room}/watch`, { share });

  /** Brings a picture in by the frame API. */
  frame = (link, bytes, mime = 'image/jpeg') => this.call('POST', link.framesUrl, bytes, { authorization: `Bearer ${link.token}`, 'content-type': mime });

  async knob(key) {
    return (await this.call('GET', '/api/settings')).body.knobs.find((knob) => knob.key === `voice.streamWatch.${key}`).value;
  }

  /** Saves settings of watching; null goes back to the default. */
  async set(changes) {
    const { version } = (await this.call('GET', '/api/settings')).body;
    const named = Object.fromEntries(Object.entries(changes).map(([key, value]) => [`voice.streamWatch.${key}`, value]));
    return this.call('PUT', '/api/settings', { changes: named }, { 'if-match': `"${version}"` });
  }
}
