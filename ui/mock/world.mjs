// What the mock server knows: messages, journal, asks, settings, and the numbered live feed. In memory, bounded.
import { readFileSync } from 'node:fs';

const KEPT_EVENTS_MAX = 2_000;
const KEPT_JOURNAL_MAX = 20_000;

export class World {
  denizen = { id: 'local:denizen', name: 'Denizen' };
  rooms = [{ id: 'lounge', name: 'lounge' }];
  messages = [];
  journal = [];
  asks = new Map();
  attachments = new Map();
  /** Sessions by room, as `session.mjs` keeps them. */
  sessions = new Map();
  /** Watches of shared screens by room, as `watch.mjs` keeps them. */
  watches = new Map();
  /** The long memory, as `memory.mjs` keeps it; made when it is first asked for. */
  memory = null;
  remembers = true;
  /** Thoughts of its own, as `ambient.mjs` keeps them. */
  ambient = null;
  people = new Map([['local:denizen', 'Denizen']]);
  knobs = JSON.parse(readFileSync(new URL('./knobs.json', import.meta.url), 'utf8'));
  saved = {};
  settingsVersion = 0;
  offline = process.env.MOCK_OFFLINE === '1';
  startedAt = Date.now();
  moment = () => Date.now() - this.startedAt + 86_400_000;

  #nextEvent = Date.now() * 1000;
  #events = [];
  #readers = new Set();
  #seq = 0;
  #turn = 0;
  #ask = 0;
  nextTurn = () => ++this.#turn;
  nextAsk = () => ++this.#ask;

  knob(key) {
    return key in this.saved ? this.saved[key] : this.knobs.find((knob) => knob.key === key)?.default;
  }

  model() {
    return this.offline
      ? {
          provider: 'offline', model: 'offline', baseUrl: '', offline: true,
          because: 'no API key is in the environment and no model server answers on ports 11434, 1234, 8080 or 8000',
          howToChange: 'Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY and start again, or start a model server such as Ollama and press “Look again”.',
        }
      : {
          provider: 'compatible', model: '/srv/models/qwen2.5-7b-instruct-q4_k_m.gguf', baseUrl: 'http://127.0.0.1:11434/v1', offline: false,
          because: 'a model server answers on port 11434',
          howToChange: 'Set llm.provider and llm.model in the settings, or put an API key into the environment and start again.',
        };
  }

  publish(event) {
    const numbered = { id: this.#nextEvent++, event };
    this.#events.push(numbered);
    if (this.#events.length > KEPT_EVENTS_MAX) this.#events.shift();
    for (const reader of this.#readers) reader(numbered);
  }

  /** Returns what was missed (null: too much) and the way to stop reading. */
  subscribe(after, reader) {
    this.#readers.add(reader);
    const stop = () => this.#readers.delete(reader);
    if (after === null) return { missed: [], stop };
    const oldest = this.#events[0]?.id ?? this.#nextEvent;
    const whole = after + 1 >= oldest && after < this.#nextEvent;
    return { missed: whole ? this.#events.filter((event) => event.id > after) : null, stop };
  }

  get nextEvent() {
    return this.#nextEvent;
  }

  add(message, quiet = false) {
    const stored = { seq: ++this.#seq, ...message };
    this.messages.push(stored);
    this.people.set(message.author.id, message.author.name);
    if (!quiet) this.publish({ type: 'message', message: stored });
    return stored;
  }

  note(name, data, scope = {}, at = Date.now()) {
    const entry = {
      seq: (this.journal.at(-1)?.seq ?? 0) + 1,
      moment: this.moment() - (Date.now() - at), wall: at, community: 'local', ...scope, name, data,
    };
    this.journal.push(entry);
    if (this.journal.length > KEPT_JOURNAL_MAX) this.journal.shift();
    this.publish({ type: 'journal', entry });
    return entry.seq;
  }

  settings() {
    return {
      version: this.settingsVersion,
      knobs: this.knobs.map((knob) => ({
        ...knob, value: this.knob(knob.key), source: knob.key in this.saved ? 'saved' : 'default',
      })),
    };
  }

  /** Changes settings, all at once; null goes back to the default. */
  save(changes) {
    for (const [key, value] of Object.entries(changes)) {
      if (value === null) delete this.saved[key];
      else this.saved[key] = value;
    }
    this.settingsVersion++;
    this.note('settings_changed', { version: this.settingsVersion, changed: Object.keys(changes) });
    this.publish({ type: 'settings', version: this.settingsVersion });
    for (const watch of this.watches.values()) watch.settingsChanged();
  }

  summary(record) {
    const answered = record.outcome?.answered;
    return {
      ask: record.ask, room: record.room, turn: record.turn, startedAt: record.startedAt,
      purpose: record.request.purpose, provider: record.provider, model: record.model,
      state: record.outcome ? (answered ? 'answered' : record.outcome.failed.kind) : 'under_way',
      tookMs: answered?.took ?? null,
      inputTokens: answered?.usage.inputTokens ?? 0, outputTokens: answered?.usage.outputTokens ?? 0,
      costMicroDollars: answered?.usage.costMicroDollars ?? null,
    };
  }
}
