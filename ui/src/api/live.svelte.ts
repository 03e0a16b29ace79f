// The live feed: one EventSource for the whole page, which resumes where it was cut off and says how it is doing.
import { opened } from './client';
import type { LiveEvent } from './contract';
import { FrameQueue } from './frames';

export type Connection = 'connecting' | 'open' | 'lost';

const TYPES: LiveEvent['type'][] = [
  'message', 'message_edited', 'message_deleted', 'reactions', 'typing', 'draft', 'draft_dropped', 'journal', 'ask', 'settings', 'model', 'frame',
  'voice_people', 'voice_speaking', 'voice_transcript', 'voice_saying',
];
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

class Live {
  connection = $state<Connection>('connecting');
  /** When the next try is made, while the browser has given up trying by itself. */
  nextTryAt = $state<number | null>(null);

  #source: EventSource | null = null;
  #lastId = '';
  #wait = FIRST_WAIT_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #listeners = new Set<(event: LiveEvent) => void>();
  #gatherers = new Set<(events: LiveEvent[]) => void>();
  #queue = new FrameQueue<LiveEvent>((events) => this.#tell(events));
  #resets = new Set<() => void>();
  #refused: () => void = () => {};

  /** Calls back for every event until the returned function is called. */
  listen(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back once a frame with all that came since the one before. */
  gather(gatherer: (events: LiveEvent[]) => void): () => void {
    this.#gatherers.add(gatherer);
    return () => this.#gatherers.delete(gatherer);
  }

  /** Calls back when too much was missed and everything has to be loaded anew. */
  onReset(listener: () => void): () => void {
    this.#resets.add(listener);
    return () => this.#resets.delete(listener);
  }

  /** Calls back when the feed was refused rather than cut off: perhaps one is not let in any more. */
  onRefused(listener: () => void): void {
    this.#refused = listener;
  }

  connect = (): void => {
    clearTimeout(this.#timer);
    this.nextTryAt = null;
    this.#source?.close();
    const source = new EventSource(opened(this.#lastId ? `/api/events?after=${this.#lastId}` : '/api/events'));
    this.#source = source;
    source.onopen = () => {
      this.connection = 'open';
      this.#wait = FIRST_WAIT_MS;
    };
    source.onerror = () => this.#stumbled(source);
    source.addEventListener('hello', (event) => this.#note(event));
    source.addEventListener('reset', (event) => {
      this.#note(event);
      this.#queue.flush();
      for (const reset of this.#resets) reset();
    });
    for (const type of TYPES) source.addEventListener(type, (event) => this.#take(event));
  };

  /** Called when the tab is looked at again or the network is back: no use in waiting any longer. */
  hurry = (): void => {
    if (this.#source?.readyState === EventSource.CLOSED) this.connect();
  };

  #stumbled(source: EventSource): void {
    if (source !== this.#source) return;
    this.connection = this.connection === 'connecting' && !this.#lastId ? 'connecting' : 'lost';
    // While CONNECTING the browser retries by itself; CLOSED (an HTTP error) it never would.
    if (source.readyState !== EventSource.CLOSED) return;
    this.connection = 'lost';
    this.#refused();
    this.nextTryAt = Date.now() + this.#wait;
    this.#timer = setTimeout(this.connect, this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }

  #note(event: MessageEvent): void {
    if (event.lastEventId) this.#lastId = event.lastEventId;
  }

  #take(event: MessageEvent): void {
    this.#note(event);
    let live: LiveEvent;
    try {
      live = JSON.parse(event.data as string) as LiveEvent;
    } catch {
      console.warn(`an event of type ${event.type} is not JSON and was passed over`);
      return;
    }
    this.#queue.push(live);
  }

  #tell(events: LiveEvent[]): void {
    for (const gatherer of this.#gatherers) gatherer(events);
    for (const event of events) for (const listener of this.#listeners) listener(event);
  }
}

export const live = new Live();
