// Which of the messages are drawn: a stretch of them around what is being read, however many there are. Pure.

/** Both ends by place in the room; without an end it reaches to the newest, and goes along with it. */
export interface Stretch {
  from: number;
  to: number;
}

interface Placed {
  seq: number;
}

/** Drawn while the newest are looked at. */
export const NEWEST = 60;
/** More are drawn at a time when one of its ends comes near. */
export const STEP = 30;
/** So many are drawn at most. */
export const DRAWN_MAX = 150;

const place = (message: Placed | undefined): number => message?.seq ?? Number.POSITIVE_INFINITY;

/** The newest, and whatever comes after them. */
export function newest(messages: readonly Placed[]): Stretch {
  return { from: messages.length > NEWEST ? place(messages.at(-NEWEST)) : 0, to: Number.POSITIVE_INFINITY };
}

/** The same stretch, but what comes now is not part of it. */
export function held(stretch: Stretch, messages: readonly Placed[]): Stretch {
  const last = messages.at(-1);
  return reachesEnd(stretch, messages) && last ? { ...stretch, to: place(last) } : stretch;
}

export function drawn<Message extends Placed>(messages: readonly Message[], stretch: Stretch): Message[] {
  return messages.slice(first(messages, stretch), end(messages, stretch));
}

/** Further up; what is then far below is drawn no longer. */
export function older(messages: readonly Placed[], stretch: Stretch): Stretch {
  const from = Math.max(0, first(messages, stretch) - STEP);
  const to = end(messages, stretch);
  return { from: from === 0 ? 0 : place(messages[from]), to: to - from > DRAWN_MAX ? place(messages[from + DRAWN_MAX - 1]) : stretch.to };
}

/** Further down; what is then far above is drawn no longer. */
export function newer(messages: readonly Placed[], stretch: Stretch): Stretch {
  const to = Math.min(messages.length, end(messages, stretch) + STEP);
  const from = Math.max(first(messages, stretch), to - DRAWN_MAX);
  return { from: from === 0 ? 0 : place(messages[from]), to: to === messages.length ? Number.POSITIVE_INFINITY : place(messages[to - 1]) };
}

/** With a message in the middle. */
export function around(messages: readonly Placed[], at: number): Stretch {
  const from = Math.max(0, at - NEWEST / 2);
  const to = Math.min(messages.length, at + NEWEST / 2);
  return { from: from === 0 ? 0 : place(messages[from]), to: to === messages.length ? Number.POSITIVE_INFINITY : place(messages[to - 1]) };
}

export const hasOlder = (messages: readonly Placed[], stretch: Stretch): boolean => first(messages, stretch) > 0;
export const reachesEnd = (stretch: Stretch, messages: readonly Placed[]): boolean => end(messages, stretch) === messages.length;

function first(messages: readonly Placed[], { from }: Stretch): number {
  const at = messages.findIndex((message) => place(message) >= from);
  return at === -1 ? messages.length : at;
}

function end(messages: readonly Placed[], { to }: Stretch): number {
  return messages.findLastIndex((message) => place(message) <= to) + 1;
}
