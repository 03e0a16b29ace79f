// Messages on their way: shown at once, kept with their text when sending fails, and sent once however often it is tried.
import { ApiError, api, problemText } from '../api/client';
import type { StoredMessage } from '../api/contract';
import { freshId } from './fresh_id';
import { encoded, type Picture } from './pictures';

export interface Parcel {
  /** Given by the page, so that trying again cannot send it twice. */
  id: string;
  author: string;
  text: string;
  replyTo: string | undefined;
  pictures: Picture[];
  at: number;
  state: 'sending' | 'failed';
  problem: string;
}

const BUSY_TRIES_MAX = 4;
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Outbox {
  parcels = $state.raw<Parcel[]>([]);
  /** Sends follow one another, so that messages arrive in the order they were written. */
  #line: Promise<void> = Promise.resolve();

  constructor(
    private readonly room: string,
    private readonly arrived: (message: StoredMessage) => void,
  ) {}

  post(parcel: Pick<Parcel, 'author' | 'text' | 'replyTo' | 'pictures'>): void {
    const fresh: Parcel = { ...parcel, id: freshId('page'), at: Date.now(), state: 'sending', problem: '' };
    this.parcels = [...this.parcels, fresh];
    this.#line = this.#line.then(() => this.#send(fresh.id));
  }

  retry = (id: string): void => {
    this.#change(id, { state: 'sending', problem: '' });
    this.#line = this.#line.then(() => this.#send(id));
  };

  discard = (id: string): void => {
    this.parcels = this.parcels.filter((parcel) => parcel.id !== id);
  };

  /** The live feed may bring a message before the answer to its sending does. */
  settle(message: StoredMessage): void {
    if (this.parcels.some((parcel) => parcel.id === message.id)) this.discard(message.id);
  }

  async #send(id: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      const parcel = this.parcels.find((candidate) => candidate.id === id);
      if (!parcel) return;
      try {
        const message = await api.send(this.room, {
          id,
          author: parcel.author,
          text: parcel.text,
          ...(parcel.replyTo ? { replyTo: parcel.replyTo } : {}),
          ...(parcel.pictures.length ? { attachments: await encoded(parcel.pictures) } : {}),
        });
        this.discard(id);
        // One whose place is not known yet comes with the live feed.
        if ('seq' in message) this.arrived(message);
        return;
      } catch (problem) {
        if (problem instanceof ApiError && problem.status === 503 && tries < BUSY_TRIES_MAX) {
          await sleep((problem.retryAfterSeconds ?? 1) * 1_000);
          continue;
        }
        this.#change(id, { state: 'failed', problem: problemText(problem) });
        return;
      }
    }
  }

  #change(id: string, change: Partial<Parcel>): void {
    this.parcels = this.parcels.map((parcel) => (parcel.id === id ? { ...parcel, ...change } : parcel));
  }
}
