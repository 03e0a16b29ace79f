import { expect, it } from 'vitest';
import type { Why } from '../api/contract';
import { isTold, storyOf } from './story';

const why = (outcome: string, lines: Record<string, object>, asks: number[] = []): Why => ({ verdict: { outcome, sentence: 'Because.' }, chain: Object.entries(lines).map(([name, data], seq) => ({ entry: { name, data, seq, wall: 0 }, sentence: '' })), asks: asks.map((ask) => ({ ask })), replies: [], message: {} }) as unknown as Why;
const heard = { silence: 700, took: 180 };

it('an answer is told step by step, each from the end of the one before', () => {
  const story = storyOf(why('answered', { voice_utterance_heard: heard, voice_turn_addressing: { reason: 'direct_address_fast_path' }, voice_answer_heard: { decided: 900, asked: 910, firstSentence: 1_500, heard: 1_650 } }, [4, 5]));
  expect(story.phases.map(({ name, took }) => `${name} ${took}`)).toEqual(['words 880', 'decision 20', 'model 10', 'first words 590', 'sound 150']);
  expect(story.phases.reduce((sum, { took }) => sum + took, 0)).toBe(story.total);
  expect([story.reason, story.asks, story.sentence, isTold(story)]).toEqual(['direct_address_fast_path', [4, 5], 'Because.', true]);
});

it('of what was not answered there is what was needed to understand it', () => {
  const story = storyOf(why('silent', { voice_utterance_heard: heard, voice_turn_addressing: { reason: 'llm_no' } }));
  expect(story.phases.map(({ name, took }) => `${name} ${took}`)).toEqual(['words 880']);
  expect([story.total, story.reason]).toEqual([null, 'llm_no']);
});

it('what is under way is not told yet, and what the journal does not have is left out', () => {
  expect(isTold(storyOf(why('waiting', {})))).toBe(false);
  expect(storyOf(why('own', {}))).toMatchObject({ phases: [], total: null, reason: '', asks: [] });
});

it('a step is never shorter than nothing, whatever the clocks say', () => {
  const story = storyOf(why('answered', { voice_utterance_heard: heard, voice_answer_heard: { decided: 800, asked: 910, firstSentence: 1_500, heard: 1_650 } }));
  expect(Math.min(...story.phases.map(({ took }) => took))).toBe(0);
});

it('words that came without sound took no time to be understood', () => {
  const story = storyOf(why('answered', { voice_utterance_heard: { silence: 0, took: 0 }, voice_answer_heard: { decided: 5, asked: 6, firstSentence: 60, heard: 90 } }));
  expect(story.phases.map(({ name }) => name)).toEqual(['decision', 'model', 'first words', 'sound']);
});

it('what was said before the last of it, and is answered with it, has no time of its own', () => {
  const lines = { voice_utterance_heard: { silence: 700, took: 3_100 }, voice_turn_opened: { triggerMessageIds: ['a', 'b'] }, voice_answer_heard: { decided: 1_200, asked: 1_500, firstSentence: 1_700, heard: 3_100 } };
  const of = (id: string) => storyOf({ ...why('answered', lines), message: { id } } as unknown as Why);
  expect(of('a').phases.map(({ name, took }) => `${name} ${took}`)).toEqual(['decision 1200', 'model 300', 'first words 200', 'sound 1400']);
  expect(of('a').phases.reduce((sum, { took }) => sum + took, 0)).toBe(of('a').total);
  expect(of('b').phases[0]?.name).toBe('words');
});
