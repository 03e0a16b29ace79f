// Ambient views for the tests.
import type { AmbientView, Candidate, Receipt, Revision, RunView, SourceView, ThoughtView } from '../api/ambient_contract';

const meter = (used: number, limit: number) => ({ used, limit, freesIn: used ? 3_600_000 : null });

export function view(more: Partial<AmbientView> = {}): AmbientView {
  return {
    enabled: true, attention: { state: 'ambient', endsIn: null, room: null }, nextTickIn: 42_000, stoppedBy: null, eagerness: 20, channels: [{ room: 'lounge', eligible: true, why: '' }],
    thought: null, run: null, trial: null, receipts: [],
    budget: { calls: meter(0, 40), tokens: meter(0, 250_000), cost: meter(0, 1_000_000), unpricedCalls: 0, saved: [], costOfAThought: null, tokensOfAThought: null },
    postsPerDay: meter(0, 3), media: [], posts: [], sources: [], candidates: [], interests: [], tools: [], ...more,
  };
}

export const revision = (at: number, text: string, more: Partial<Revision> = {}): Revision => ({ at, ask: 7, action: 'hold', text, room: 'lounge', media: null, reason: '', ...more });

export function thought(more: Partial<ThoughtView> = {}): ThoughtView {
  return { text: 'A thought', room: 'lounge', media: null, reason: '', createdAt: 0, expiresAt: 5_400_000, history: [], roomMovedOn: false, ...more };
}

export function run(more: Partial<RunView> = {}): RunView {
  return { turn: 3, startedAt: 0, endedAt: 9_000, stage: 'done', revisits: false, steps: [], decision: null, post: null, outcome: '', ...more };
}

export function receipt(more: Partial<Receipt> = {}): Receipt {
  return { firstAt: 0, lastAt: 0, ticks: 1, ran: false, gate: 'min_gap', words: 'Too soon.', roll: null, below: null, action: null, turn: null, ...more };
}

export function candidate(more: Partial<Candidate> = {}): Candidate {
  const item = { source: { family: 'rss' as const, name: 'https://a.example/feed' }, url: 'https://a.example/1', title: 'One', summary: '', popularity: 0.5, nsfw: false };
  return { item, score: 0.5, source: 0.5, topic: 0.5, freshness: 0.5, popularity: 0.5, chance: 0, ...more };
}

export function source(name: string, more: Partial<SourceView> = {}): SourceView {
  return { source: { family: 'rss', name }, own: false, addedAt: null, reason: '', shown: 0, shared: 0, reactions: 0, replies: 0, lastReport: null, lastReadAt: null, ...more };
}
