// What every part of the memory page shares: how memory is, who is in it, and a beat whenever something in it changed.
import { untrack } from 'svelte';
import { problemText } from '../api/client';
import type { Gem, JournalEntry, KnownPerson, LiveEvent, MemoryReport } from '../api/contract';
import { live } from '../api/live.svelte';
import { memory } from '../api/memory';

/** While much happens, memory is read at most this often. */
const PAUSE_MS = 500;
const UNFINISHED_PAUSE_MS = 3_000;
const CAPTURE_PAUSE_MS = 1_000;

/** Lines of the journal that say something in memory changed; that nothing was done yet changes nothing. */
export const concernsMemory = ({ name }: Pick<JournalEntry, 'name'>): boolean => name.startsWith('memory_') && !/^memory_recall|_skipped$/.test(name);

export type DialogWanted =
  | { kind: 'add'; person: string }
  | { kind: 'remove' | 'supersede'; gem: Gem }
  | { kind: 'forget'; person: KnownPerson };

export class MemoryStore {
  status = $state.raw<MemoryReport | null>(null);
  people = $state.raw<KnownPerson[] | null>(null);
  problem = $state('');
  peopleProblem = $state('');
  /** Grows whenever something changed; lists read themselves anew. */
  beat = $state(0);
  /** What was just done, for everybody to read. */
  news = $state('');
  /** What is being asked of whoever sits here. */
  dialog = $state.raw<DialogWanted | null>(null);
  /** Gems seen so far, so that one can name another. */
  known = $state.raw(new Map<string, Gem>());

  #timer: ReturnType<typeof setTimeout> | undefined;
  #poll: ReturnType<typeof setTimeout> | undefined;
  #asked = new Set<string>();
  #queue: string[] = [];
  #fetching = false;
  #closed = false;

  /** Watches until the returned function is called. */
  open(): () => void {
    this.#closed = false;
    void this.load();
    const stops = [live.listen((event) => this.#take(event)), live.onReset(() => this.changed())];
    return () => {
      this.#closed = true;
      clearTimeout(this.#timer);
      clearTimeout(this.#poll);
      for (const stop of stops) stop();
    };
  }

  load = async (): Promise<void> => {
    await Promise.all([this.#readStatus(), this.#readPeople()]);
  };

  /** Something in memory changed: everything is read anew, soon and once. */
  changed = (): void => {
    if (this.#closed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.beat += 1;
      void this.load();
    }, PAUSE_MS);
  };

  /** Something was done here: it is said, and memory read anew. */
  did = (what: string): void => {
    this.news = what;
    this.changed();
  };

  /** Remembers gems by their ids. Whoever calls this does not depend on them. */
  meet = (gems: Gem[]): void =>
    untrack(() => {
      if (gems.every((gem) => this.known.get(gem.gem_id) === gem)) return;
      this.known = new Map([...this.known, ...gems.map((gem) => [gem.gem_id, gem] as const)]);
    });

  /** A gem that another one names; it is read when nobody has seen it yet, one after the other. */
  want = (id: string): void => {
    if (untrack(() => this.known.has(id)) || this.#asked.has(id)) return;
    this.#asked.add(id);
    this.#queue.push(id);
    void this.#fetchWanted();
  };

  /** As people know them; else as it was written down, else the id. */
  nameOf(person: string, written = ''): string {
    return this.people?.find((known) => known.id === person)?.name || written || person;
  }

  async #fetchWanted(): Promise<void> {
    if (this.#fetching) return;
    this.#fetching = true;
    for (let id = this.#queue.shift(); id !== undefined && !this.#closed; id = this.#queue.shift()) {
      try {
        this.meet([(await memory.gem(id)).gem]);
      } catch {
        // It stays a link without a text; whoever follows it is told why.
      }
    }
    this.#fetching = false;
  }

  async #readStatus(): Promise<void> {
    try {
      [this.status, this.problem] = [await memory.status(), ''];
    } catch (refused) {
      this.problem = problemText(refused);
    }
    clearTimeout(this.#poll);
    this.#poll = undefined;
    // Neither re-embedding nor a buffer that comes back says so by itself.
    if (this.status?.reembedding || this.status?.waiting.keptBack || this.status?.trouble) this.#statusIn(UNFINISHED_PAUSE_MS);
  }

  #statusIn(milliseconds: number): void {
    if (this.#closed || this.#poll !== undefined) return;
    this.#poll = setTimeout(() => void this.#readStatus(), milliseconds);
  }

  async #readPeople(): Promise<void> {
    try {
      [this.people, this.peopleProblem] = [await memory.people(), ''];
    } catch (refused) {
      this.peopleProblem = problemText(refused);
    }
  }

  #take(event: LiveEvent): void {
    if (event.type === 'journal' ? concernsMemory(event.entry) : event.type === 'settings') this.changed();
    // What was said waits in the buffer; the gems made of it announce themselves.
    else if (event.type === 'message') this.#statusIn(CAPTURE_PAUSE_MS);
  }
}
