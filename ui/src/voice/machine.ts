// What of the browser a call needs; apart, so that it can be another one in tests.
import { loudness } from './level';
import { unable, type Devices, type MicrophoneProblem } from './microphone';

export interface Meter {
  /** From 0 to 1. */
  level(): number;
  /** Browsers begin only after somebody has pressed something. */
  wake(): void;
  close(): void;
}

export interface Machine {
  /** Why one cannot talk from here; known before anything is asked. */
  unable(): MicrophoneProblem | null;
  devices: Devices | null;
  connection(): RTCPeerConnection;
  loudspeaker(): HTMLAudioElement;
  /** A track without a sound, for whoever comes without a microphone. */
  silence(): MediaStreamTrack;
  meter(track: MediaStreamTrack): Meter;
}

const METER_SAMPLES = 1_024;

export function thisBrowser(): Machine {
  let context: AudioContext | undefined;
  const sound = () => (context ??= new AudioContext());
  const devices = (navigator.mediaDevices as MediaDevices | undefined) ?? null;
  return {
    unable: () => unable({ secure: isSecureContext, capable: typeof devices?.getUserMedia === 'function', connects: typeof RTCPeerConnection === 'function', host: location.host }),
    devices,
    connection: () => new RTCPeerConnection(),
    loudspeaker: () => Object.assign(document.createElement('audio'), { autoplay: false }),
    silence: () => sound().createMediaStreamDestination().stream.getAudioTracks()[0]!,
    meter: (track) => {
      const [source, analyser] = [sound().createMediaStreamSource(new MediaStream([track])), sound().createAnalyser()];
      analyser.fftSize = METER_SAMPLES;
      source.connect(analyser);
      const samples = new Float32Array(METER_SAMPLES);
      const wake = () => void (sound().state === 'suspended' && sound().resume().catch(() => undefined));
      wake();
      return {
        level: () => {
          analyser.getFloatTimeDomainData(samples);
          return loudness(samples);
        },
        wake,
        close: () => source.disconnect(),
      };
    },
  };
}

/** Whether the browser lets a page choose where sound goes. */
export const choosesOutput = (): boolean => typeof HTMLMediaElement !== 'undefined' && 'setSinkId' in HTMLMediaElement.prototype;
