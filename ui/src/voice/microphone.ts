// Asks the browser for a microphone, and says in plain words why there is none and what to do.
import type { Problem } from '../share/capture';

export type { Problem };
export type Microphone = { stream: MediaStream } | { problem: MicrophoneProblem };

/** Why there is no microphone. */
export interface MicrophoneProblem extends Problem {
  /** One can be there without: to listen, and to write. */
  listens: boolean;
}

/** Of the browser: the part of `navigator.mediaDevices` that is used here. */
export type Devices = Pick<MediaDevices, 'getUserMedia' | 'enumerateDevices' | 'addEventListener' | 'removeEventListener'>;

/** What is asked for: speech in a room with loudspeakers. */
export function wishes(device: string): MediaStreamConstraints {
  return { audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: { ideal: 1 }, ...(device ? { deviceId: { exact: device } } : {}) }, video: false };
}

/** Why sound cannot go either way from here at all; null where it can. */
export function unable({ secure, capable, connects, host }: { secure: boolean; capable: boolean; connects: boolean; host: string }): MicrophoneProblem | null {
  if (!connects) return { title: 'This browser cannot talk', text: 'It has no WebRTC, or it is switched off. Use a current Chrome, Edge, Firefox or Safari.', listens: false };
  if (capable) return null;
  if (!secure) {
    return {
      title: 'The microphone needs https',
      text: `Browsers give the microphone only to pages that came over https, or from the same machine. Open this page as https://${host}, or on the machine Denizen runs on with http://localhost. Whoever runs it: put a TLS proxy in front.`,
      listens: true,
    };
  }
  return { title: 'This browser gives no microphone', text: 'It offers none to any page. Use a current Chrome, Edge, Firefox or Safari.', listens: true };
}

/** What went wrong when the browser was asked. */
export function inWords(name: string, message: string): MicrophoneProblem {
  const said = message ? ` The browser says: “${message}”.` : '';
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      if (/by system/i.test(message)) {
        return { title: 'The computer does not let this browser hear', text: 'Allow the microphone in the system’s settings (on a Mac: Privacy & Security → Microphone), start the browser again, then join once more.', listens: true };
      }
      if (/policy/i.test(message)) return { title: 'This page may not use the microphone', text: `A rule of the browser, of its administrator or of a proxy forbids it.${said}`, listens: true };
      if (/dismissed/i.test(message)) return { title: 'The microphone was not allowed', text: 'The browser’s question was closed. Join again, and allow it.', listens: true };
      return { title: 'The microphone was refused', text: 'Allow it for this page: press the sign at the left of the address, set Microphone to “Allow”, then join again.', listens: true };
    case 'NotFoundError':
    case 'DevicesNotFoundError':
      return { title: 'There is no microphone', text: 'None is plugged in, or the system hides it. Plug one in and join again.', listens: true };
    case 'OverconstrainedError':
      return { title: 'The chosen microphone is gone', text: 'It was unplugged, or is called something else now. Choose another one.', listens: true };
    case 'NotReadableError':
    case 'AbortError':
      return { title: 'The microphone is taken', text: `Another program uses it, or the system will not give it. Close that program and join again.${said}`, listens: true };
    default:
      return { title: 'There is no sound from the microphone', text: `Join again, or choose another one.${said}`, listens: true };
  }
}

/** Asks for a microphone: the one that was chosen, or any where that one is gone. */
export async function open(devices: Devices, device: string): Promise<Microphone> {
  try {
    return { stream: await devices.getUserMedia(wishes(device)) };
  } catch (refused) {
    const [name, message] = refused instanceof Error ? [refused.name, refused.message] : ['', String(refused)];
    if (device && (name === 'OverconstrainedError' || name === 'NotFoundError')) return open(devices, '');
    return { problem: inWords(name, message) };
  }
}

/** A device that sound comes from or goes to. */
export interface Device {
  id: string;
  label: string;
}

/** The microphones and loudspeakers there are; before the microphone was allowed, browsers do not name them. */
export async function listed(devices: Devices): Promise<{ inputs: Device[]; outputs: Device[] }> {
  const known = await devices.enumerateDevices().catch(() => []);
  const of = (kind: MediaDeviceKind, what: string) =>
    known.filter((device) => device.kind === kind && device.deviceId !== '').map(({ deviceId, label }, index) => ({ id: deviceId, label: label || `${what} ${index + 1}` }));
  return { inputs: of('audioinput', 'Microphone'), outputs: of('audiooutput', 'Loudspeaker') };
}
