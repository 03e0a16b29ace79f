// The voice of a room as its page holds it, with a Denizen that does as it is told.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { JournalEntry, LiveEvent, RoomVoiceAnswer, StoredMessage } from '../api/contract';
import { VoiceHall } from './hall.svelte';
import { engine, person, view } from './sample';
import { LINES_MAX } from './transcript';

// What the pages ask of a browser as soon as they are loaded.
vi.hoisted(() => Object.assign(globalThis, { location: { hash: '#/room/lounge', search: '', href: 'http://here/' }, addEventListener: () => undefined }));

let hall: VoiceHall;
let answer: RoomVoiceAnswer;
let asked: string[];
let whys: Record<string, { outcome: string }[]>;
let status: number;
let close: () => void;

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.stubGlobal('requestAnimationFrame', (tell: () => void) => setTimeout(tell, 0));
  vi.stubGlobal('document', { hidden: false });
  [answer, asked, whys, status] = [view({ people: [person('Ada')] }), [], {}, 200];
  vi.stubGlobal('fetch', async (path: string, { method }: { method: string }) => {
    asked.push(`${method} ${path.replace('/api/rooms/lounge/voice', '').replace('/api', '')}`);
    const found = path.includes('/why/') ? whys[path.split('/').at(-1)!] : undefined;
    const verdict = found && (found.length > 1 ? found.shift() : found[0]);
    if (path.includes('/why/') && !verdict) return new Response('{}', { status: 404 });
    return new Response(JSON.stringify(verdict ? { verdict: { ...verdict, sentence: 'So.' }, chain: [], asks: [] } : answer), { status });
  });
  hall = new VoiceHall('lounge');
  close = hall.open();
  await vi.advanceTimersByTimeAsync(0);
  asked = [];
});
afterEach(() => {
  close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const journal = (name: string, more: Partial<JournalEntry> = {}): LiveEvent => ({ type: 'journal', entry: { seq: 1, name, room: 'lounge', data: {}, wall: 0, community: 'local', moment: 0, ...more } }) as unknown as LiveEvent;
const came = (room: string): LiveEvent => ({ type: 'voice_people', room, presence: 'in', people: [] });
const said = (id: string, text = 'Hi.', final = true): LiveEvent => ({ type: 'voice_transcript', room: 'lounge', id, person: 'local:ada', name: 'Ada', text, final });
const saying = (heard?: string): LiveEvent => ({ type: 'voice_saying', room: 'lounge', delivery: 'd1', text: 'Hello.', ...(heard === undefined ? {} : { heard }) });

it('shows what Denizen does: it listens, thinks while it answers, speaks while it speaks', () => {
  expect(hall.doing).toBe('listening');
  hall.take([journal('voice_turn_opened', { turn: 4 })]);
  expect(hall.doing).toBe('thinking');
  hall.take([saying()]);
  expect(hall.doing).toBe('speaking');
  hall.take([saying('Hello.'), journal('voice_turn_ended', { turn: 4 })]);
  expect(hall.doing).toBe('listening');
});

it('whether ears fail is read anew when something was not understood, and when something is again', async () => {
  answer = view({ ears: engine({ failing: true }) });
  hall.take([journal('voice_utterance_missed')]);
  await vi.advanceTimersByTimeAsync(200);
  expect(hall.view?.ears.failing).toBe(true);
  answer = view();
  hall.take([journal('voice_utterance_heard')]);
  await vi.advanceTimersByTimeAsync(200);
  expect(hall.view?.ears.failing).toBeUndefined();
});

it('who speaks is shown at once, who is there is read anew', async () => {
  hall.take([{ type: 'voice_speaking', room: 'lounge', person: 'local:ada', speaking: true }]);
  expect(hall.view?.people[0]?.speaking).toBe(true);
  answer = view({ people: [person('Ada'), person('Bob')], inRoom: false });
  hall.take([came('lounge'), came('lounge')]);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toEqual(['GET ']);
  expect([hall.announcement, hall.doing]).toEqual(['Bob came into voice.', 'out']);
});

it('what happens in other rooms is none of its business', async () => {
  hall.take([{ ...said('m1'), room: 'attic' } as LiveEvent, came('attic')]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([hall.lines.length, asked.length]).toEqual([0, 0]);
});

it('what became of a turn is asked once it is said, and again while it is open', async () => {
  whys['m1'] = [{ outcome: 'waiting' }, { outcome: 'waiting' }, { outcome: 'answered' }];
  hall.take([said('p', 'Hi', false)]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual([]);
  hall.take([said('m1')]);
  await vi.advanceTimersByTimeAsync(400);
  expect(hall.stories.get('m1')?.outcome).toBe('waiting');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(hall.stories.get('m1')?.outcome).toBe('answered');
  expect(asked.length).toBe(3);
  hall.take([journal('voice_answer_heard', { messages: ['m1'] })]);
  await vi.advanceTimersByTimeAsync(400);
  expect(asked.length).toBe(4);
});

it('one that is not written down yet is asked about a few times, and then let be', async () => {
  hall.take([said('m1')]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual(Array.from({ length: 4 }, () => 'GET /why/m1'));
});

it('what was spoken lately is there for whoever comes later; what is older or typed is not', () => {
  const message = (id: string, at: number, spoken: boolean) => ({ seq: 1, id, room: 'lounge', author: { id: 'local:ada', name: 'Ada', kind: 'person' }, text: id, at, spoken }) as StoredMessage;
  vi.setSystemTime(10_000_000);
  hall.write([message('old', 1, true), message('fresh', 9_900_000, true), message('typed', 9_950_000, false)]);
  expect(hall.lines.map(({ text }) => text)).toEqual(['fresh']);
});

it('asks Denizen in and out', async () => {
  await hall.ask(true);
  await hall.ask(false);
  expect(asked.slice(0, 2)).toEqual(['POST /join', 'POST /leave']);
});

it('a Denizen that knows no voice is no trouble, any other refusal is', async () => {
  status = 404;
  await hall.load();
  expect(hall.missing).toBe(true);
  status = 500;
  await hall.load();
  expect([hall.missing, hall.problem]).toEqual([false, 'Denizen answered 500.']);
});

it('what became of something is kept for as long as it is shown', async () => {
  for (let turn = 0; turn < LINES_MAX + 40; turn++) {
    whys[`m${turn}`] = [{ outcome: 'answered' }];
    hall.take([said(`m${turn}`)]);
    await vi.advanceTimersByTimeAsync(400);
  }
  expect(hall.lines.length).toBe(LINES_MAX);
  expect(hall.stories.size).toBe(LINES_MAX);
  expect([hall.stories.has('m0'), hall.stories.has(`m${LINES_MAX + 39}`)]).toEqual([false, true]);
});

it('looks again while the ears are loaded, and no longer', async () => {
  answer = view({ ears: engine({ works: false, loading: true }) });
  await hall.load();
  answer = view();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(hall.view?.ears.works).toBe(true);
  asked = [];
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual([]);
});
