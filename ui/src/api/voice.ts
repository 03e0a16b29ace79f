// Calls about the voice of a room: who is there, coming in, being muted, leaving, and asking Denizen in or out.
import { call, json } from './client';
import type { NewVoiceSession, RoomVoiceAnswer, VoiceSessionAnswer, VoiceSessionChange } from './contract';

const voiceOf = (room: string) => `/api/rooms/${encodeURIComponent(room)}/voice`;
const sessionOf = (room: string, session: string) => `${voiceOf(room)}/sessions/${encodeURIComponent(session)}`;

export const voiceApi = {
  view: (room: string) => json<RoomVoiceAnswer>('GET', voiceOf(room)),
  /** Offers a connection; the answer is the other side of it. */
  come: (room: string, author: string, sdp: string, muted: boolean) => json<VoiceSessionAnswer>('POST', `${voiceOf(room)}/sessions`, { author, sdp, muted } satisfies NewVoiceSession),
  change: (room: string, session: string, change: VoiceSessionChange) => call('PATCH', sessionOf(room, session), change),
  leave: (room: string, session: string) => call('DELETE', sessionOf(room, session)),
  /** Asks Denizen in. */
  askIn: (room: string) => call('POST', `${voiceOf(room)}/join`),
  /** Asks it to leave. */
  askOut: (room: string) => call('POST', `${voiceOf(room)}/leave`),
};
