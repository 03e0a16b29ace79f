// Commands one can type: offered while a line begins with a slash.
export interface SlashCommand {
  text: string;
  about: string;
}

export const COMMANDS: readonly SlashCommand[] = [
  { text: '/help', about: 'What can be typed here, and what it does' },
  { text: '/new', about: 'Begin a new conversation; what was said is remembered' },
  { text: '/reset', about: 'The same, by its other name' },
  { text: '/join', about: 'Ask it into the voice of this room' },
  { text: '/leave', about: 'Ask it to leave the voice of this room' },
  { text: '/forget that', about: 'Forget what you said last, and the answer to it' },
  { text: '/forget me', about: 'Forget all you said and all that is known of you; it asks first' },
];

/** The commands that begin with what stands in the field; none once one is written out. */
export function slashCommands(text: string): readonly SlashCommand[] {
  const begun = text.trimStart().toLowerCase();
  if (!begun.startsWith('/') || begun.includes('\n')) return [];
  const fitting = COMMANDS.filter((command) => command.text.startsWith(begun));
  return fitting.length === 1 && fitting[0]!.text === begun ? [] : fitting;
}
