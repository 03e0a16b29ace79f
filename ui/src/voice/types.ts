// What the HTTP API and the live feed say about the voice of a room.

/** What hears or speaks, and whether it works. */
export interface VoiceEngine {
  engine: string;
  works: boolean;
  /** What to do where it does not. */
  remedy?: string;
}

/** Somebody in the voice of a room. */
export interface VoicePerson {
  id: string;
  name: string;
  speaking: boolean;
  muted: boolean;
  /** False: they do not want to be listened to, and what they say is not written down. */
  listened: boolean;
  isYou?: boolean;
}

/** The voice of a room. */
export interface VoiceAnswer {
  enabled: boolean;
  /** Why there is none. */
  why?: string;
  /** Denizen is in it. */
  inRoom: boolean;
  people: VoicePerson[];
  ears: VoiceEngine;
  mouth: VoiceEngine;
  startedAt?: number;
  endsAt?: number;
}

export interface VoiceSessionAnswer {
  session: string;
  sdp: string;
}

/** What the live feed says about it. */
export type VoiceEvent =
  | { type: 'voice_people'; room: string }
  | { type: 'voice_speaking'; room: string; person: string; speaking: boolean }
  | { type: 'voice_transcript'; room: string; id: string; person: string; name: string; text: string; final: boolean }
  | { type: 'voice_saying'; room: string; delivery: string; text: string; heard?: string };
