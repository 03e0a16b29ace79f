// Gems, turns and findings for the tests.
import type { CapturedTurn, Found, Gem, MemoryReport, MemoryRun, Scores } from '../api/contract';

const AT = '2026-02-23T15:26:00Z';

export function gem(id: string, more: Partial<Gem> = {}): Gem {
  return {
    gem_id: id, content: `What ${id} says.`, summary: `About ${id}`, topics: [], importance: 0.5, tags: ['fact'],
    source: { session_id: 'local/lounge/1', date: '2026-02-23', turn_range: '1-2', turns: [`turn-${id}`] },
    created_at: AT, place: { community: 'local', room: 'lounge', private: false }, person: 'local:mira', person_name: 'Mira',
    claim: false, standing: false, pinned: false, strength: 1, last_seen_at: AT, valid_from: AT, made_by: 'offline', ...more,
  };
}

export function turn(id: string, more: Partial<CapturedTurn> = {}): CapturedTurn {
  return {
    id, place: { community: 'local', room: 'lounge', private: false }, session: 'local/lounge/1', number: 1,
    speaker: { id: 'local:mira', name: 'Mira', kind: 'person' }, kind: 'typed', text: `words of ${id}`, at: Date.parse(AT), ...more,
  };
}

export const scores = (more: Partial<Scores> = {}): Scores => ({
  total: 0.5, confidence: 0.5, lexical: 0, dense: 0, surroundings: 0, keys: 0, recency: 1, importance: 1, ...more,
});

export const found = (record: Found['record'], given: Partial<Scores> = {}, more: Partial<Found> = {}): Found => ({ record, scores: scores(given), ...more });

export const run = (more: Partial<MemoryRun> = {}): MemoryRun => ({
  extraction: 1, session: 'local/lounge/1', room: 'lounge', reason: 'turn_end', startedAt: 0, turns: 5, state: 'stored',
  gems: 0, added: 0, strengthened: 0, superseded: 0, alreadyThere: 0, rejected: [], ...more,
});

export const status = (more: Partial<MemoryReport> = {}): MemoryReport => ({
  enabled: true, store: 'embedded', buffer: 'embedded', embedder: { name: 'builtin:table-1', dimensions: 256 },
  stats: { gems: 3, superseded: 1, turns: 9, diskBytes: null, memoryBytes: null }, waiting: { waiting: 0, held: 0, keptBack: 0 }, reembedding: null, trouble: null, extractor: 'auto', ...more,
});
