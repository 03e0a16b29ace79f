// A voice room for tests, of which a test says only what it is about.
import type { VoiceAnswer, VoiceEngine, VoicePerson } from './types';

export const engine = (more: Partial<VoiceEngine> = {}): VoiceEngine => ({ engine: 'moonshine', works: true, ...more });

export const person = (name: string, more: Partial<VoicePerson> = {}): VoicePerson => ({ id: `local:${name.toLowerCase()}`, name, speaking: false, muted: false, listened: true, ...more });

export const view = (more: Partial<VoiceAnswer> = {}): VoiceAnswer => ({ enabled: true, inRoom: true, people: [], ears: engine(), mouth: engine({ engine: 'builtin' }), ...more });
