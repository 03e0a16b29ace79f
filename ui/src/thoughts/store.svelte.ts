// The ambient cycle as its page holds it: read when something happens and every so often while it is looked at; spans counted on in between.
import { untrack } from 'svelte';
import { ambientApi } from '../api/ambient';
import type { AmbientView, LiveEvent } from '../api/contract';
import { problemText } from '../api/client';
import { live } from '../api/live.svelte';
import { clockOffset } from './countdown';
import { underWay } from './words';

const JOURNAL_NAMES = /^(initiative|ambient)_|^capabilities_changed$/;
/** However much happens, the view is read at most this often. */
export const PAUSE_MS = 400;
/** Not everything that changes is told. */
export const QUIET_MS = 15_000;
/** While it thinks, its steps are followed as they are made. */
export const LIVELY_MS = 1_000;
/** A tick that was due is read about this much later, so that it has happened. */
const AFTER_TICK_MS = 700;

/** Whether something is worth reading the view anew for. */
export function concernsThoughts(event: LiveEvent): boolean {
  return event.type === 'settings' || (event.type === 'journal' && JOURNAL_NAMES.test(event.entry.name));
}

export class AmbientStore {
  view = $state.raw<AmbientView | null>(null);
  problem = $state('');
  /** This machine's time, once a second. */
  now = $state(Date.now());
  #readAt = $state(0);
  #offset = $state(0);

  /** Since the view was read: what its spans have to be counted on by. */
  passed = $derived(Math.max(0, this.now - this.#readAt));
  /** The server's time, as far as it can be told. */
  serverNow = $derived(this.now + this.#offset);

  #open = false;
  /** Also counts reads that failed: those are not repeated any sooner. */
  #triedAt = 0;
  #stops: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #busy = false;
  #again = false;

  /** Keeps up until the returned function is called. */
  open(): () => void {
    untrack(() => this.#begin());
    return () => this.#end();
  }

  load = async (): Promise<void> => {
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    try {
      const { view, clock } = await ambientApi.view();
      this.view = view;
      this.now = this.#readAt = Date.now();
      this.#offset = clockOffset(clock, this.now);
      this.problem = '';
    } catch (refused) {
      this.problem = problemText(refused);
    }
    this.#busy = false;
    this.#triedAt = Date.now();
    if (this.#again) {
      this.#again = false;
      this.refresh();
    }
  };

  /** Reads the view soon; once, however often this is called meanwhile. */
  refresh = (): void => {
    if (!this.#open || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.load();
    }, PAUSE_MS);
  };

  #begin(): void {
    this.#open = true;
    void this.load();
    const ticking = setInterval(() => this.#second(), 1_000);
    const seen = () => !document.hidden && this.#isOld() && this.refresh();
    document.addEventListener('visibilitychange', seen);
    this.#stops = [
      live.listen((event) => concernsThoughts(event) && this.refresh()),
      live.onReset(() => void this.load()),
      () => clearInterval(ticking),
      () => document.removeEventListener('visibilitychange', seen),
    ];
  }

  #end(): void {
    this.#open = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  #second(): void {
    this.now = Date.now();
    if (!document.hidden && this.#isOld()) void this.load();
  }

  #isOld(): boolean {
    // A read that is under way is as good as new.
    if (this.#busy) return false;
    const age = Date.now() - this.#triedAt;
    const due = this.view?.nextTickIn;
    const ticked = due !== null && due !== undefined && age >= due + AFTER_TICK_MS && due > 0;
    return ticked || age >= (underWay(this.view?.run ?? null) || underWay(this.view?.trial ?? null) ? LIVELY_MS : QUIET_MS);
  }
}
