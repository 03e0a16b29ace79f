// What the voice of a room is said to be like, in words.
import type { RoomVoiceAnswer, VoiceParticipant, VoiceServiceView } from '../api/contract';

export type Doing = 'out' | 'listening' | 'thinking' | 'speaking';

/** What Denizen does there. */
export function doingWords(doing: Doing, understands = true): string {
  return { out: 'not here', listening: understands ? 'listens' : 'hears no words', thinking: 'thinks…', speaking: 'speaks' }[doing];
}

/** Who is there, for whoever is not. */
export function whoIsThere(people: readonly VoiceParticipant[]): string {
  const names = people.map(({ name }) => name);
  if (names.length === 0) return 'Nobody talks here yet.';
  if (names.length === 1) return `${names[0]} is in voice.`;
  if (names.length <= 4) return `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are in voice.`;
  return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more are in voice.`;
}

/** Something that is not as it could be, and what to do. */
export interface Note {
  kind: 'ears' | 'failing' | 'mouth' | 'off' | 'loading';
  title: string;
  text: string;
}

/** What is missing: said once, plainly, with the remedy. */
export function notes(view: RoomVoiceAnswer, denizen: string): Note[] {
  if (!view.enabled) return [{ kind: 'off', title: 'There is no voice here', text: view.why ?? 'It is switched off: voice.enabled in the settings.' }];
  const found: Note[] = [];
  const typed = view.mouth.works || view.mouth.loading ? 'Type to it instead: whoever is in voice is answered aloud.' : 'Type to it instead: it answers in the text.';
  if (view.ears.loading) found.push({ kind: 'loading', title: `${denizen} gets its ears ready`, text: 'They are being loaded, and it comes in when they are there. People hear each other already.' });
  else if (!view.ears.works) found.push({ kind: 'ears', title: `${denizen} understands no speech here`, text: `${typed} People hear each other all the same. ${view.ears.remedy ?? 'Get it ears with `denizen models install ears`.'}` });
  else if (view.ears.failing) found.push({ kind: 'failing', title: `${denizen} does not understand what is said just now`, text: `Its ears fail. Type to it meanwhile; people hear each other all the same. ${view.ears.remedy ?? ''}`.trim() });
  else if (view.ears.remedy) found.push({ kind: 'ears', title: `${denizen} could hear better`, text: view.ears.remedy });
  if (view.mouth.loading && !view.ears.loading) found.push({ kind: 'loading', title: `${denizen} gets its voice ready`, text: 'It is being loaded, and it comes in when it is there. People hear each other already.' });
  else if (!view.mouth.works && !view.mouth.loading) found.push({ kind: 'mouth', title: `${denizen} has no voice here`, text: `It cannot speak. ${view.mouth.remedy ?? 'Get it one with `denizen models install voice`.'}` });
  else if (view.mouth.remedy && !view.mouth.loading) found.push({ kind: 'mouth', title: `${denizen} has trouble with its voice`, text: view.mouth.remedy });
  return found;
}

/** Whether what is said is understood; while ears are loaded it will be in a moment. */
export const understands = ({ ears }: RoomVoiceAnswer): boolean => (ears.works || !!ears.loading) && !ears.failing;

/** What is being loaded before it comes in; empty: nothing. */
export function loads({ ears, mouth }: RoomVoiceAnswer): string {
  return [ears.loading && 'ears', mouth.loading && 'voice'].filter(Boolean).join(' and ');
}

/** What the signs beside a person say. */
export function personWords(person: VoiceParticipant, you: boolean, denizen: string): string {
  const parts = [you ? `${person.name} (you)` : person.name];
  if (person.speaking) parts.push('speaks');
  if (person.muted) parts.push('is muted');
  if (!person.listened) parts.push(`is not listened to by ${denizen}`);
  return parts.join(', ');
}

/** Who came and went between two looks, for those who cannot see it. */
export function comings(before: readonly VoiceParticipant[], after: readonly VoiceParticipant[]): string {
  const gone = before.filter(({ id }) => !after.some((other) => other.id === id));
  const came = after.filter(({ id }) => !before.some((other) => other.id === id));
  return [...came.map(({ name }) => `${name} came into voice.`), ...gone.map(({ name }) => `${name} left voice.`)].join(' ');
}

/** Who hears and speaks, and who thinks. */
export const serviceWords = ({ service, strategy }: VoiceServiceView, denizen: string): string =>
  strategy === 'native' ? `${service} hears, thinks and speaks; ${denizen} only decides whether it answers.` : `${service} hears and speaks; ${denizen} thinks.`;
