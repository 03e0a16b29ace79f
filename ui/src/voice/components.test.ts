// The parts of the voice panel as a server renders them: each state says what it is, and what to do.
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeMachine } from './fakes';
import { engine, person, view } from './sample';
import type { Story } from './story';
import type { Line } from './transcript';

let html: (name: string, props: Record<string, unknown>) => string;
let session: { takeName: (name: string) => void; health: unknown; role: string };
let module: typeof import('./call.svelte');
let hallModule: typeof import('./hall.svelte');

beforeAll(async () => {
  vi.stubGlobal('location', { hash: '#/room/lounge', search: '', href: 'http://here/' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  const all = import.meta.glob<{ default: Component<Record<string, unknown>> }>('./*.svelte');
  const loaded = new Map(await Promise.all(Object.entries(all).map(async ([path, load]) => [path, (await load()).default] as const)));
  html = (name, props) => render(loaded.get(`./${name}.svelte`)!, { props }).body;
  ({ session } = await import('../shell/session.svelte'));
  module = await import('./call.svelte');
  hallModule = await import('./hall.svelte');
}, 60_000);
beforeEach(() => {
  session.takeName('Ada');
  session.health = { community: 'local', denizen: { id: 'local:iris', name: 'Iris' } };
  session.role = 'participant';
});
const text = (markup: string) => markup.replace(/<!--.*?-->/gs, '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

function panel({ shown = view(), phase = 'out', lines = [], stories = new Map(), ...more }: Partial<{ shown: ReturnType<typeof view>; phase: string; lines: Line[]; stories: Map<string, Story>; problem: unknown; unheard: boolean; muted: boolean; silent: boolean; soundBlocked: boolean; trouble: string }>) {
  const call = Object.assign(new module.VoiceCall(new FakeMachine().machine), { phase, room: 'lounge', ...more });
  const hall = Object.assign(new hallModule.VoiceHall('lounge'), { view: shown, lines, stories });
  return html('VoicePanel', { hall, call, messages: [], join: () => undefined });
}

describe('who is there', () => {
  it('Denizen with what it does, people with a ring, and what signs mean for those who do not see them', () => {
    const shown = panel({ shown: view({ people: [person('Ada', { speaking: true }), person('Bob', { muted: true, listened: false })] }) });
    expect(shown).toMatch(/data-testid="voice-denizen" data-doing="listening"/);
    expect(shown).toMatch(/data-person="Ada" data-speaking="true"/);
    expect(text(shown)).toMatch(/Iris listens .*Ada \(you\), speaks .*Bob, is muted, is not listened to by Iris/);
  });
  it('names are text', () => expect(panel({ shown: view({ people: [person('<b>x</b>')] }) })).not.toContain('<b>x'));
});

describe('being in', () => {
  const inside = { phase: 'in' };
  it('there is a sign that Denizen listens, and a way not to be listened to', () => {
    expect(text(panel(inside))).toMatch(/Iris listens\. What is said is written down in this room; the sound itself is kept nowhere\. Don’t listen to me/);
    const service = { service: 'openai:gpt-realtime-1.5', strategy: 'brain' };
    expect(text(panel({ ...inside, shown: view({ service }) }))).toContain('the sound goes to openai:gpt-realtime-1.5, and is kept nowhere here.');
    expect(text(panel({ ...inside, unheard: true, shown: view({ people: [] }) }))).toContain('Iris does not listen to you: what you say is not written down.');
    const chosenInWords = view({ people: [person('Ada', { listened: false })] });
    expect(text(panel({ ...inside, shown: chosenInWords }))).toContain('Iris does not listen to you: what you say is not written down.');
    expect(text(panel({ ...inside, shown: view({ inRoom: false }) }))).toContain('Iris is not in voice, and hears nothing.');
  });
  it('while its ears or its voice are loaded it is on its way', () => {
    const loading = (more: object) => panel({ ...inside, shown: view({ inRoom: false, ...more }) });
    expect(text(loading({ ears: engine({ works: false, loading: true }) }))).toContain('Iris is on its way: its ears are being loaded.');
    expect(text(loading({ ears: engine({ loading: true }), mouth: engine({ loading: true }) }))).toContain('its ears and voice are being loaded.');
    expect(text(loading({ mouth: engine({ loading: true }) }))).toMatch(/its voice is being loaded\..*Iris gets its voice ready|Iris gets its voice ready.*its voice is being loaded\./);
    expect(loading({ ears: engine({ works: false, loading: true }) })).not.toContain('voice-ask-in');
  });
  it('Denizen can be asked in or out', () => {
    expect(panel(inside)).toContain('voice-ask-out');
    expect(panel({ ...inside, shown: view({ inRoom: false }) })).toContain('voice-ask-in');
  });
  it('readers cannot ask it', () => {
    session.role = 'reader';
    expect(panel({})).not.toMatch(/voice-ask-(in|out)/);
  });
  it('muted, without a microphone, cut off and silenced by the browser are each said', () => {
    expect(panel({ ...inside, muted: true })).toMatch(/aria-pressed="true"[^>]*data-testid="voice-mute"/);
    expect(text(panel({ ...inside, silent: true }))).toContain('You listen without a microphone.');
    expect(text(panel({ phase: 'reconnecting' }))).toContain('The connection broke. Coming back…');
    expect(panel({ ...inside, soundBlocked: true })).toContain('voice-allow-sound');
    expect(text(panel({ ...inside, trouble: 'It broke.' }))).toContain('It broke.');
  });
});

describe('what is missing', () => {
  it('no ears: what is typed is answered aloud, with the remedy', () => expect(text(panel({ phase: 'in', shown: view({ ears: engine({ works: false, remedy: 'denizen models install ears' }) }) }))).toMatch(/Iris understands no speech here Type to it instead.*denizen models install ears/));
  it('ears that fail are told to whoever looks, and nothing else claims that it listens', () => {
    const failing = view({ ears: engine({ failing: true, remedy: 'Whoever runs it can see why.' }), people: [person('Bob')] });
    for (const phase of ['out', 'in']) {
      const said = text(panel({ phase, shown: failing }));
      expect(said).toMatch(/Iris hears no words .*Iris does not understand what is said just now Its ears fail\. .*Whoever runs it can see why\. .*understands nothing of what is said just now: nothing of it is written down/);
      expect(said).not.toContain('Iris listens');
    }
  });
  it('no voice', () => expect(text(panel({ phase: 'in', shown: view({ mouth: engine({ works: false }) }) }))).toContain('denizen models install voice'));
  it('switched off: why, and for an administrator the way there', () => {
    session.role = 'administrator';
    const shown = panel({ shown: view({ enabled: false, why: 'voice.enabled is false.' }) });
    expect(text(shown)).toContain('There is no voice here voice.enabled is false.');
    expect(shown).toContain('#/settings/voice.enabled');
  });
  it('a problem says what to do, and whether one may listen without a microphone', () => {
    const problem = { kind: 'microphone', title: 'The microphone was refused', text: 'Allow it.', listens: true };
    expect(panel({ problem })).toMatch(/role="alert"[^]*voice-again[^]*voice-listen-only/);
    expect(panel({ problem: { ...problem, kind: 'refused', listens: false } })).not.toContain('voice-listen-only');
    expect(text(panel({ problem: { ...problem, kind: 'elsewhere', listens: false } }))).toContain('Talk here instead');
  });
});

describe('what is said', () => {
  const line = (more: Partial<Line>): Line => ({ key: 'm1', own: false, person: 'local:bob', name: 'Bob', text: 'Iris, what time is it?', state: 'said', at: 0, message: 'm1', ...more });
  const story: Story = { outcome: 'answered', sentence: 'It was answered because it was called by name.', reason: 'direct_address_fast_path', total: 1_600, asks: [7], phases: [{ name: 'words', about: 'understood', took: 880 }, { name: 'sound', about: 'spoke', took: 720 }] };
  it('each turn says why it was answered, how long that took, and leads to the why', () => {
    const shown = html('TranscriptLine', { line: line({}), story });
    expect(text(shown)).toMatch(/Bob .*what time is it\? It was answered because it was called by name\. heard after 1\.6 s/);
    expect(shown).toMatch(/href="#\/room\/lounge\?why=m1"/);
    expect(shown).toMatch(/data-fate="answered"/);
  });
  it('what is still spoken is dim, what was not understood says why', () => {
    expect(html('TranscriptLine', { line: line({ state: 'partial' }), story: undefined })).toMatch(/class="line partial/);
    expect(text(html('TranscriptLine', { line: line({ state: 'missed', text: 'the ears failed' }), story: undefined }))).toContain('the ears failed');
  });
  it('of what Denizen said, what was not heard is struck out', () => {
    const shown = html('TranscriptLine', { line: line({ own: true, name: 'Iris', text: 'At nine. Or ten.', heard: 'At nine.' }), story: undefined });
    expect(shown).toMatch(/At nine\.(<!--.*?-->)*<del[^>]*> Or ten\.<\/del>/);
    expect(text(shown)).toContain('Cut short: only the first part was heard.');
  });
  it('speech is text', () => expect(html('TranscriptLine', { line: line({ text: '<img src=x>' }), story: undefined })).not.toContain('<img'));
  it('is a log that does not talk over the room', () => expect(panel({ phase: 'in', lines: [line({})] })).toMatch(/role="log" aria-live="off"/));
});

describe('how one talks', () => {
  it('settings have push to talk with its key, volume, and devices once they are known', () => {
    const call = Object.assign(new module.VoiceCall(new FakeMachine().machine), { phase: 'in', room: 'lounge', inputs: [{ id: 'headset', label: 'Headset' }] });
    Object.assign(call, { preferences: { ...call.preferences, mode: 'push' } });
    const shown = html('SoundSettings', { call });
    expect(text(shown)).toMatch(/Push to talk.*Key \(not while you type\): V .*Headset.*Volume/);
    expect(text(html('HoldToTalk', { call }))).toContain('Hold to talk, or hold V');
  });
  it('the button in the head says how many are there', () => {
    const call = new module.VoiceCall(new FakeMachine().machine);
    expect(text(html('JoinVoice', { call, room: 'lounge', people: 2, join: () => undefined }))).toMatch(/Join voice 2 (&nbsp;|\u00a0)?there/);
  });
});
