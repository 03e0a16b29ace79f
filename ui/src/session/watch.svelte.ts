// A session as its page holds it: read once, and again (not too often) whenever something happens in its room.
import { ApiError, api, problemText } from '../api/client';
import type { JournalEntry, LiveEvent, SessionView } from '../api/contract';
import { live } from '../api/live.svelte';
import { joined } from '../journal/lines';
import { sessionStart, type Stretch } from './strip';
import { FOLDING_LINES, isFolding } from './words';

/** While people talk, the session is read at most this often. */
const PAUSE_MS = 700;
const LINES_OF_A_NAME = 40;
const LINES_MAX = 200;

export class SessionWatch {
  view = $state.raw<SessionView | null>(null);
  /** Lines about folding, newest first. */
  lines = $state.raw<JournalEntry[]>([]);
  problem = $state('');
  missing = $state(false);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #busy = false;
  #again = false;
  #closed = false;

  constructor(readonly room: string) {}

  lost = $derived<Stretch[]>(
    this.lines
      .filter((line) => line.name === `${FOLDING_LINES}turns_dropped`)
      .map(({ data }) => ({ from: Number(data['old_cursor']), until: Number(data['cursor']) })),
  );
  #ends = $derived(this.lines.filter((line) => line.name === `${FOLDING_LINES}session_ended`));
  sessionEnds = $derived(this.#ends.map((line) => line.wall));
  start = $derived(this.view ? sessionStart(this.view, this.#ends[0] ? Number(this.#ends[0].data['turns']) : null, this.lost) : 0);

  /** Watches until the returned function is called. */
  open(): () => void {
    void this.load();
    const stops = [live.listen((event) => this.#take(event)), live.onReset(() => void this.load())];
    return () => {
      this.#closed = true;
      clearTimeout(this.#timer);
      for (const stop of stops) stop();
    };
  }

  load = async (): Promise<void> => {
    await Promise.all([this.#readView(), this.#readLines()]);
  };

  /** Reads the session soon; once, however often this is called meanwhile. */
  refresh = (): void => {
    if (this.#closed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#readView();
    }, PAUSE_MS);
  };

  async #readView(): Promise<void> {
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    try {
      this.view = await api.session(this.room);
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

  async #readLines(): Promise<void> {
    try {
      const names = (await api.journalEvents()).map((event) => event.name).filter((name) => name.startsWith(FOLDING_LINES));
      // The journal is asked by name: among everything else that happens, a few lines would soon be out of reach.
      const pages = await Promise.all(names.map((name) => api.journal({ room: this.room, name, newest: true, limit: LINES_OF_A_NAME })));
      this.#add(pages.flatMap((page) => page.entries));
    } catch {
      // The session stands without them; new lines come live.
    }
  }

  #take(event: LiveEvent): void {
    if (event.type === 'journal') {
      if (event.entry.room !== this.room || !isFolding(event.entry)) return;
      this.#add([event.entry]);
      this.refresh();
    } else if (event.type === 'settings') this.refresh();
    else if (event.type === 'message' && event.message.room === this.room) this.refresh();
    else if ((event.type === 'message_edited' || event.type === 'message_deleted') && event.room === this.room) this.refresh();
  }

  #add(entries: JournalEntry[]): void {
    this.lines = joined(this.lines, entries).slice(0, LINES_MAX);
  }
}
