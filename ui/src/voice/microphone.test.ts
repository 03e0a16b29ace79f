import { describe, expect, it } from 'vitest';
import { inWords, listed, open, unable, wishes, type Devices } from './microphone';

/** A browser whose answers are given one after the other. */
function browser(...answers: (string | Error)[]): Devices & { asked: MediaStreamConstraints[] } {
  const asked: MediaStreamConstraints[] = [];
  return {
    asked,
    getUserMedia: async (wish) => {
      asked.push(wish!);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return { id: answer } as unknown as MediaStream;
    },
    enumerateDevices: async () => [],
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
}
const refusal = (name: string, message = '') => Object.assign(new Error(message), { name });

describe('whether this browser can talk at all', () => {
  const fine = { secure: true, capable: true, connects: true, host: 'den.example:8787' };
  it('one with a microphone and WebRTC can', () => expect(unable(fine)).toBeNull());
  it('a page over http on another machine cannot, and is told how it can, and that one may listen', () => {
    const problem = unable({ ...fine, secure: false, capable: false });
    expect(problem?.title).toContain('needs https');
    expect(problem?.text).toContain('https://den.example:8787');
    expect(problem?.listens).toBe(true);
  });
  it('a page that came over https and gets none blames the browser', () => expect(unable({ ...fine, capable: false })?.title).toContain('gives no microphone'));
  it('without WebRTC one cannot even listen', () => expect(unable({ ...fine, connects: false })?.listens).toBe(false));
});

describe('asking for the microphone', () => {
  it('asks for speech: no echo, no noise, an even loudness', async () => {
    const devices = browser('mine');
    expect(await open(devices, '')).toEqual({ stream: { id: 'mine' } });
    expect(devices.asked[0]?.audio).toMatchObject({ echoCancellation: true, noiseSuppression: true, autoGainControl: true });
  });
  it('asks for the one that was chosen, and takes any where that one is gone', async () => {
    const devices = browser(refusal('OverconstrainedError'), 'another');
    expect(await open(devices, 'headset')).toEqual({ stream: { id: 'another' } });
    expect(devices.asked).toEqual([wishes('headset'), wishes('')]);
  });
  it('a refusal is not asked around', async () => {
    const devices = browser(refusal('NotAllowedError', 'Permission denied'), 'another');
    expect(await open(devices, 'headset')).toMatchObject({ problem: { title: 'The microphone was refused' } });
    expect(devices.asked.length).toBe(1);
  });
  it.each([
    ['NotAllowedError', 'Permission denied by system', /system’s settings/],
    ['NotAllowedError', 'Permission dismissed', /was closed/],
    ['NotAllowedError', 'disallowed by permissions policy', /forbids it/],
    ['NotFoundError', 'Requested device not found', /Plug one in/],
    ['NotReadableError', 'Could not start audio source', /Another program.*Could not start/],
    ['OverconstrainedError', '', /Choose another/],
    ['TypeError', 'odd', /The browser says: “odd”/],
  ])('%s (%s) says what to do', (name, message, remedy) => {
    const problem = inWords(name, message);
    expect(problem.text).toMatch(remedy);
    expect(problem.listens).toBe(true);
  });
});

describe('devices', () => {
  it('are listed by their names; those a browser does not name yet are counted', async () => {
    const device = (kind: MediaDeviceKind, deviceId: string, label = '') => ({ kind, deviceId, label, groupId: '', toJSON: () => '' });
    const devices = { ...browser(), enumerateDevices: async () => [device('audioinput', 'a', 'Headset'), device('audioinput', 'b'), device('videoinput', 'c', 'Camera'), device('audiooutput', 'd', 'Desk'), device('audioinput', '')] };
    expect(await listed(devices)).toEqual({ inputs: [{ id: 'a', label: 'Headset' }, { id: 'b', label: 'Microphone 2' }], outputs: [{ id: 'd', label: 'Desk' }] });
  });
  it('are none where the browser will not say', async () => expect(await listed({ ...browser(), enumerateDevices: () => Promise.reject(new Error('no')) })).toEqual({ inputs: [], outputs: [] }));
});
