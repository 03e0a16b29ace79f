// When Denizen would have looked at a screen: asked of the server, for the settings in force and for those being tried out.
import { ApiError, problemText } from '../api/client';
import type { KnobValue, WhatIf } from '../api/contract';
import { watchApi } from '../api/watch';

/** However often the values or the frames change, the server is asked at most this often. */
const PAUSE_MS = 400;

export type TriedValues = Record<string, KnobValue>;

export class WatchTrial {
  /** With the values being tried out. */
  tried = $state.raw<WhatIf>({ looks: [], lines: [] });
  /** With those in force. */
  before = $state.raw<WhatIf>({ looks: [], lines: [] });
  problem = $state('');

  #room = '';
  #values: TriedValues = {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Asks soon; the newest values count. */
  ask(room: string, values: TriedValues): void {
    this.#room = room;
    this.#values = values;
    this.#timer ??= setTimeout(() => void this.#read(), PAUSE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #read(): Promise<void> {
    const [room, values] = [this.#room, this.#values];
    const edited = Object.keys(values).length > 0;
    try {
      const before = await watchApi.whatIf(room, { changes: {} });
      this.tried = edited ? await watchApi.whatIf(room, { changes: values }) : before;
      this.before = before;
      this.problem = '';
    } catch (refused) {
      // Values that will not do are told beside their fields.
      this.problem = refused instanceof ApiError && refused.code === 'invalid_settings' ? '' : problemText(refused);
    }
    this.#timer = undefined;
    if (values !== this.#values) this.ask(this.#room, this.#values);
  }
}
