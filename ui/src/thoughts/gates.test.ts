import { describe, expect, it } from 'vitest';
import { gateKind, gateName, gateSettings, pieces } from './gates';

describe('a gate', () => {
  it.each([
    ['disabled', 'off', 'Switched off'], ['no_channels', 'channels', 'No channel'], ['no_eligible_channel', 'channels', 'No channel'], ['attention_active', 'attention', 'In a conversation'], ['daily_cap', 'posts', 'Posts of the day'],
    ['max_posts_per_day', 'posts', 'Posts of the day'], ['min_gap', 'gap', 'Time between thoughts'], ['eagerness', 'chance', 'Chance'], ['budget_calls', 'budget', 'Budget: calls'], ['budget_tokens', 'budget', 'Budget: tokens'],
    ['budget_dollars', 'budget', 'Budget: dollars'], ['budget', 'budget', 'Budget'], ['run_in_flight', 'busy', 'Busy thinking'], ['model_offline', 'model', 'No model'], ['full_moon', 'other', 'Full moon'],
  ])('%s is of the kind %s and is called %s', (gate, kind, name) => expect([gateKind(gate), gateName(gate)]).toEqual([kind, name]));
  it('leads to the settings its words name', () => expect(gateSettings('min_gap', 'Wait: `initiative.text.minMinutesBetweenPosts` is 360.').map(({ key }) => key)).toEqual(['initiative.text.minMinutesBetweenPosts']));
  it('leads to those it is known to go by where its words name none', () => {
    expect(gateSettings('eagerness', 'Chance was against it.').map(({ key }) => key)).toEqual(['initiative.text.eagerness']);
    expect(gateSettings('budget_tokens', 'Used up.').map(({ key }) => key)).toEqual(['initiative.budget.maxTokensPerDay']);
    expect(gateSettings('full_moon', 'Wait.')).toEqual([]);
  });
});

it('keys of settings stand apart from the words around them', () => {
  expect(pieces('Set `tools.searchProvider`, then wait.')).toEqual([{ text: 'Set ' }, { key: 'tools.searchProvider' }, { text: ', then wait.' }]);
  expect(pieces('see example.org. Nothing else.')).toEqual([{ text: 'see example.org. Nothing else.' }]);
  expect(pieces('')).toEqual([]);
});
