// A room's watch as its pages hold it: read when something happens, points added as they pass, spans counted on in between.
import { untrack } from 'svelte';
import { ApiError, problemText } from '../api/client';
import type { LiveEvent, Sample } from '../api/contract';
import { live } from '../api/live.svelte';
import { watchApi } from '../api/watch';
import { clockOffset, joined } from './samples';
import type { WatchView } from './view';

const JOURNAL_NAMES = 'stream_watch_';
/** However much happens, the view is read at most this often. */
const PAUSE_MS = 400;
/** What the note-taker waits for changes without a word in the journal. */
const LIVELY_MS = 2_000;

export class WatchStore {
  view = $state.raw<WatchView | null>(null);
  samples = $state.raw<Sample[]>([]);
  problem = $state('');
  missing = $state(false);
  /** This machine's time, once a second. */
  now = $state(Date.now());
  #readAt = $state(0);
  #offset = $state<number | null>(null);

  /** Since the view was read: what its spans have to be counted on by. */
  passed = $derived(Math.max(0, this.now - this.#readAt));
  /** The server's time, as far as it can be told. */
  serverNow = $derived(this.now + (this.#offset ?? 0));
  /** The newest frame of what is watched now; none before it was first seen. */
  newest = $derived(this.view?.watched && this.view.newest ? (this.samples.at(-1) ?? this.view.newest) : null);

  #users = 0;
  #lively = 0;
  #stops: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #busy = false;
  #again = false;

  constructor(readonly room: string) {}

  /** Keeps up with the room until the returned function is called. `lively`: also with what changes without an event. */
  open({ lively = false } = {}): () => void {
    if (lively) this.#lively += 1;
    // Whoever opens it in an effect must not have it run again by what is read here.
    if (this.#users++ === 0) untrack(() => this.#begin());
    else this.refresh();
    return () => {
      if (lively) this.#lively -= 1;
      if (--this.#users === 0) this.#end();
    };
  }

  load = async (): Promise<void> => {
    this.samples = [];
    await this.#read();
  };

  /** Reads the view soon; once, however often this is called meanwhile. */
  refresh = (): void => {
    if (this.#users === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#read();
    }, PAUSE_MS);
  };

  #begin(): void {
    void this.load();
    const ticking = setInterval(() => (this.now = Date.now()), 1_000);
    const reading = setInterval(() => this.#lively && this.view?.shares.length && !document.hidden && void this.#read(), LIVELY_MS);
    this.#stops = [live.listen((event) => this.#take(event)), live.onReset(() => void this.load()), () => clearInterval(ticking), () => clearInterval(reading)];
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const stop of this.#stops) stop();
  }

  async #read(): Promise<void> {
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    try {
      // Frames are not told again to a page that was cut off: whatever is newer than the last one known is asked for each time.
      const { samples, ...view } = await watchApi.view(this.room, this.samples.at(-1)?.frame);
      this.#show(view, samples);
      [this.problem, this.missing] = ['', false];
    } catch (refused) {
      this.missing = refused instanceof ApiError && refused.code === 'unknown_room';
      this.problem = problemText(refused);
    }
    this.#busy = false;
    if (this.#again) {
      this.#again = false;
      this.refresh();
    }
  }

  #show(view: WatchView, samples: Sample[]): void {
    this.view = view;
    this.samples = joined(this.samples, samples);
    this.now = this.#readAt = Date.now();
  }

  #take(event: LiveEvent): void {
    if (event.type === 'frame' && event.room === this.room) {
      this.now = Date.now();
      this.#offset = clockOffset(this.#offset, event.sample.at, this.now);
      this.samples = joined(this.samples, [event.sample]);
      if (this.view && this.view.watched !== event.share) this.refresh();
    } else if (event.type === 'settings' || (event.type === 'journal' && event.entry.room === this.room && event.entry.name.startsWith(JOURNAL_NAMES))) this.refresh();
  }
}

const stores = new Map<string, WatchStore>();

/** The room's watch, the same for as long as the page lives. */
export function watchStore(room: string): WatchStore {
  // What it derives must not end with the page that happened to ask first.
  if (!stores.has(room)) $effect.root(() => void stores.set(room, new WatchStore(room)));
  return stores.get(room)!;
}
