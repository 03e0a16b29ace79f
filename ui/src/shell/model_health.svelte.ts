// Whether the model that is chosen answers: by how the last call to it ended.
import { api } from '../api/client';
import type { AskSummary, LanguageStatus } from '../api/contract';
import { live } from '../api/live.svelte';
import { session } from './session.svelte';

/** Failures that are the model's server's, and not of the question. */
const TROUBLES: Record<string, string> = {
  unreachable: 'gives no answer',
  timed_out: 'took too long',
  unavailable: 'is not available',
  rejected: 'refuses our calls',
  unknown_model: 'is not there for our key',
  rate_limited: 'asks us to wait',
  quota_spent: 'has no credit or quota left',
  out_of_room: 'thinks until it may write no more, and says nothing',
};
const LOOKED_AT = 10;

/** What is wrong with the chosen model as its last call tells, in a few words; empty while nothing is. */
export function troubleOf(last: AskSummary | null, model: LanguageStatus | null): string {
  if (!last || !model || model.offline || last.provider !== model.provider) return '';
  return TROUBLES[last.state] ?? '';
}

class ModelHealth {
  #last = $state.raw<AskSummary | null>(null);

  constructor() {
    live.listen((event) => {
      if (event.type === 'ask' && event.summary) this.#note(event.summary);
    });
    live.onReset(() => void this.look());
  }

  /** How the newest calls ended; that is for administrators, and others are told by what happens. */
  look = async (): Promise<void> => {
    if (!session.mayManage) return;
    try {
      for (const ask of (await api.asks({ limit: LOOKED_AT })).asks.reverse()) this.#note(ask);
    } catch {
      // The chip then says which model is chosen, and no more.
    }
  };

  #note(ask: AskSummary): void {
    const ended = ask.state === 'answered' || ask.state in TROUBLES;
    if (ended && (!this.#last || ask.ask >= this.#last.ask)) this.#last = ask;
  }

  get trouble(): string {
    return troubleOf(this.#last, session.model);
  }

  /** The call that says so. */
  get call(): number | null {
    return this.trouble && this.#last ? this.#last.ask : null;
  }
}

export const modelHealth = new ModelHealth();
