// How much was said in other rooms since one was there.
import { api } from '../api/client';
import { live } from '../api/live.svelte';
import { session } from '../shell/session.svelte';
import { lastRead } from './read';

const COUNTED_MAX = 50;
const ROOMS_MAX = 20;

class Unread {
  /** Messages by room; more than is counted is shown as that. */
  counts = $state.raw<Readonly<Record<string, number>>>({});
  #here = '';
  #asked = false;

  constructor() {
    live.gather((events) => {
      const counts = { ...this.counts };
      let changed = false;
      for (const event of events) {
        if (event.type !== 'message' || event.message.room === this.#here || event.message.author.id === session.personId) continue;
        counts[event.message.room] = Math.min(COUNTED_MAX, (counts[event.message.room] ?? 0) + 1);
        changed = true;
      }
      if (changed) this.counts = counts;
    });
  }

  /** One is in this room now. */
  visit(room: string): void {
    this.#here = room;
    const { [room]: _, ...others } = this.counts;
    this.counts = others;
    if (!this.#asked) void this.#count();
  }

  leave(): void {
    this.#here = '';
  }

  /** What came while no page was open. */
  async #count(): Promise<void> {
    this.#asked = true;
    for (const { id } of session.rooms.slice(0, ROOMS_MAX)) {
      const after = lastRead(id);
      if (id === this.#here || after === 0) continue;
      try {
        const page = await api.messages(id, { after, limit: COUNTED_MAX });
        const fresh = page.messages.filter(({ author }) => author.id !== session.personId).length;
        if (fresh && id !== this.#here) this.counts = { ...this.counts, [id]: fresh };
      } catch {
        return;
      }
    }
  }

  get total(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  shown(room: string): string {
    const count = this.counts[room] ?? 0;
    return count >= COUNTED_MAX ? `${COUNTED_MAX}+` : count ? String(count) : '';
  }
}

export const unread = new Unread();
