// Reactions under a message: whose they are, what one press makes of them, and what counts as one. Pure.
import type { Reaction } from '../api/contract';

export const COMMON = ['👍', '❤️', '😂', '🎉', '😮', '🤔', '👀', '🙏', '🔥', '👎'];
const EMOJI_CHARS_MAX = 32;

/** What was typed, as a reaction; or what is wrong with it. */
export function asReaction(typed: string): { emoji: string } | { problem: string } {
  const emoji = typed.trim();
  if (emoji === '') return { problem: 'Write an emoji, or a short word.' };
  if ([...emoji].length > EMOJI_CHARS_MAX) return { problem: `A reaction has at most ${EMOJI_CHARS_MAX} characters.` };
  if (/[\s\u0000-\u001f\u007f-\u009f]/.test(emoji)) return { problem: 'A reaction is one word or emoji, without spaces.' };
  return { emoji };
}

export const isMine = (reactions: Reaction[] | undefined, emoji: string, person: string): boolean => reactions?.some((one) => one.emoji === emoji && one.people.includes(person)) ?? false;

/** The reactions once somebody gave or took back one; those nobody gives any more are gone. */
export function withReaction(reactions: Reaction[] | undefined, emoji: string, person: string, on: boolean): Reaction[] {
  const known = reactions ?? [];
  if (on && !known.some((one) => one.emoji === emoji)) return [...known, { emoji, people: [person] }];
  return known
    .map((one) => (one.emoji === emoji ? { ...one, people: on ? [...new Set([...one.people, person])] : one.people.filter((other) => other !== person) } : one))
    .filter(({ people }) => people.length > 0);
}

/** Who gave one, for a tip; ids are turned into names where they are known. */
export function givenBy({ emoji, people }: Reaction, names: Map<string, string>, me: string): string {
  const who = people.map((person) => (person === me ? 'you' : (names.get(person) ?? person.replace(/^[^:]+:/, ''))));
  const shown = who.length > 6 ? [...who.slice(0, 5), `${who.length - 5} others`] : who;
  return `${shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : shown[0]} reacted with ${emoji}`;
}
