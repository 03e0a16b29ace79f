// What became of something that was said: whether it was answered and why, and how long each step took. From the why of its message.
import type { Outcome, Why } from '../api/contract';

/** One step between the end of what was said and the first sound of the answer. */
export interface Phase {
  name: string;
  /** What it is spent on. */
  about: string;
  took: number;
}

export interface Story {
  outcome: Outcome;
  /** The verdict in words. */
  sentence: string;
  /** The gate's own name for it. */
  reason: string;
  phases: Phase[];
  /** From the end of what was said to the first sound; none where nothing was answered. */
  total: number | null;
  /** The calls that were made for it, newest last: what the model saw. */
  asks: number[];
}

/** The story of a message, as far as it has come. */
export function storyOf(why: Why): Story {
  const last = (name: string) => why.chain.findLast(({ entry }) => entry.name === name)?.entry.data ?? {};
  const [heard, addressing, answer] = [last('voice_utterance_heard'), last('voice_turn_addressing'), last('voice_answer_heard')];
  const answered = last('voice_turn_opened')['triggerMessageIds'];
  // Times are those from the end of the last that was said; of what was said before it and is answered with it, they tell no more.
  const isNewest = !Array.isArray(answered) || answered.length === 0 || answered.at(-1) === why.message.id;
  // Words that came without sound have no such time.
  const words = isNewest ? sum(span(heard['silence']), span(heard['took'])) || null : null;
  const [decided, asked, sentence, sound] = [span(answer['decided']), span(answer['asked']), span(answer['firstSentence']), span(answer['heard'])];
  const steps: [string, string, number | null, number | null][] = [
    ['words', 'waited until nothing more came, and understood', 0, words],
    ['decision', isNewest ? 'decided whether it was meant' : 'understood what was said after it, and decided on both', words ?? 0, decided],
    ['model', 'gathered what it knows, and asked the model', decided, asked],
    ['first words', 'the model wrote the first sentence', asked, sentence],
    ['sound', 'the voice began to speak it', sentence, sound],
  ];
  return {
    outcome: why.verdict.outcome,
    sentence: why.verdict.sentence,
    reason: String(addressing['reason'] ?? ''),
    phases: steps.flatMap(([name, about, from, to]) => (from === null || to === null ? [] : [{ name, about, took: Math.max(0, to - from) }])),
    total: sound,
    asks: why.asks.map(({ ask }) => ask),
  };
}

/** Nothing more will become of it. */
export const isTold = (story: Story): boolean => story.outcome !== 'waiting';

const span = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const sum = (left: number | null, right: number | null): number | null => (left === null && right === null ? null : (left ?? 0) + (right ?? 0));
