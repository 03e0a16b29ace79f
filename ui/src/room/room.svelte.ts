// One room as the page holds it: its messages, their fates, what is being written, and what the person is about to say.
import { api, problemText } from '../api/client';
import type { LiveEvent, MessageFate, Outcome, QuietAnswer, StoredMessage } from '../api/contract';
import { live } from '../api/live.svelte';
import { session } from '../shell/session.svelte';
import { Names } from './inlines';
import { Outbox } from './outbox.svelte';
import type { Picture } from './pictures';
import { keepRead, lastRead } from './read';
import { isMine, withReaction } from './reactions';
import { afterEvents, afterSilence, emptyTimeline, merged, MESSAGES_MAX } from './timeline';

const PAGE = 50;
/** However much happens, what became of messages is asked at most this often, and of so many at once. */
const ASKING_PAUSE_MS = 300;
const ASKED_MAX = 100;
const OLDER_PAGES_MAX = 100;
/** A page on the way to one message far back. */
const REACH_PAGE = 200;

export class RoomStore {
  timeline = $state.raw(emptyTimeline(''));
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state('');
  hasMore = $state(false);
  loadingOlder = $state(false);
  /** Whether somebody wants it quiet here. */
  quiet = $state.raw<QuietAnswer>({ quiet: false });
  /** Said to screen readers. */
  announcement = $state('');
  unseen = $state(0);
  /** What came after this place was not read before one came here; 0 where all was. */
  unreadAfter = $state(0);
  /** One reads further up: what was loaded for that is not let go of. */
  readsBack = false;

  // The composer's contents, kept while other pages are looked at.
  text = $state('');
  pictures = $state.raw<Picture[]>([]);
  replyTo = $state.raw<StoredMessage | null>(null);
  editing = $state.raw<StoredMessage | null>(null);

  readonly outbox: Outbox;
  #inSight = false;
  /** What became of each message, as the server judges it. */
  #fates = $state.raw<ReadonlyMap<string, Outcome>>(new Map());
  /** Messages that something was decided about since they were last asked about. */
  #doubtful = new Set<string>();
  #asking: ReturnType<typeof setTimeout> | undefined;
  /** Messages that came while the older ones were being loaded. */
  #arrived: StoredMessage[] = [];

  constructor(readonly id: string) {
    this.timeline = emptyTimeline(id);
    this.outbox = new Outbox(id, (message) => (this.timeline = { ...this.timeline, messages: merged(this.timeline.messages, [message]) }));
    live.gather((events) => this.#take(events));
    live.onReset(() => void this.load());
    setInterval(() => (this.timeline = afterSilence(this.timeline, Date.now())), 2_000);
  }

  load = async (): Promise<void> => {
    this.problem = '';
    this.#arrived = [];
    try {
      const page = await api.messages(this.id, { limit: PAGE });
      // Of what was shown before, nothing is kept: it may be gone, and a gap between old and new would go unnoticed.
      this.timeline = { ...emptyTimeline(this.id), drafts: this.state === 'loading' ? this.timeline.drafts : [], messages: merged(page.messages, this.#arrived) };
      this.hasMore = page.hasMore;
      this.#judge(page.fates);
      const read = lastRead(this.id);
      if (this.state === 'loading' && (page.messages.at(-1)?.seq ?? 0) > read) this.unreadAfter = read;
      this.state = 'ready';
      void this.#askQuiet();
    } catch (problem) {
      this.problem = problemText(problem);
      if (this.state === 'loading') this.state = 'failed';
    }
  };

  /** Asks whether somebody wants it quiet; where that is not known, nothing is claimed. */
  async #askQuiet(): Promise<void> {
    try {
      this.quiet = await api.quiet(this.id);
    } catch {
      this.quiet = { quiet: false };
    }
  }

  #judge(fates: readonly MessageFate[]): void {
    this.#fates = new Map([...this.#fates, ...fates.map(({ message, outcome }) => [message, outcome] as const)]);
  }

  /** Asks soon what became of some messages, and of all that wait. */
  #askAbout(messages: readonly string[]): void {
    for (const id of messages) this.#doubtful.add(id);
    this.#asking ??= setTimeout(() => void this.#askFates(), ASKING_PAUSE_MS);
  }

