// A search that follows the typing: asked a moment after the last key, and an older question is let go of.
import { problemText } from '../api/client';
import type { memory, SearchTerms } from '../api/memory';
import type { Found, SearchAnswer } from '../api/contract';

export const WAIT_MS = 220;

export interface Asked extends SearchTerms {
  q: string;
}

export class LiveSearch {
  answer = $state.raw<SearchAnswer | null>(null);
  /** What the operator sees and the room does not. */
  hidden = $state.raw<Found[]>([]);
  /** What `answer` is the answer to. */
  asked = $state.raw<Asked | null>(null);
  busy = $state(false);
  problem = $state('');

  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: AbortController | null = null;

  constructor(private readonly ask: typeof memory.search) {}

  /** Asks soon; whatever was asked before is let go of. */
  want = (terms: Asked, wait = WAIT_MS): void => {
    this.close();
    if (!terms.q.trim()) {
      [this.answer, this.hidden, this.asked, this.busy, this.problem] = [null, [], null, false, ''];
      return;
    }
    this.busy = true;
    this.#timer = setTimeout(() => void this.#run({ ...terms, q: terms.q.trim() }), wait);
  };

  close = (): void => {
    clearTimeout(this.#timer);
    this.#stop?.abort();
    this.#stop = null;
  };

  async #run(terms: Asked): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    try {
      // Beside what the room sees goes what the operator sees: the difference is what is kept from the room.
      const [answer, whole] = await Promise.all([this.ask(terms, stop.signal), terms.room ? this.ask({ ...terms, room: '', community: '' }, stop.signal) : null]);
      if (stop.signal.aborted) return;
      [this.answer, this.asked, this.problem] = [{ ...answer, found: once(answer.found) }, terms, ''];
      this.hidden = whole ? keptFrom({ room: terms.room ?? '', community: terms.community ?? '' }, once(whole.found), answer.found) : [];
    } catch (refused) {
      if (stop.signal.aborted) return;
      this.problem = problemText(refused);
    }
    this.busy = false;
  }
}

/** Of everything found, what a room does not see. */
export function keptFrom(room: { room: string; community: string }, whole: Found[], seen: Found[]): Found[] {
  const known = new Set(seen.map(recordId));
  return whole.filter((found) => !known.has(recordId(found)) && !(placeOf(found).room === room.room && placeOf(found).community === room.community));
}

const once = (found: Found[]): Found[] => [...new Map(found.map((each) => [recordId(each), each])).values()];

export const recordId = ({ record }: Found): string => ('gem' in record ? `gem ${record.gem.gem_id}` : `turn ${record.turn.id}`);
export const placeOf = ({ record }: Found) => ('gem' in record ? record.gem.place : record.turn.place);
