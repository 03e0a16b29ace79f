// Parts of a message as a server renders them: what comes with it, and what people put under it.
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { beforeAll, describe, expect, it, vi } from 'vitest';

let html: (name: string, props: Record<string, unknown>) => string;
let session: { takeName: (name: string) => void; health: unknown; role: string };

beforeAll(async () => {
  vi.stubGlobal('location', { hash: '#/room/lounge', search: '', href: 'http://here/' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('localStorage', { getItem: () => null });
  const all = import.meta.glob<{ default: Component<Record<string, unknown>> }>('./{Attachments,Reactions}.svelte');
  const loaded = new Map(await Promise.all(Object.entries(all).map(async ([path, load]) => [path, (await load()).default] as const)));
  html = (name, props) => render(loaded.get(`./${name}.svelte`)!, { props }).body;
  ({ session } = await import('../shell/session.svelte'));
});

describe('what comes with a message', () => {
  const attachment = (mime: string, name = 'made "for" it') => ({ id: 'a/1', mime, name, bytes: 1_200 });
  it('a clip can be played, and does not begin by itself', () => {
    const shown = html('Attachments', { attachments: [attachment('video/mp4')] });
    expect(shown).toMatch(/<video[^>]*src="\/api\/attachments\/a%2F1"[^>]*controls/);
    expect(shown).not.toContain('autoplay');
  });
  it('pictures and GIFs are looked at', () => expect(html('Attachments', { attachments: [attachment('image/png'), { ...attachment('image/gif'), id: 'b' }] })).toMatch(/<img[^>]*alt="made &quot;for&quot; it".*GIF/s));
  it('anything else is a link', () => expect(html('Attachments', { attachments: [attachment('application/octet-stream', 'file.bin')] })).toMatch(/data-attachment="file".*file\.bin, 1\.2 kB/s));
});

describe('reactions', () => {
  const author = { id: 'local:bob', name: 'Bob', kind: 'person' as const };
  const message = { seq: 1, id: 'm1', room: 'lounge', author, text: '', at: 0, reactions: [{ emoji: '🎲', people: ['local:bob', 'local:ada'] }, { emoji: '<b>', people: ['local:bob'] }] };
  const shown = (open: boolean) => {
    session.takeName('Ada');
    session.health = { community: 'local' };
    session.role = 'participant';
    return html('Reactions', { room: { people: new Map([[author.id, author.name]]) }, message, open, close: () => undefined });
  };
  it('are buttons that say who gave them and what a press does, one’s own pressed', () => {
    expect(shown(false)).toMatch(/aria-pressed="true"[^]*?>\. Bob and you reacted with 🎲\. Take yours back</);
    expect(shown(false)).toMatch(/aria-pressed="false"[^]*?>\. Bob reacted with &lt;b>\. React the same</);
    expect(shown(false)).not.toContain('reaction-picker');
  });
  it('are picked from a few, or typed', () => {
    expect(shown(true)).toContain('aria-label="React with 👍"');
    expect(shown(true)).toContain('Another emoji or short word');
  });
  it('are text', () => expect(shown(true)).not.toContain('<b>'));
});
