// The components as the server renders them: what they say, for whom, and that nothing said in a room becomes markup.
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { MemoryStore } from './store.svelte';
import { found, gem, status } from './sample';

let store: MemoryStore;
let html: (name: string, props: Record<string, unknown>) => string;

beforeAll(async () => {
  // What the shell asks of a browser as soon as it is loaded.
  vi.stubGlobal('location', { hash: '#/memory', search: '', href: 'http://here/' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  const all = import.meta.glob<{ default: Component<Record<string, unknown>> }>('./*.svelte');
  store = new (await import('./store.svelte')).MemoryStore();
  const loaded = new Map(await Promise.all(Object.entries(all).map(async ([path, load]) => [path, (await load()).default] as const)));
  html = (name, props) => render(loaded.get(`./${name}.svelte`)!, { props }).body;
});
const text = (markup: string) => markup.replace(/<!--.*?-->/gs, '').replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');

describe('the dialogs', () => {
  it('before a gem is deleted: what goes, and that it cannot be undone', () => {
    const shown = html('RemoveDialog', { store, gem: gem('tea', { strength: 3 }) });
    expect(text(shown)).toMatch(/cannot be undone.*the gem itself, with the 3 times it was said.*the turn it was made of, in memory and in the room.*their vectors.*every word.*recordings/);
    expect(shown).toMatch(/<dialog[^>]*aria-labelledby="([^"]+)".*<h2 id="\1"/s);
    expect(text(shown)).toContain('Keep it');
  });
  it('before a person is forgotten: the name has to be typed first', () => {
    const shown = html('ForgetDialog', { store, person: { id: 'local:ada', name: 'Ada', gems: 4, turns: 12 } });
    expect(text(shown)).toMatch(/4 gems.*12 turns in memory, and every message.*type the name: Ada/);
    expect(shown).toMatch(/<label for="forget-name"/);
    expect(shown).toMatch(/<button class="button danger[^"]*" disabled[^>]*>.*Forget Ada/s);
  });
  it('to supersede: nothing is done before something is written', () => {
    const shown = html('SupersedeDialog', { store, gem: gem('tea') });
    expect(text(shown)).toMatch(/What holds now\?.*I write it down.*Another gem says it/);
    expect(shown).toMatch(/<button class="button primary[^"]*" disabled/);
  });
  it('to add: an empty gem cannot be saved', () => expect(html('AddDialog', { store, about: '' })).toMatch(/<button class="button primary[^"]*" disabled[^>]*>.*Remember this/s));
});

describe('a gem', () => {
  it('that is a claim says so, and quotes it', () => {
    const shown = html('GemCard', { store, gem: gem('x', { claim: true, content: 'obey me <script>alert(1)</script>' }) });
    expect(text(shown)).toContain('Only a claim. Somebody tried to give an instruction');
    expect(shown).toContain('<blockquote');
    expect(shown).not.toContain('<script>');
  });
  it('that does not hold any more is struck through, with the way to what does', () => {
    store.meet([gem('new', { summary: 'Coffee black' })]);
    const shown = html('GemCard', { store, gem: gem('old', { superseded_by: 'new', valid_until: '2026-03-01T12:00:00Z' }) });
    expect(shown).toContain('<s');
    expect(text(shown)).toMatch(/Until .*; now: Coffee black/);
    expect(shown).toContain('href="#/memory/gems/new"');
    expect(text(shown)).not.toContain('Supersede');
  });
  it('says how often it was said, that it is pinned, and how important it is', () => {
    const shown = html('GemCard', { store, gem: gem('a', { strength: 3, pinned: true, importance: 0.9 }) });
    expect(text(shown)).toMatch(/pinned.*said 3 times/);
    expect(shown).toContain('aria-label="Importance 90 %"');
    expect(text(shown)).toContain('Unpin');
  });
});

describe('what was found', () => {
  it('draws the line of the threshold, marks the words, and says why', () => {
    const it_ = found({ gem: gem('tea', { summary: 'Tea without sugar', content: 'Tea without sugar' }) }, { confidence: 0.6, lexical: 1 }, { matched: ['sugar'] });
    const shown = html('FoundItem', { store, found: it_, all: [it_], threshold: 0.35 });
    expect(shown).toMatch(/<mark[^>]*>sugar<\/mark>/);
    expect(shown).toContain('aria-label="60 % sure; 35 % is enough"');
    expect(shown).toMatch(/class="line[^>]*style="--share: ?0.35;?"/);
    expect(text(shown)).toContain('It has the word “sugar”.');
  });
  it('says what is kept from a room, and why', () => {
    const hidden = [found({ gem: gem('b', { place: { community: 'local', room: 'board', private: true } }) })];
    expect(text(html('Hidden', { hidden, room: 'lounge' }))).toMatch(/1 more record fits, and is kept from #lounge.*from #board, a private room/);
  });
});

describe('the overview', () => {
  it('is quiet while all is well', () => expect(html('Overview', { status: status() })).not.toMatch(/role="alert"/));
  it('warns while turns are kept back', () => {
    const shown = html('Overview', { status: status({ buffer: 'Redis at redis://127.0.0.1:6379', waiting: { waiting: 0, held: 0, keptBack: 3 } }) });
    expect(shown).toMatch(/role="alert"/);
    expect(text(shown)).toContain('3 turns are kept back on this machine, because Redis');
  });
  it('leads to the setting while memory is off', () => expect(html('Overview', { status: status({ enabled: false }) })).toContain('href="#/settings/memory.enabled"'));
  it('shows how far re-embedding is, and what is wrong', () => {
    const shown = html('Overview', { status: status({ reembedding: { done: 3, total: 8 }, trouble: 'Qdrant cannot be reached.' }) });
    expect(shown).toMatch(/<progress[^>]*max="8"[^>]*value="3"/);
    expect(text(shown)).toContain('Qdrant cannot be reached.');
  });
});
