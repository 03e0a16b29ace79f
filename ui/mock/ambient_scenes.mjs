// Named states of the ambient cycle, to be looked at: MOCK_THOUGHTS=name, or PUT /api/mock/thoughts {"scene": "name"}.
import { reports } from './ambient_past.mjs';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const lounge = [{ room: 'lounge', eligible: true, why: '' }, { room: 'workshop', eligible: false, why: 'people there have written within the last minute' }];
const shut = (gate, words, opensIn = null) => ({ stoppedBy: { gate, words, opensIn } });

const STOPS = {
  off: { enabled: false, nextTickIn: null, ...shut('disabled', 'thoughts of its own are switched off (initiative.text.enabled)') },
  attention: { attention: { state: 'active', endsIn: 83_000, room: 'lounge' }, ...shut('attention_active', 'somebody is talking with it, and that comes first (attention.activeSeconds)', 83_000) },
  daily_cap: shut('daily_cap', 'as many posts of its own as are allowed in 24 hours were made (initiative.text.maxPostsPerDay)', 4 * HOUR + 12 * MINUTE),
  gap: shut('gap', 'it looked for a fresh thought not long ago (initiative.text.minMinutesBetweenPosts)', 3 * HOUR + 51 * MINUTE),
  eagerness_zero: { eagerness: 0, ...shut('eagerness', 'chance was against it (initiative.text.eagerness)') },
};

const SCENES = {
  ...STOPS,
  waiting: () => ({ stoppedBy: null }),
  no_channels: () => ({ channels: [], nextTickIn: null, ...shut('no_channels', 'no channel may be posted to: name one in permissions.replies.discoveryChannelIds that is neither blocked nor left out') }),
  holding: (view, now) => ({ stoppedBy: null, thought: heldThought(now) }),
  held_too_young: (view, now) => ({ thought: heldThought(now), ...shut('held_too_young', 'the thought it holds was looked at a moment ago', 71_000) }),
  thinking: (view, now) => ({ ...shut('thinking_already', 'a thought is under way'), nextTickIn: 34_000, run: run(now, { stage: 'using_tools', endedAt: null, decision: null, post: null, outcome: '' }, 4) }),
  posting: (view, now) => ({ stoppedBy: null, run: run(now, { stage: 'posting', endedAt: null, outcome: '' }, 7) }),
  trial: (view, now) => ({ stoppedBy: null, trial: run(now, { stage: 'thinking', endedAt: null, decision: null, post: null, outcome: '' }, 2) }),
  trial_done: (view, now) => ({ stoppedBy: STOPS.gap.stoppedBy, trial: run(now, {}, 7) }),
  trial_failed: (view, now) => ({
    stoppedBy: null,
    trial: { ...run(now, { decision: null, post: null, outcome: 'the model did not answer: http://127.0.0.1:11434 does not answer; start it, or choose another in initiative.text.execution' }, 2), steps: [...run(now, {}, 2).steps, { at: now - 30_000, kind: 'failed', words: 'http://127.0.0.1:11434 does not answer.', ask: 8101 }] },
  }),
  budget_spent: (view) => ({
    ...shut('budget_tokens', 'another thought might go over the tokens of 24 hours (initiative.budget.maxTokensPerDay)', 2 * HOUR + 5 * MINUTE),
    budget: { ...view.budget, calls: { used: 33, limit: 40, freesIn: 2 * HOUR }, tokens: { used: 251_830, limit: 250_000, freesIn: 2 * HOUR + 5 * MINUTE }, cost: { used: 412_300, limit: 1_000_000, freesIn: 2 * HOUR }, unpricedCalls: 7 },
    postsPerDay: { used: 2, limit: 3, freesIn: 9 * HOUR },
  }),
};

export const SCENE_NAMES = Object.keys(SCENES);

/** The view as it would be in a named state; as it is where the name is not known. */
export function scene(name, view, now) {
  const made = SCENES[name];
  if (!made) return view;
  const nextTickIn = view.nextTickIn ?? 60_000 - (now % 60_000);
  const changed = { ...view, enabled: true, channels: lounge, nextTickIn, ...(typeof made === 'function' ? made({ ...view, nextTickIn }, now) : made) };
  return { ...changed, sources: [...failing(), ...changed.sources] };
}

function failing() {
  const [, reddit, feed, gone] = reports();
  const own = { own: false, addedAt: null, reason: '', lastReadAt: Date.now() - 11 * MINUTE };
  return [
    { source: feed.source, ...own, shown: 12, shared: 1, reactions: 2, replies: 1, lastReport: feed },
    { source: reddit.source, ...own, shown: 31, shared: 2, reactions: 5, replies: 3, lastReport: reddit },
    { source: gone.source, ...own, shown: 3, shared: 0, reactions: 0, replies: 0, lastReport: gone },
  ];
}

function heldThought(now) {
  const createdAt = now - 38 * MINUTE;
  const first = 'Has anyone looked at board games for Thursday? I found a list of six that work with three people.';
  const text = 'For Thursday: there is a list of six cooperative games that work with exactly three people, so nobody has to sit out. https://letsplay.example/cooperative-games-for-three';
  const media = { kind: 'image', prompt: 'three people around a small table with a board game, warm lamp light, drawn in ink' };
  return {
    text, room: 'lounge', media, reason: 'Bob and Mira are still talking about the release; this can wait ten minutes', createdAt, expiresAt: createdAt + 90 * MINUTE, roomMovedOn: true,
    history: [
      { at: createdAt, ask: 8101, action: 'hold', text: first, room: 'lounge', media: null, reason: 'they are about to have lunch' },
      { at: createdAt + 12 * MINUTE, ask: 8102, action: 'hold', text: first, room: 'lounge', media, reason: 'a picture would help' },
      { at: createdAt + 30 * MINUTE, ask: 8103, action: 'hold', text, room: 'lounge', media, reason: 'Bob and Mira are still talking about the release; this can wait ten minutes' },
    ],
  };
}

function run(now, more, steps) {
  const startedAt = now - 14_000;
  const post = 'For Thursday: these six work with exactly three people. https://letsplay.example/cooperative-games-for-three';
  const all = [
    { at: startedAt + 900, kind: 'gathered', words: '22 items of 5 sources, 20 messages of #lounge, 3 memories.', ask: null },
    { at: startedAt + 950, kind: 'asked', words: 'What it is thinking, with 4 tools at hand.', ask: 8101 },
    { at: startedAt + 4_800, kind: 'answered', words: 'It wants to look something up: web_scrape.', ask: 8101 },
    { at: startedAt + 6_100, kind: 'tool', words: 'web_scrape https://letsplay.example/cooperative-games-for-three: 4,120 characters.', ask: null },
    { at: startedAt + 6_200, kind: 'asked', words: 'The same again, with what it found.', ask: 8102 },
    { at: startedAt + 11_900, kind: 'answered', words: 'It has a thought.', ask: 8102 },
    { at: startedAt + 11_950, kind: 'decided', words: 'post_now: it fits what Mira asked this morning, and nobody is talking just now', ask: 8102 },
  ];
  return {
    turn: 9010, startedAt, endedAt: now - 2_000, stage: 'done', revisits: false, steps: all.slice(0, steps),
    decision: { at: now - 2_000, ask: 8102, action: 'post_now', text: post, room: 'lounge', media: { kind: 'image', prompt: 'three people around a small table with a board game' }, reason: 'it fits what Mira asked this morning, and nobody is talking just now' },
    post, outcome: 'it would have been posted in lounge', ...more,
  };
}
