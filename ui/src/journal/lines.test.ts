import { describe, expect, it } from 'vitest';
import { isFailure } from './lines';

describe('what is shown as a failure', () => {
  it('work that the built-in model leaves to patterns is none', () => {
    expect(isFailure('ask_failed', { purpose: 'gem_extraction', kind: 'unavailable' })).toBe(false);
    expect(isFailure('memory_extraction_failed', { error: 'unavailable', fallsBack: true })).toBe(false);
    expect(isFailure('voice_context_compaction_failed', { error: 'unavailable', falls_back: true })).toBe(false);
  });
  it('a model that fails is one, and so is what is left undone', () => {
    expect(isFailure('ask_failed', { purpose: 'gem_extraction', kind: 'server_error' })).toBe(true);
    expect(isFailure('ask_failed', { purpose: 'text_reply', kind: 'unavailable' })).toBe(true);
    expect(isFailure('memory_extraction_failed', { error: 'unavailable', fallsBack: false })).toBe(true);
    expect(isFailure('delivery_failed', {})).toBe(true);
    expect(isFailure('ask_completed', {})).toBe(false);
  });
});
