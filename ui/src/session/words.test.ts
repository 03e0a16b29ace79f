import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../api/contract';
import { sentence, summariser, tone, trouble, turnRange } from './words';

const line = (name: 'compaction_failed' | 'compaction_completed' | 'compaction_skipped' | 'compaction_started', data: Record<string, unknown> = {}): JournalEntry => ({ seq: 1, moment: 0, wall: 0, community: 'local', room: 'lounge', name: `voice_context_${name}`, data });
const failed = (more: Record<string, unknown>) => line('compaction_failed', { ask: 3, model: '', error: 'timed_out', detail: 'no summary within its time', retryable: true, falls_back: false, ...more });
const completed = line('compaction_completed', { old_cursor: 10, cursor: 20, covered_through_turn: 19, summary_chars: 1_100, folded_note_count: 2, latency_ms: 2_400, summariser: 'compatible /models/qwen3.gguf' });

describe('lines about folding', () => {
  it('say what is in the summary now, and who wrote it', () => {
    expect(sentence(completed)).toBe('Turns 10–19 are in the summary now, with 2 notes: 1,100 characters, by qwen3.gguf (compatible), in 2.4 s.');
  });
  it('say of a failure why, and that nothing is lost', () => {
    expect(sentence(failed({}))).toBe('No summary came: the model took too long (no summary within its time). Nothing is lost: it is tried again when Denizen is next asked.');
    expect(sentence(failed({ falls_back: true, detail: '' }))).toBe('No summary came: the model took too long. The summary was written without a model instead.');
  });
  it('say only once that a model writes no summaries', () => {
    expect(sentence(failed({ error: 'unavailable', falls_back: true, detail: 'this one writes none.' }))).toBe('No model wrote it: this one writes none.');
  });
  it('count equal skips', () => {
    expect(sentence(line('compaction_skipped', { reason: 'below_threshold', cursor: 0, repeated: 7 }))).toBe('Considered; nothing was folded: too few turns since the last fold, 7 times more.');
  });
  it('are shown by their name when they are not known', () => expect(sentence(line('new_thing' as 'compaction_failed'))).toBe('voice context new thing.'));
});

describe('what is wrong', () => {
  it('is nothing when a fold came after the failure', () => expect(trouble([completed, failed({})])).toBeNull());
  it('is nothing when the summary was written another way', () => expect(trouble([completed, failed({ falls_back: true })])).toBeNull());
  it('is the newest failure that nothing has mended', () => {
    const newest = failed({ detail: 'again' });
    expect(trouble([line('compaction_started'), newest, failed({}), completed])).toBe(newest);
  });
  it('is a model that cannot be had while no other summariser is allowed', () => {
    const skipped = line('compaction_skipped', { reason: 'model_unavailable' });
    expect(trouble([line('compaction_skipped', { reason: 'below_threshold' }), skipped])).toBe(skipped);
    expect(tone(skipped)).toBe('bad');
  });
});

describe('names', () => {
  it('of summarisers are short, with the whole at hand', () => {
    expect(summariser('compatible /work/models/llm/qwen3 4b.gguf')).toMatchObject({ name: 'qwen3 4b.gguf (compatible)', full: 'compatible /work/models/llm/qwen3 4b.gguf' });
    expect(summariser('offline').name).toBe('offline, without a model');
  });
  it('of turns are ranges', () => expect([turnRange(10, 20), turnRange(4, 5)]).toEqual(['Turns 10–19', 'Turn 4']));
});
