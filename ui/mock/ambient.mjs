// The mock's ambient cycle: ticks, gates, one held thought, scripted runs, and what came of its posts. Good enough to show every state.
import { pastOf } from './ambient_past.mjs';
import { runThought } from './ambient_run.mjs';
import { scene } from './ambient_scenes.mjs';

const DAY = 86_400_000;
const RECEIPTS_MAX = 300;
const FAMILIES = { redditSubreddits: 'reddit', rssFeeds: 'rss', youtubeChannelIds: 'youtube', xHandles: 'x' };
const TOKENS_OF_A_THOUGHT = 3_420;
const COST_OF_A_THOUGHT = 4_180;

export class Ambient {
  /** A named state to be shown instead of what is so; empty: what is so. */
  scene = process.env.MOCK_THOUGHTS ?? '';
  tickMs = 60_000;
  thought = null;
  run = null;
  trial = null;
  receipts = [];
  posts = [];
  own = [];
  tallies = new Map();
  reports = [];
  candidates = [];
  usage = [];
  lastConsidered = 0;
  reading = false;

  constructor(world, past) {
    this.world = world;
    if (past) Object.assign(this, pastOf(Date.now()));
    this.nextTick = Date.now() + this.tickMs;
    this.#schedule();
  }

  knob = (name) => this.world.knob(`initiative.${name}`);

  /** The mock's minute; everything that waits for minutes waits shorter with it. */
  hurry(tickMs) {
    this.tickMs = tickMs;
    this.nextTick = Date.now() + tickMs;
    this.#schedule();
  }

