// The store against a server that counts: read once, never twice at a time, and by itself only while it is looked at.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { JournalName, LiveEvent } from '../api/contract';
import { run, view } from './sample';
import type { AmbientStore } from './store.svelte';

let shown = view({ nextTickIn: null });
let reads = 0;
let atOnce = 0;
let most = 0;
let answer: () => Promise<void> = async () => undefined;
let failing = false;
let hidden = false;
let seen: () => void = () => undefined;
const listeners = new Set<(event: LiveEvent) => void>();

vi.mock('../api/live.svelte', () => ({ live: { listen: (listener: (event: LiveEvent) => void) => (listeners.add(listener), () => listeners.delete(listener)), onReset: () => () => undefined } }));
vi.mock('../api/ambient', () => ({
  ambientApi: {
    view: async () => {
      reads += 1;
      atOnce += 1;
      most = Math.max(most, atOnce);
      await answer();
      atOnce -= 1;
      if (failing) throw new Error('it is gone');
      return { view: shown, clock: null };
    },
  },
}));

let store: AmbientStore;
let close: () => void;
const journal = (name: JournalName) => {
  for (const listener of listeners) listener({ type: 'journal', entry: { seq: 1, moment: 0, wall: 0, community: 'local', name, data: {} } });
};

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { get hidden() { return hidden; }, addEventListener: (_: string, listener: () => void) => (seen = listener), removeEventListener: () => undefined });
  [reads, atOnce, most, failing, hidden, shown] = [0, 0, 0, false, false, view({ nextTickIn: null })];
  answer = async () => undefined;
  store = new (await import('./store.svelte')).AmbientStore();
  close = store.open();
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => {
  close();
  vi.useRealTimers();
});

it('reads once when it is opened', () => expect([reads, store.view?.eagerness]).toEqual([1, 20]));
it('reads once more however many lines come at once, and not for lines of others', async () => {
  for (let line = 0; line < 20; line++) journal('ambient_tick_decided');
  journal('sent_reply');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reads).toBe(2);
  journal('sent_reply');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reads).toBe(2);
  journal('initiative_post');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reads).toBe(3);
});
it('never reads twice at a time, and reads again for what happened meanwhile', async () => {
  answer = () => new Promise((resolve) => setTimeout(resolve, 3_000));
  journal('ambient_run_started');
  await vi.advanceTimersByTimeAsync(600);
  for (let line = 0; line < 5; line++) {
    journal('ambient_run_gathered');
    await vi.advanceTimersByTimeAsync(500);
  }
  await vi.advanceTimersByTimeAsync(1_500);
  expect([reads, most]).toEqual([3, 1]);
});
it('reads by itself every so often while it is looked at, and not while it is not', async () => {
  await vi.advanceTimersByTimeAsync(31_000);
  expect(reads).toBe(3);
  hidden = true;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(reads).toBe(3);
  hidden = false;
  seen();
  await vi.advanceTimersByTimeAsync(500);
  expect(reads).toBe(4);
});
it('follows a thought closely, and only while there is one', async () => {
  shown = view({ nextTickIn: null, trial: run({ stage: 'thinking', endedAt: null }) });
  await store.load();
  const before = reads;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reads - before).toBeGreaterThanOrEqual(4);
  shown = view({ nextTickIn: null, trial: run() });
  await vi.advanceTimersByTimeAsync(1_100);
  const done = reads;
  await vi.advanceTimersByTimeAsync(8_000);
  expect(reads).toBe(done);
});
it('looks what became of a tick that was due', async () => {
  shown = view({ nextTickIn: 4_000 });
  await store.load();
  const before = reads;
  shown = view({ nextTickIn: 60_000 });
  await vi.advanceTimersByTimeAsync(6_000);
  expect(reads).toBe(before + 1);
});
it('keeps what it knows when it cannot be read, says why, and does not hammer', async () => {
  failing = true;
  await store.load();
  const before = reads;
  expect([store.problem, store.view?.eagerness]).toEqual(['it is gone', 20]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads).toBe(before);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(reads).toBe(before + 1);
});
it('reads no more once it is closed', async () => {
  close();
  journal('ambient_tick_decided');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(1);
});
