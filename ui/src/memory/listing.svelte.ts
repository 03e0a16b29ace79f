// A list that is read page by page, newest first, and read anew (as far as one had come) when memory changes.
import { problemText } from '../api/client';
import type { Gem, GemTag } from '../api/contract';
import { holds } from './words';

/** A page of a list; `next` where there is more. */
export interface Paged<T> {
  items: T[];
  next?: string;
}

/** Pages that are read anew at most; who has scrolled further scrolls again. */
const PAGES_ANEW_MAX = 6;
/** Pages that are walked at once while none has anything that fits. */
const PAGES_AT_ONCE_MAX = 4;

export class Listing<T> {
  items = $state.raw<T[] | null>(null);
  next = $state.raw<string | null>(null);
  busy = $state(false);
  problem = $state('');

  #pages = 0;
  /** Answers to an older question are not taken. */
  #question = 0;

  constructor(
    private readonly read: (after: string | undefined) => Promise<Paged<T>>,
    private readonly id: (item: T) => string,
  ) {}

  /** From the beginning; what is shown stays until the answer is there, unless `blank`. */
  load = async ({ blank = false } = {}): Promise<void> => {
    const question = ++this.#question;
    if (blank) [this.items, this.next, this.#pages] = [null, null, 0];
    const wanted = Math.min(Math.max(1, this.#pages), PAGES_ANEW_MAX);
    await this.#reading(question, async () => {
      let items: T[] = [];
      let next: string | null = null;
      let pages = 0;
      do {
        const page: Paged<T> = await this.read(next ?? undefined);
        items = this.#joined(items, page.items);
        next = page.next ?? null;
        pages += 1;
      } while (pages < wanted && next !== null && question === this.#question);
      if (question === this.#question) [this.items, this.next, this.#pages] = [items, next, pages];
    });
  };

  /** Goes on until something `fits`, or there is no more, or it has been far enough for once. */
  more = async (fits: (item: T) => boolean = () => true): Promise<void> => {
    if (this.busy || this.next === null) return;
    const question = ++this.#question;
    await this.#reading(question, async () => {
      for (let walked = 0; walked < PAGES_AT_ONCE_MAX && this.next !== null; walked++) {
        const page = await this.read(this.next);
        if (question !== this.#question) return;
        [this.items, this.next] = [this.#joined(this.items ?? [], page.items), page.next ?? null];
        this.#pages += 1;
        if (page.items.some(fits)) return;
      }
    });
  };

  async #reading(question: number, body: () => Promise<void>): Promise<void> {
    this.busy = true;
    try {
      await body();
      if (question === this.#question) this.problem = '';
    } catch (refused) {
      if (question === this.#question) this.problem = problemText(refused);
    }
    if (question === this.#question) this.busy = false;
  }

  #joined(items: T[], fresh: T[]): T[] {
    return [...new Map([...items, ...fresh].map((item) => [this.id(item), item])).values()];
  }
}

export type Life = 'current' | 'superseded' | 'all';

/** What the server cannot be asked for is sifted here. */
export const fitting = (tag: GemTag | '', life: Life) => (gem: Gem): boolean =>
  (tag === '' || gem.tags.includes(tag)) && (life === 'all' || (life === 'current') === holds(gem));