  async #askFates(): Promise<void> {
    const shown = this.timeline.messages.map(({ id }) => id).filter((id) => this.#doubtful.has(id) || this.#fates.get(id) === 'waiting').slice(-ASKED_MAX);
    this.#doubtful.clear();
    try {
      if (shown.length) this.#judge(await api.fates(this.id, shown));
    } catch {
      // The marks stay as they were; each still opens its own why.
    }
    this.#asking = undefined;
    if (this.#doubtful.size) this.#askAbout([]);
  }

  loadOlder = async (limit: unknown = PAGE): Promise<void> => {
    const oldest = this.timeline.messages[0];
    if (!oldest || !this.hasMore || this.loadingOlder) return;
    this.loadingOlder = true;
    try {
      const page = await api.messages(this.id, { before: oldest.seq, limit: typeof limit === 'number' ? limit : PAGE });
      this.timeline = { ...this.timeline, messages: merged(page.messages, this.timeline.messages) };
      this.hasMore = page.hasMore;
      this.#judge(page.fates);
    } catch (problem) {
      this.problem = problemText(problem);
    } finally {
      this.loadingOlder = false;
    }
  };

  /** Loads older pages until a message is there; false when it cannot be found. */
  async reach(id: string): Promise<boolean> {
    for (let page = 0; page < OLDER_PAGES_MAX; page++) {
      if (this.byId.has(id)) return true;
      if (!this.hasMore) return false;
      await this.loadOlder(REACH_PAGE);
    }
    return false;
  }

  /** Everything up to a place was in sight. */
  noteRead(seq: number): void {
    if (seq > 0) keepRead(this.id, seq);
  }

  /** Whether somebody looks at the room; what comes while nobody does is marked as new. */
  look(inSight: boolean): void {
    if (this.#inSight && !inSight) this.unreadAfter = 0;
    this.#inSight = inSight;
    if (inSight) this.unseen = 0;
  }

  /** What became of a message; nothing is known of one that has only just come. */
  fate = (message: StoredMessage): Outcome | 'unknown' => this.#fates.get(message.id) ?? (message.author.kind === 'denizen' ? 'own' : 'unknown');

  /** Every message that is held, by its id. */
  byId = $derived(new Map(this.timeline.messages.map((message) => [message.id, message])));
  /** What those who wrote here lately are called. */
  people = $derived(new Map(this.timeline.messages.map(({ author }) => [author.id, author.name])));
  /** Everybody who wrote here lately, for mentions: the same list for as long as nobody new has come. */
  names = $derived.by(() => {
    const fresh = new Set([session.denizenName, ...this.timeline.messages.map((message) => message.author.name)]);
    const same = fresh.size === this.#named.length && this.#named.every((name) => fresh.has(name));
    return same ? this.#named : (this.#named = [...fresh]);
  });
  #named: string[] = [];
  /** The same, to be found in messages. */
  mentionable = $derived(new Names(this.names));

  get lastOwn(): StoredMessage | undefined {
    return this.timeline.messages.findLast((message) => message.author.id === session.personId);
  }

  edit = async (message: StoredMessage, text: string): Promise<void> => {
    await api.edit(this.id, message.id, session.name, text);
    this.#take([{ type: 'message_edited', room: this.id, id: message.id, text }]);
  };

  remove = async (message: StoredMessage): Promise<void> => {
    await api.remove(this.id, message.id, session.name);
    this.#take([{ type: 'message_deleted', room: this.id, id: message.id }]);
  };

  /** Has a message answered after all. */
  retry = async (message: StoredMessage): Promise<void> => {
    await api.retry(this.id, message.id);
    this.#fates = new Map([...this.#fates, [message.id, 'waiting' as const]]);
    this.#askAbout([message.id]);
  };

  /** Gives a reaction, or takes it back. */
  react = async (message: StoredMessage, emoji: string): Promise<void> => {
    const on = !isMine(message.reactions, emoji, session.personId);
    await api.react(this.id, message.id, session.name, emoji, on);
    // The live feed may have told of it already: what is known now is what it is added to.
    const known = this.byId.get(message.id)?.reactions;
    this.#take([{ type: 'reactions', room: this.id, id: message.id, reactions: withReaction(known, emoji, session.personId, on) }]);
  };

  #take(events: readonly LiveEvent[]): void {
    const before = this.byId;
    this.timeline = afterEvents(this.timeline, events, Date.now(), session.denizenId, this.readsBack ? Infinity : MESSAGES_MAX);
    for (const event of events) {
      if (event.type === 'journal' && event.entry.name.startsWith('room_quiet_')) void this.#askQuiet();
      if (event.type === 'journal' && event.entry.room === this.id) this.#askAbout(event.entry.messages ?? []);
      if (event.type === 'message' && event.message.room === this.id) this.#hear(event.message, before.has(event.message.id));
    }
  }

  #hear(message: StoredMessage, known: boolean): void {
    if (this.state === 'loading') this.#arrived.push(message);
    this.#askAbout([message.id]);
    if (known) return;
    // The oldest had to make room; they can be loaded again.
    if (this.timeline.messages.length === MESSAGES_MAX) this.hasMore = true;
    this.outbox.settle(message);
    if (message.author.id === session.personId) {
      this.unreadAfter = 0;
      return;
    }
    if (!this.#inSight && this.unreadAfter === 0) this.unreadAfter = message.seq - 1;
    this.announcement = `${message.author.name}: ${message.text.slice(0, 400)}`;
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