  #schedule() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.tick(); this.nextTick = Date.now() + this.tickMs; this.#schedule(); }, Math.max(0, this.nextTick - Date.now()));
    // A server that is stopped is not kept alive by its thoughts.
    this.timer.unref();
  }

  get channels() {
    return this.world.knob('permissions.replies.discoveryChannelIds').map((room) => {
      const known = this.world.rooms.some(({ id }) => id === room);
      const blocked = this.world.knob('permissions.replies.blockedChannelIds').includes(room);
      return { room, eligible: known && !blocked, why: known ? (blocked ? 'it is among permissions.replies.blockedChannelIds' : '') : 'there is no such room' };
    });
  }

  #since = (list, now) => list.filter((at) => at > now - DAY);

  stop(now = Date.now()) {
    const shut = (gate, words, opensIn = null) => ({ gate, words, opensIn });
    if (!this.knob('text.enabled')) return shut('disabled', 'thoughts of its own are switched off (initiative.text.enabled)');
    if (!this.channels.some(({ eligible }) => eligible)) return shut('no_channels', 'no channel may be posted to: name one in permissions.replies.discoveryChannelIds that is neither blocked nor left out');
    const spoke = this.world.messages.findLast(({ author, replyTo }) => author.kind === 'denizen' && replyTo)?.at ?? 0;
    const active = spoke + this.world.knob('attention.activeSeconds') * 1_000 - now;
    if (active > 0) return shut('attention_active', 'somebody is talking with it, and that comes first (attention.activeSeconds)', active);
    const posts = this.#since(this.posts.map(({ at }) => at), now);
    if (posts.length >= this.knob('text.maxPostsPerDay')) return shut('daily_cap', 'as many posts of its own as are allowed in 24 hours were made (initiative.text.maxPostsPerDay)', posts.length ? Math.min(...posts) + DAY - now : null);
    if (this.usage.filter(({ at }) => at > now - DAY).length >= this.knob('budget.maxCallsPerDay')) return shut('budget_calls', 'as many model calls as are allowed in 24 hours were made (initiative.budget.maxCallsPerDay)', 3_600_000);
    const gap = this.lastConsidered + this.knob('text.minMinutesBetweenPosts') * this.tickMs - now;
    if (!this.thought && gap > 0) return shut('gap', 'it looked for a fresh thought not long ago (initiative.text.minMinutesBetweenPosts)', gap);
    return null;
  }

  tick() {
    if (this.run || (this.trial && this.trial.endedAt === null)) return;
    const now = Date.now();
    if (this.thought && this.thought.expiresAt <= now) {
      this.thought = null;
      this.note('ambient_thought_dropped', { reason: 'expired' });
    }
    const stop = this.stop(now);
    if (stop) return this.receipt({ gate: stop.gate, words: stop.words });
    const roll = Math.floor(Math.random() * 100);
    const below = this.knob('text.eagerness');
    if (!this.thought && roll >= below) return this.receipt({ gate: 'eagerness', words: 'chance was against it (initiative.text.eagerness)', roll, below });
    const turn = this.world.nextTurn();
    this.lastConsidered = this.thought ? this.lastConsidered : now;
    const receipt = this.receipt({ ran: true, words: this.thought ? 'looked at the thought it holds' : 'looked for a fresh thought', turn, ...(this.thought ? {} : { roll, below }) });
    void runThought(this, { trial: false, turn, receipt });
  }

  receipt({ ran = false, gate = null, words, roll = null, below = null, action = null, turn = null }) {
    const now = Date.now();
    const last = this.receipts[0];
    this.note('ambient_tick_decided', { ran, gate, roll, below });
    if (!ran && last && !last.ran && last.gate === gate) {
      Object.assign(last, { lastAt: now, ticks: last.ticks + 1, words, roll, below });
      return last;
    }
    this.receipts.unshift({ firstAt: now, lastAt: now, ticks: 1, ran, gate, words, roll, below, action, turn });
    this.receipts.length = Math.min(this.receipts.length, RECEIPTS_MAX);
    return this.receipts[0];
  }

  note(name, data, scope = {}) {
    return this.world.note(name, data, scope);
  }

  /** Somebody reacted or answered: what came of a post is counted anew. */
  counted(message) {
    const post = this.posts.find(({ messages }) => messages.includes(message));
    if (!post) return;
    post.reactions = this.world.messages.filter(({ id }) => post.messages.includes(id)).flatMap(({ reactions }) => reactions ?? []).reduce((sum, { people }) => sum + people.length, 0);
    post.replies = this.world.messages.filter(({ replyTo, author }) => post.messages.includes(replyTo) && author.kind === 'person').length;
    this.note('ambient_outcome_counted', { reactions: post.reactions, replies: post.replies }, { turn: post.turn, room: post.room });
  }

  sources() {
    const configured = Object.entries(FAMILIES).flatMap(([list, family]) => this.knob(`discovery.${list}`).map((name) => ({ source: { family, name }, own: false, addedAt: null, reason: '' })));
    if (this.knob('discovery.sources.hackerNews')) configured.push({ source: { family: 'hacker_news', name: 'top' }, own: false, addedAt: null, reason: '' });
    return [...configured, ...this.own].map((source) => {
      const key = `${source.source.family}:${source.source.name}`;
      const report = this.reports.find((each) => `${each.source.family}:${each.source.name}` === key) ?? null;
      return { ...source, shown: 0, shared: 0, reactions: 0, replies: 0, ...this.tallies.get(key), lastReport: report, lastReadAt: report ? Date.now() - 11 * 60_000 : null };
    });
  }

  meter(used, limit, freesIn = 5 * 3_600_000) {
    return { used, limit, freesIn: used ? freesIn : null };
  }

  view() {
    const now = Date.now();
    const used = this.usage.filter(({ at }) => at > now - DAY);
    const sum = (key) => used.reduce((total, one) => total + one[key], 0);
    const stop = this.stop(now);
    const active = stop?.gate === 'attention_active' ? stop.opensIn : null;
    const saved = new Map();
    for (const receipt of this.receipts.filter(({ ran, lastAt }) => !ran && lastAt > now - DAY)) saved.set(receipt.gate, { words: receipt.words, ticks: (saved.get(receipt.gate)?.ticks ?? 0) + receipt.ticks });
    const media = (kind, allow, limit, used) => ({ kind, ...this.meter(used, this.knob(`discovery.${limit}`)), whyNot: this.knob(`discovery.${allow}`) ? '' : `initiative.discovery.${allow} is off.` });
    const known = used.length > 0;
    const view = {
      enabled: this.knob('text.enabled'),
      attention: { state: active ? 'active' : 'ambient', endsIn: active, room: active ? 'lounge' : null },
      nextTickIn: this.knob('text.enabled') && this.channels.length ? Math.max(0, this.nextTick - now) : null,
      stoppedBy: stop, eagerness: this.knob('text.eagerness'), channels: this.channels, thought: this.thought, run: this.run, trial: this.trial, receipts: this.receipts,
      budget: {
        calls: this.meter(used.length, this.knob('budget.maxCallsPerDay')), tokens: this.meter(sum('tokens'), this.knob('budget.maxTokensPerDay')), cost: this.meter(sum('cost'), Math.round(this.knob('budget.maxDollarsPerDay') * 1_000_000)),
        unpricedCalls: 0, costOfAThought: known ? COST_OF_A_THOUGHT : null, tokensOfAThought: known ? TOKENS_OF_A_THOUGHT : null,
        saved: [...saved].map(([gate, { words, ticks }]) => ({ gate, words, ticks, tokens: known ? ticks * TOKENS_OF_A_THOUGHT : null, cost: known ? ticks * COST_OF_A_THOUGHT : null })).sort((left, right) => right.ticks - left.ticks),
      },
      postsPerDay: this.meter(this.posts.filter(({ at }) => at > now - DAY).length, this.knob('text.maxPostsPerDay')),
      media: [media('image', 'allowImagePosts', 'maxImagesPerDay', this.posts.some(({ media }) => media === 'image') ? 2 : 0), media('video', 'allowVideoPosts', 'maxVideosPerDay', 0), media('gif', 'allowReplyGifs', 'maxGifsPerDay', 0)],
      posts: this.posts, sources: this.sources(), candidates: this.candidates, interests: this.candidates.length ? ['board games', 'release', 'tea', 'rust', 'canal'] : [],
      tools: this.tools(),
    };
    return scene(this.scene, view, now);
  }

  tools() {
    const curious = this.knob('text.allowActiveCuriosity');
    const curates = this.knob('discovery.allowSelfCuration');
    const tool = (name, origin, whyNot) => ({ name, origin, offered: whyNot === '', whyNot });
    const off = curious ? '' : 'initiative.text.allowActiveCuriosity is off.';
    return [
      tool('memory_search', 'denizen', this.world.knob('memory.enabled') ? '' : 'memory.enabled is off.'),
      tool('web_search', 'web', off || (this.world.knob('tools.searchProvider') === 'none' ? 'No search service is chosen: tools.searchProvider.' : '')),
      tool('web_scrape', 'web', off), tool('browser_browse', 'web', off || 'No Chromium was found; name one in tools.browserPath.'),
      ...['discovery_source_add', 'discovery_source_remove', 'discovery_source_list'].map((name) => tool(name, 'denizen', curates ? '' : 'initiative.discovery.allowSelfCuration is off.')),
      tool('calendar_today', 'office', ''),
    ];
  }
}
