// Ambient views for the tests.
import type { AmbientView, CandidateView, GateDoc, Receipt, Revision, SourceView, ThoughtRun, ThoughtView } from '../api/contract';

const meter = (used: number, limit: number) => ({ used, limit, freesIn: used ? 3_600_000 : null });

/** Some of the gates, as the server tells of them. */
export const gates: GateDoc[] = [
  { gate: 'daily_cap', kind: 'posts', title: 'Posts of the day', settings: ['initiative.text.maxPostsPerDay'] },
  { gate: 'budget_calls', kind: 'budget', title: 'Budget: calls', settings: ['initiative.budget.maxCallsPerDay'] },
  { gate: 'budget_tokens', kind: 'budget', title: 'Budget: tokens', settings: ['initiative.budget.maxTokensPerDay'] },
  { gate: 'attention_active', kind: 'attention', title: 'In a conversation', settings: ['attention.activeSeconds'] },
  { gate: 'gap', kind: 'gap', title: 'Time between thoughts', settings: ['initiative.text.minMinutesBetweenPosts'] },
  { gate: 'eagerness', kind: 'chance', title: 'Chance', settings: ['initiative.text.eagerness'] },
];

export function view(more: Partial<AmbientView> = {}): AmbientView {
  return {
    enabled: true, attention: { state: 'ambient', endsIn: null, room: null }, nextTickIn: 42_000, stoppedBy: null, eagerness: 20, channels: [{ room: 'lounge', eligible: true, why: '' }],
    thought: null, aloud: [], run: null, trial: null, gates, receipts: [],
    budget: { calls: meter(0, 40), tokens: meter(0, 250_000), cost: meter(0, 1_000_000), unpricedCalls: 0, saved: [], costOfAThought: null, tokensOfAThought: null },
    postsPerDay: meter(0, 3), media: [], posts: [], sources: [], candidates: [], interests: [], tools: [], ...more,
  };
}

export const revision = (at: number, text: string, more: Partial<Revision> = {}): Revision => ({ at, ask: 7, action: 'hold', text, room: 'lounge', media: null, reason: '', ...more });

export function thought(more: Partial<ThoughtView> = {}): ThoughtView {
  return { text: 'A thought', room: 'lounge', media: null, reason: '', createdAt: 0, expiresAt: 5_400_000, history: [], roomMovedOn: false, ...more };
}

export function run(more: Partial<ThoughtRun> = {}): ThoughtRun {
  return { turn: 3, startedAt: 0, endedAt: 9_000, stage: 'done', revisits: false, steps: [], decision: null, post: null, outcome: '', ...more };
}

export function receipt(more: Partial<Receipt> = {}): Receipt {
  return { firstAt: 0, lastAt: 0, ticks: 1, ran: false, gate: 'gap', words: 'Too soon.', roll: null, below: null, action: null, turn: null, ...more };
}

export function candidate(more: Partial<CandidateView> = {}): CandidateView {
  const item = { source: { family: 'rss' as const, name: 'https://a.example/feed' }, url: 'https://a.example/1', title: 'One', summary: '', popularity: 0.5, nsfw: false };
  return { item, score: 0.5, source: 0.5, topic: 0.5, freshness: 0.5, popularity: 0.5, chance: 0, parts: { source: 0.15, topic: 0.2, freshness: 0.1, popularity: 0.05, chance: 0 }, ...more };
}

export function source(name: string, more: Partial<SourceView> = {}): SourceView {
  return { source: { family: 'rss', name }, own: false, addedAt: null, reason: '', shown: 0, shared: 0, reactions: 0, replies: 0, lastReport: null, lastReadAt: null, ...more };
}
