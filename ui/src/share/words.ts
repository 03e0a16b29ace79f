// What the share page tells the person: how a share ended, and how it is doing. Pure.

export interface Farewell {
  title: string;
  text: string;
  /** Whether it ended as somebody wanted it to. */
  calm: boolean;
}

/** Why the share is over, and what to do next. `detail`: what the other side said about it. */
export function farewell(reason: string, denizen: string, detail = ''): Farewell {
  switch (reason) {
    case 'stopped':
      return { title: 'You stopped sharing', text: `${denizen} sees nothing of your screen any more. What it noted stays in the room’s memory.`, calm: true };
    case 'lost':
      return { title: 'The connection was lost', text: 'It could not be taken up again in time, so the share is over. Ask the room for a new link to go on.', calm: false };
    case 'sharer_left':
      return { title: 'You left the room', text: 'A screen is only watched while its owner is there. Come back and share again.', calm: true };
    case 'ended_by_operator':
      return { title: 'Somebody in the room ended this share', text: 'Nothing more is sent. Ask them if you wonder why; a new link begins a new share.', calm: true };
    case 'access_ended':
      return { title: 'You are not let in here any more', text: 'The session or token with which this share was made was taken back, or its time is over. Nothing more is sent. Ask whoever runs this Denizen for a new link.', calm: false };
    case 'restarted':
      return { title: `${denizen} was restarted`, text: 'Links do not outlive a restart. Ask the room for a new one to go on.', calm: false };
    case 'session_not_found':
      return { title: 'This link has expired', text: 'It was used already, or was open for too long. Ask the room for a new one: “Share my screen” makes it.', calm: false };
    case 'stream_watch_disabled':
      return { title: 'Watching screens is switched off', text: 'Somebody has to switch voice.streamWatch.enabled on in the room’s settings first.', calm: false };
    case 'taken_over':
      return { title: 'This share goes on in another tab', text: 'The same link was opened again, and the newer tab took it over. You can stop it there.', calm: true };
    case 'too_many_links':
    case 'too_many_sockets':
      return { title: 'Too many screens are shared already', text: detail || 'Wait until somebody stops, then ask the room for a new link.', calm: false };
    case 'unreachable':
      return { title: `${denizen} cannot be reached`, text: 'No connection could be made. Is it still running? Ask the room for a new link, and try again.', calm: false };
    case 'no_token':
      return { title: 'This address is not complete', text: 'A link to share a screen ends in # and a key. Ask the room for one: “Share my screen” makes it.', calm: false };
    default:
      return { title: 'The share is over', text: detail || `The reason given is “${reason.replaceAll('_', ' ')}”. Ask the room for a new link to go on.`, calm: false };
  }
}

export type Watching = 'watched' | 'waiting' | 'elsewhere' | 'nobody' | 'off' | 'reconnecting';

/** Whether somebody looks, from what was last heard about it. */
export function watching({ connected, watched, refusal }: { connected: boolean; watched: boolean; refusal: string }): Watching {
  if (!connected) return 'reconnecting';
  if (watched) return 'watched';
  if (refusal === 'target_user_mismatch') return 'elsewhere';
  if (refusal === 'stream_watch_disabled') return 'off';
  return refusal === 'watch_not_active' ? 'nobody' : 'waiting';
}

export function stateLine(state: Watching, denizen: string): { says: string; more: string } {
  switch (state) {
    case 'watched':
      return { says: `${denizen} is watching`, more: '' };
    case 'elsewhere':
      return { says: 'Somebody else’s screen is watched here', more: 'No picture of yours is sent until somebody in the room chooses it.' };
    case 'nobody':
      return { says: 'Waiting to be chosen', more: 'Nobody’s screen is watched now. No picture of yours is sent until somebody in the room chooses it.' };
    case 'off':
      return { says: 'Watching is switched off', more: 'Nothing is sent until voice.streamWatch.enabled is on again.' };
    case 'reconnecting':
      return { says: 'The connection broke; taking it up again…', more: 'Nothing is sent meanwhile.' };
    default:
      return { says: `Waiting for ${denizen}`, more: 'No picture is sent until it watches.' };
  }
}

/** `just now`, `12 s ago`, `3 min ago`. */
export function ago(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 2) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min ago`;
}

/** Frames a second, or seconds a frame. */
export function perSecond(rate: number): string {
  if (rate <= 0) return 'none just now';
  if (rate >= 1.15) return `about ${rate.toFixed(1)} a second`;
  if (rate >= 0.75) return 'about one a second';
  return `about one every ${Math.round(1 / rate)} seconds`;
}
