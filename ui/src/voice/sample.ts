// A voice room for tests, of which a test says only what it is about.
import type { RoomVoiceAnswer, SpeechEngineAnswer, VoiceParticipant } from '../api/contract';

export const engine = (more: Partial<SpeechEngineAnswer> = {}): SpeechEngineAnswer => ({ engine: 'moonshine', works: true, ...more });

export const person = (name: string, more: Partial<VoiceParticipant> = {}): VoiceParticipant => ({ id: `local:${name.toLowerCase()}`, name, speaking: false, muted: false, listened: true, ...more });

export const view = (more: Partial<RoomVoiceAnswer> = {}): RoomVoiceAnswer => ({ enabled: true, inRoom: true, people: [], ears: engine(), mouth: engine({ engine: 'builtin' }), ...more });
