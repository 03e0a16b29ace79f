import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { AskSummary, LanguageStatus } from '../api/contract';

const model: LanguageStatus = { provider: 'ollama', model: 'm', baseUrl: '', because: '', howToChange: '', offline: false };
const ask = (state: string, provider = 'ollama'): AskSummary => ({ ask: 1, costMicroDollars: null, inputTokens: 0, model: 'm', outputTokens: 0, provider, purpose: 'text_reply', room: 'lounge', startedAt: 0, state, tookMs: null, turn: 1 });
let troubleOf: (last: AskSummary | null, chosen: LanguageStatus | null) => string;

beforeAll(async () => {
  vi.stubGlobal('location', { hash: '', search: '', href: 'http://here/' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('localStorage', { getItem: () => null });
  ({ troubleOf } = await import('./model_health.svelte'));
});

describe('the chip of the model', () => {
  it.each([
    ['answered', ''],
    ['unreachable', 'gives no answer'],
    ['timed_out', 'took too long'],
    ['rejected', 'refuses our calls'],
    ['unknown_model', 'is not there for our key'],
    // Whatever was wrong with the question says nothing of the model.
    ['context_too_long', ''],
    ['under_way', ''],
  ])('after a call that ended %s says “%s”', (state, wanted) => expect(troubleOf(ask(state), model)).toBe(wanted));
  it('is not troubled by another model, by the built-in one, or by nothing', () => {
    expect(troubleOf(ask('unreachable', 'openai'), model)).toBe('');
    expect(troubleOf(ask('unavailable', 'offline'), { ...model, provider: 'offline', offline: true })).toBe('');
    expect([troubleOf(null, model), troubleOf(ask('unreachable'), null)]).toEqual(['', '']);
  });
});
