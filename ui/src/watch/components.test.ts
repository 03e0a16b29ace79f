// The watch page's parts as a server renders them: what they say, for whom, and that nothing seen on a screen becomes markup.
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { markAt, share, view } from './sample';

let html: (name: string, props: Record<string, unknown>) => string;

beforeAll(async () => {
  // What the shell asks of a browser as soon as it is loaded.
  vi.stubGlobal('location', { hash: '#/watch/lounge', search: '', href: 'http://here/', origin: 'http://here', hostname: 'here', protocol: 'http:' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('localStorage', { getItem: () => null });
  const all = import.meta.glob<{ default: Component<Record<string, unknown>> }>('./*.svelte');
  const loaded = new Map(await Promise.all(Object.entries(all).map(async ([path, load]) => [path, (await load()).default] as const)));
  html = (name, props) => render(loaded.get(`./${name}.svelte`)!, { props }).body;
});
const text = (markup: string) => markup.replace(/<!--.*?-->/gs, '').replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');

describe('who shares', () => {
  const shares = [share('Alice', { frames: 1 }), share('Bob', { source: 'whip', frames: 1_200, watched: true })];
  it('of several one is chosen by a radio button, and any can be ended', () => {
    const shown = html('ShareList', { room: 'lounge', view: view({ shares, watched: 'share-bob' }), changed: () => undefined });
    expect(text(shown)).toMatch(/one screen is watched at a time.*Alice from the share page.*1 frame .*Bob as a video stream.*1,200 frames.*Nobody’s/);
    expect(shown).toMatch(/role="radiogroup"/);
    expect(shown.match(/type="radio"/g)?.length).toBe(3);
    expect(shown).toContain('aria-label="End Bob’s share"');
  });
  it('while none is chosen it says that none is guessed', () => {
    expect(text(html('ShareList', { room: 'lounge', view: view({ shares: shares.map((each) => ({ ...each, watched: false })) }), changed: () => undefined }))).toContain('does not guess: choose whose screen it watches');
  });
  it('alone there is nothing to choose', () => {
    const shown = html('ShareList', { room: 'lounge', view: view({ shares: [share('Alice', { watched: true })], watched: 'share-alice' }), changed: () => undefined });
    expect(shown).not.toContain('radio');
    expect(text(shown)).toContain('Look away');
  });
});

describe('notes', () => {
  const note = { seq: 4, at: 10_000, seenAt: 40_000, sharedBy: 'Jonas', text: 'A page says <img src=x onerror=alert(1)>', why: 'it was asked about', trigger: 'scene_cut' as const };
  it('stand with their age, whose screen it was, why, and what made Denizen look', () => {
    const shown = html('NotesList', { notes: [note], now: 70_000, denizen: 'Iris', kept: 12 });
    expect(text(shown)).toMatch(/1 of 12 kept.*it was asked about.*1 min ago, still so 30 s ago · Jonas’ screen · the whole screen changed/);
    expect(shown).not.toContain('<img');
  });
  it('that are not there yet are explained', () => expect(text(html('NotesList', { notes: [], now: 0, denizen: 'Iris', kept: 12 }))).toContain('Iris writes a sentence down with the first picture it sees'));
});

describe('gates', () => {
  const gates = [{ gate: 'quiet_window', shut: true, heldFor: 3_000, opensIn: 2_200 }, { gate: 'spacing', shut: false, heldFor: 0, opensIn: null }];
  it('are lamps with words: shut or open, how long held, when they open', () => {
    const commentary = { enabled: true, asking: null, saying: false, waiting: 'change_detected', waitingFor: 3_000, gates, dueIn: null };
    const shown = html('NoteTaker', { view: view({ commentary }), passed: 1_000 });
    expect(text(shown)).toMatch(/Quiet shut: somebody spoke or typed a moment ago opens in 2 s, held 4.0 s/);
    expect(text(shown)).toMatch(/Spacing open: it did not write just now/);
    expect(shown).toMatch(/data-gate="quiet_window" data-shut="true"/);
  });
});

describe('the time line', () => {
  const marks = [markAt(50_000, 'watch_started'), markAt(60_000, 'note_added', { text: 'A "menu" & <b>more</b>', frame: 7, trigger: 'change' }), markAt(90_000, 'commentary_silent')];
  it('has a lane for notes and one for comments, each one stop of the tab key', () => {
    const shown = html('Timeline', { marks: [...marks, markAt(95_000, 'note_refreshed')], until: 120_000, minutes: 2, gutter: 48, now: 120_000 });
    expect(shown.match(/data-mark="note_/g)?.length).toBe(2);
    expect(shown.match(/data-mark="commentary_/g)?.length).toBe(1);
    expect(shown.match(/tabindex="0"/g)?.length).toBe(2);
    expect(shown).not.toContain('<b>more');
  });
  it('says so where nothing happened', () => expect(text(html('Timeline', { marks: [], until: 1, minutes: 5, gutter: 48, now: 1 }))).toMatch(/Notes none in these 5 minutes.*Said none in these 5 minutes/));
});
