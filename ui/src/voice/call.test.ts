// A call from the press of the button to its end, with a browser and a Denizen that do as they are told.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TAIL_MS as tail, VoiceCall, WAITS_MS as waits } from './call.svelte';
import { FakeConnection, FakeMachine, named } from './fakes';

// What the pages ask of a browser as soon as they are loaded.
vi.hoisted(() => Object.assign(globalThis, { location: { hash: '', search: '', href: 'http://here/' }, localStorage: { getItem: () => null } }));

/** As Denizen answers where no place is left. */
const FULL = { status: 503, code: 'voice_full', message: '25 people are in the voice of this room already. Try again when one has left.' };
const going = { room: 'lounge', author: 'Ada', person: 'local:ada', community: '' };
let fake: FakeMachine;
let call: VoiceCall;
let asked: { method: string; path: string; body: Record<string, unknown> }[];
/** What Denizen refuses: the status of each call that fits. */
let refuses: (method: string, path: string) => { status: number; code?: string; message?: string } | null;
let people: { id: string }[];
let tab: Map<string, string>;
let sessions: number;

beforeEach(() => {
  vi.useFakeTimers();
  tab = new Map();
  const storage = (kept: Map<string, string>) => ({ getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value), removeItem: (key: string) => void kept.delete(key) });
  vi.stubGlobal('localStorage', storage(new Map()));
  vi.stubGlobal('sessionStorage', storage(tab));
  [fake, asked, people, sessions] = [new FakeMachine(), [], [], 0];
  FakeConnection.connects = true;
  refuses = () => null;
  vi.stubGlobal('fetch', async (path: string, { method, body }: { method: string; body: string | null }) => {
    asked.push({ method, path, body: body ? (JSON.parse(body) as Record<string, unknown>) : {} });
    const refused = refuses(method, path);
    if (refused?.status === 0) throw new TypeError('no network');
    if (refused) return new Response(JSON.stringify({ error: { code: refused.code, message: refused.message } }), { status: refused.status });
    if (method === 'POST') return new Response(JSON.stringify({ session: `s${++sessions}`, sdp: 'answer' }), { status: 201 });
    return new Response(JSON.stringify({ people }), { status: 200 });
  });
  call = new VoiceCall(fake.machine);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const told = () => asked.map(({ method, path, body }) => `${method} ${path.replace('/api/rooms/lounge/voice', '')} ${JSON.stringify(body)}`);
const kept = () => JSON.parse(tab.get('denizen.voice.in') ?? 'null') as Record<string, unknown> | null;
const settled = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

describe('coming in', () => {
  it('the microphone goes up, the others come back, and the tab remembers where', async () => {
    await call.join(going);
    expect(call.phase).toBe('in');
    expect(told()).toEqual(['POST /sessions {"author":"Ada","sdp":"offer of microphone 1","muted":false}']);
    expect(fake.microphone.enabled).toBe(true);
    fake.connection.tell('track', { track: {}, streams: ['everybody'] });
    await settled();
    expect(fake.loudspeaker).toMatchObject({ srcObject: 'everybody', plays: 1 });
    expect(kept()).toMatchObject({ room: 'lounge', author: 'Ada', muted: false });
  });
  it('until it stands, nothing is let through', async () => {
    FakeConnection.connects = false;
    void call.join(going);
    await settled();
    expect([call.phase, fake.microphone.enabled]).toEqual(['connecting', false]);
    fake.connection.become('connected');
    await settled();
    expect([call.phase, fake.microphone.enabled]).toEqual(['in', true]);
  });
  it('a refused microphone is said, and one can come without', async () => {
    fake.refusals = [named('NotAllowedError', 'Permission denied')];
    await call.join(going);
    expect([call.phase, call.problem?.kind, call.problem?.title]).toEqual(['out', 'microphone', 'The microphone was refused']);
    expect(asked).toEqual([]);
    await call.join(going, { silent: true });
    expect([call.phase, call.audible, call.problem]).toEqual(['in', false, null]);
    expect(told()).toEqual(['POST /sessions {"author":"Ada","sdp":"offer of silence","muted":true}']);
  });
  it('from a page that is not secure nothing is asked for', async () => {
    fake.problem = { title: 'The microphone needs https', text: '', listens: true };
    await call.join(going);
    expect([call.phase, call.problem?.title, fake.asked.length]).toEqual(['out', 'The microphone needs https', 0]);
    await call.join(going, { silent: true });
    expect(call.phase).toBe('in');
  });
  it('a full room is said as such, and the microphone is let go of', async () => {
    refuses = (method) => (method === 'POST' ? FULL : null);
    await call.join(going);
    expect(call.problem).toMatchObject({ kind: 'refused', title: 'The voice of this room is full', text: FULL.message });
    expect([call.phase, fake.microphone.stopped, kept()]).toEqual(['out', true, null]);
  });
  it('an offer that leads to no connection leaves nobody behind in the room', async () => {
    FakeConnection.connects = false;
    const joined = call.join(going);
    await settled(20_000);
    await joined;
    expect(call.problem?.text).toContain('UDP');
    expect(told().at(-1)).toBe('DELETE /sessions/s1 {}');
  });
  it('whoever leaves while the browser still asks is not in afterwards, and the microphone is off', async () => {
    const joined = call.join(going);
    await call.leave();
    await joined;
    expect([call.phase, fake.microphone.stopped, asked.length]).toEqual(['out', true, 0]);
  });
  it('whoever leaves while Denizen answers is taken out again', async () => {
    const joined = call.join(going);
    await vi.waitFor(() => expect(asked.length).toBe(1));
    await call.leave();
    await joined;
    await settled();
    expect([call.phase, told().at(-1)]).toEqual(['out', 'DELETE /sessions/s1 {}']);
  });
});

describe('being there', () => {
  beforeEach(() => call.join(going));
  it('leaving tells the room, stops the microphone and forgets the place', async () => {
    await call.leave();
    expect([call.phase, told().at(-1), fake.microphone.stopped, kept()]).toEqual(['out', 'DELETE /sessions/s1 {}', true, null]);
  });
  it('muted, nothing goes out, everybody can see it, and a reload keeps it', async () => {
    await call.mute(true);
    expect([fake.microphone.enabled, told().at(-1), kept()?.['muted']]).toEqual([false, 'PATCH /sessions/s1 {"muted":true}', true]);
    expect(call.level()).toBe(0);
    await call.mute(false);
    expect([fake.microphone.enabled, call.level()]).toEqual([true, 0.5]);
  });
  it('with push to talk something goes out while the key is held, and the end of the last word', async () => {
    await call.prefer({ mode: 'push' });
    expect(fake.microphone.enabled).toBe(false);
    call.hold(true);
    expect(fake.microphone.enabled).toBe(true);
    call.hold(false);
    expect(fake.microphone.enabled).toBe(true);
    await settled(tail);
    expect(fake.microphone.enabled).toBe(false);
    await call.mute(true);
    call.hold(true);
    expect(fake.microphone.enabled).toBe(false);
  });
  it('“don’t listen to me” is told, and taken back when it could not be', async () => {
    await call.allowListening(false);
    expect([call.unheard, told().at(-1), kept()?.['unheard']]).toEqual([true, 'PATCH /sessions/s1 {"listen":false}', true]);
    refuses = () => ({ status: 500, message: 'broken' });
    await call.allowListening(true);
    expect([call.unheard, call.trouble]).toEqual([true, 'broken']);
  });
  it('another microphone takes the place of the first, without a new connection', async () => {
    await call.prefer({ input: 'headset' });
    expect([fake.connections.length, fake.connection.sends?.name, fake.microphones[0]?.stopped]).toEqual([1, 'microphone 2', true]);
    expect(fake.asked.at(-1)?.audio).toMatchObject({ deviceId: { exact: 'headset' } });
  });
  it('one that is unplugged is replaced by another, or one listens on', async () => {
    fake.microphone.tell('ended');
    await settled();
    expect(fake.connection.sends?.name).toBe('microphone 2');
    fake.refusals = [named('NotFoundError')];
    fake.microphone.tell('ended');
    await settled();
    expect([call.phase, call.silent, fake.connection.sends?.name]).toEqual(['in', true, 'silence']);
    expect(call.trouble).toContain('There is no microphone');
  });
  it('volume and loudspeaker are those of this browser', async () => {
    fake.connection.tell('track', { track: {}, streams: ['everybody'] });
    await call.prefer({ volume: 0.3, output: 'desk' });
    expect(fake.loudspeaker).toMatchObject({ volume: 0.3, sink: 'desk' });
    expect(JSON.parse(localStorage.getItem('denizen.voice')!)).toMatchObject({ volume: 0.3, output: 'desk' });
  });
  it('a browser that plays nothing before a press gets a button, and plays after it', async () => {
    fake.loudspeaker.blocked = true;
    fake.connection.tell('track', { track: {}, streams: ['everybody'] });
    await settled();
    expect(call.soundBlocked).toBe(true);
    fake.loudspeaker.blocked = false;
    await call.allowSound();
    expect(call.soundBlocked).toBe(false);
  });
});

describe('a connection that breaks', () => {
  beforeEach(() => call.join(going));
  it('is taken up again at once, under the same name', async () => {
    fake.connection.become('failed');
    expect(call.phase).toBe('reconnecting');
    await settled();
    expect([call.phase, fake.connections.length]).toEqual(['in', 2]);
    expect(told().slice(1)).toEqual(['PATCH /sessions/s1 {"muted":false}', 'POST /sessions {"author":"Ada","sdp":"offer of microphone 1","muted":false}']);
  });
  it('nothing goes out meanwhile, and it is tried again and again', async () => {
    refuses = () => ({ status: 0 });
    fake.connection.become('failed');
    await settled(waits[1]! + waits[2]!);
    expect([call.phase, fake.microphone.enabled]).toEqual(['reconnecting', false]);
    refuses = () => null;
    await settled(waits[3]);
    expect([call.phase, fake.microphone.enabled]).toEqual(['in', true]);
  });
  it('after a restart of Denizen, which knows nobody, one comes back', async () => {
    refuses = (method) => (method === 'PATCH' ? { status: 404, code: 'unknown_session' } : null);
    fake.connection.become('failed');
    await settled();
    expect(call.phase).toBe('in');
  });
  it('by another window of the same person is left to that one', async () => {
    refuses = (method) => (method === 'PATCH' ? { status: 404, code: 'unknown_session' } : null);
    people = [{ id: 'local:ada' }];
    fake.connection.become('failed');
    await settled();
    expect([call.phase, call.problem?.kind, fake.connections.length, kept()]).toEqual(['out', 'elsewhere', 1, null]);
  });
  it('a room that is full meanwhile is tried until it is given up, and said as such', async () => {
    await call.join(going);
    refuses = (method) => (method === 'POST' ? FULL : null);
    fake.connection.become('failed');
    await settled(waits.reduce((sum, wait) => sum + wait, 0) + 1_000);
    expect(asked.filter(({ method }) => method === 'POST').length).toBe(1 + waits.length);
    expect([call.phase, call.problem?.title]).toEqual(['out', 'The voice of this room is full']);
  });
  it('is lost in the end, and says so', async () => {
    refuses = () => ({ status: 0 });
    fake.connection.become('failed');
    await settled(waits.reduce((sum, wait) => sum + wait, 0) + 100);
    expect([call.phase, call.problem?.kind]).toEqual(['out', 'lost']);
  });
  it('is not fought for against a refusal', async () => {
    refuses = () => ({ status: 403, code: 'not_allowed', message: 'Taken back.' });
    fake.connection.become('failed');
    await settled();
    expect(call.problem).toMatchObject({ kind: 'refused', text: 'Taken back.' });
  });
  it('is hurried when the network is back', async () => {
    refuses = () => ({ status: 0 });
    fake.connection.become('failed');
    await settled();
    refuses = () => null;
    call.hurry();
    await settled();
    expect(call.phase).toBe('in');
  });
  it('leaving ends the trying', async () => {
    refuses = () => ({ status: 0 });
    fake.connection.become('failed');
    await settled();
    await call.leave();
    refuses = () => null;
    await settled(60_000);
    expect([call.phase, fake.connections.length]).toEqual(['out', 1]);
  });
});

describe('a reload', () => {
  it('comes back muted and unheard as it was: not to be listened to is told before anything is let through', async () => {
    FakeConnection.connects = false;
    const place = { room: 'lounge', author: 'Ada', community: '', muted: false, unheard: true, silent: false };
    const resumed = call.resume(place, 'local:ada');
    await settled();
    expect(told()).toEqual(['POST /sessions {"author":"Ada","sdp":"offer of microphone 1","muted":true}', 'PATCH /sessions/s1 {"listen":false,"muted":false}']);
    expect(fake.microphone.enabled).toBe(false);
    fake.connection.become('connected');
    await resumed;
    expect([call.phase, call.unheard, fake.microphone.enabled]).toEqual(['in', true, true]);
  });
});
