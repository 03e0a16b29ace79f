// One room as the page holds it: its messages, their fates, what is being written, and what the person is about to say.
import { api, problemText } from '../api/client';
import type { JournalEntry, LiveEvent, StoredMessage } from '../api/contract';
import { live } from '../api/live.svelte';
import { session } from '../shell/session.svelte';
import { afterJournal, noFates, repliedTo, type Fate } from './fates';
import { Outbox } from './outbox.svelte';
import type { Picture } from './pictures';
import { isMine, withReaction } from './reactions';
import { afterEvent, afterSilence, emptyTimeline, merged, MESSAGES_MAX } from './timeline';

const PAGE = 50;
const JOURNAL_PAGE = 1_000;
const OLDER_PAGES_MAX = 20;

export class RoomStore {
  timeline = $state.raw(emptyTimeline(''));
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state('');
  hasMore = $state(false);
  loadingOlder = $state(false);
  /** Said to screen readers. */
  announcement = $state('');
  unseen = $state(0);

  // The composer's contents, kept while other pages are looked at.
  text = $state('');
  pictures = $state.raw<Picture[]>([]);
  replyTo = $state.raw<StoredMessage | null>(null);
  editing = $state.raw<StoredMessage | null>(null);

  readonly outbox: Outbox;
  #fates = $state.raw(noFates());
  #threaded = $derived(repliedTo(this.timeline.messages));
  /** Messages and journal lines that came while the older ones were being loaded. */
  #arrived: StoredMessage[] = [];
  #held: JournalEntry[] | null = [];

  constructor(readonly id: string) {
    this.timeline = emptyTimeline(id);
    this.outbox = new Outbox(id, (message) => (this.timeline = { ...this.timeline, messages: merged(this.timeline.messages, [message]) }));
    live.listen((event) => this.#take(event));
    live.onReset(() => void this.load());
    setInterval(() => (this.timeline = afterSilence(this.timeline, Date.now())), 2_000);
  }

  load = async (): Promise<void> => {
    this.problem = '';
    this.#arrived = [];
    this.#held = [];
    try {
      const page = await api.messages(this.id, { limit: PAGE });
      // Of what was shown before, nothing is kept: it may be gone, and a gap between old and new would go unnoticed.
      this.timeline = { ...emptyTimeline(this.id), drafts: this.state === 'loading' ? this.timeline.drafts : [], messages: merged(page.messages, this.#arrived) };
      this.hasMore = page.hasMore;
      this.state = 'ready';
    } catch (problem) {
      this.problem = problemText(problem);
      if (this.state === 'loading') this.state = 'failed';
    }
    await this.#loadFates();
  };

  async #loadFates(): Promise<void> {
    try {
      const { entries } = await api.journal({ room: this.id, newest: true, limit: JOURNAL_PAGE });
      this.#fates = afterJournal(noFates(), entries);
    } catch {
      // Without the journal the marks stay neutral; each still opens its own why.
    }
    this.#fates = afterJournal(this.#fates, this.#held ?? []);
    this.#held = null;
  }

  loadOlder = async (): Promise<void> => {
    const oldest = this.timeline.messages[0];
    if (!oldest || !this.hasMore || this.loadingOlder) return;
    this.loadingOlder = true;
    try {
      const page = await api.messages(this.id, { before: oldest.seq, limit: PAGE });
      this.timeline = { ...this.timeline, messages: merged(page.messages, this.timeline.messages) };
      this.hasMore = page.hasMore;
    } catch (problem) {
      this.problem = problemText(problem);
    } finally {
      this.loadingOlder = false;
    }
  };

  /** Loads older pages until a message is there; false when it cannot be found. */
  async reach(id: string): Promise<boolean> {
    for (let page = 0; page < OLDER_PAGES_MAX; page++) {
      if (this.timeline.messages.some((message) => message.id === id)) return true;
      if (!this.hasMore) return false;
      await this.loadOlder();
    }
    return false;
  }

  fate(message: StoredMessage): Fate | 'own' | 'unknown' {
    if (message.author.kind === 'denizen') return 'own';
    return this.#fates.byMessage.get(message.id) ?? (this.#threaded.has(message.id) ? 'answered' : 'unknown');
  }

  /** Whether nobody asked for it: a post of Denizen's own, as far as the journal reaches back. */
  isUnasked = (message: StoredMessage): boolean => this.#fates.unasked.has(message.id);

  /** Everybody who wrote here lately, for mentions. */
  names = $derived([...new Set([session.denizenName, ...this.timeline.messages.map((message) => message.author.name)])]);

  get lastOwn(): StoredMessage | undefined {
    return this.timeline.messages.findLast((message) => message.author.id === session.personId);
  }

  edit = async (message: StoredMessage, text: string): Promise<void> => {
    await api.edit(this.id, message.id, session.name, text);
    this.#take({ type: 'message_edited', room: this.id, id: message.id, text });
  };

  remove = async (message: StoredMessage): Promise<void> => {
    await api.remove(this.id, message.id, session.name);
    this.#take({ type: 'message_deleted', room: this.id, id: message.id });
  };

  /** Gives a reaction, or takes it back. */
  react = async (message: StoredMessage, emoji: string): Promise<void> => {
    const on = !isMine(message.reactions, emoji, session.personId);
    await api.react(this.id, message.id, session.name, emoji, on);
    // The live feed may have told of it already: what is known now is what it is added to.
    const known = this.timeline.messages.find(({ id }) => id === message.id)?.reactions;
    this.#take({ type: 'reactions', room: this.id, id: message.id, reactions: withReaction(known, emoji, session.personId, on) });
  };

  #take(event: LiveEvent): void {
    if (event.type === 'journal') {
      if (event.entry.room !== this.id) return;
      if (this.#held) this.#held.push(event.entry);
      else this.#fates = afterJournal(this.#fates, [event.entry]);
      return;
    }
    if (event.type === 'message' && event.message.room === this.id && this.#held) this.#arrived.push(event.message);
    const known = event.type === 'message' && this.timeline.messages.some((message) => message.id === event.message.id);
    this.timeline = afterEvent(this.timeline, event, Date.now(), session.denizenId);
    if (event.type !== 'message' || event.message.room !== this.id || known) return;
    // The oldest had to make room; they can be loaded again.
    if (this.timeline.messages.length === MESSAGES_MAX) this.hasMore = true;
    this.outbox.settle(event.message);
    if (event.message.author.id === session.personId) return;
    this.announcement = `${event.message.author.name}: ${event.message.text.slice(0, 400)}`;
    if (document.hidden) this.unseen++;
  }
}

const stores = new Map<string, RoomStore>();

/** The room's store, the same for as long as the page lives. */
export function roomStore(id: string): RoomStore {
  if (!stores.has(id)) {
    // What it derives must not end with the page that happened to ask first.
    $effect.root(() => void stores.set(id, new RoomStore(id)));
    void stores.get(id)!.load();
  }
  return stores.get(id)!;
}
