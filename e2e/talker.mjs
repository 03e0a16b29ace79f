// A person with a microphone: a browser of their own whose microphone is a file, in the voice of a room, with an ear for what comes back.
import { openBrowser, openPage } from './browser.mjs';
import { until } from './tally.mjs';

/** Chromium begins to play the file when the microphone is opened, and is silent after it. */
const microphone = (file) => ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', `--use-file-for-fake-audio-capture=${file}%noloop`, '--autoplay-policy=no-user-gesture-required'];

/** Runs in the page before anything else: keeps what is heard where a check can get at it. */
export function eavesdrop() {
  const Plain = window.RTCPeerConnection;
  window.heardTracks = [];
  window.connections = [];
  window.RTCPeerConnection = class extends Plain {
    constructor(...given) {
      super(...given);
      window.connections.push(this);
      this.addEventListener('track', ({ track }) => window.heardTracks.push(track));
    }
  };
}

/** For how many tenths of a second samples at 16 kHz are loud, and the samples themselves. */
function loudness(samples) {
  const tenths = Array.from({ length: Math.floor(samples.length / 1_600) }, (_, at) => Math.sqrt(samples.slice(at * 1_600, (at + 1) * 1_600).reduce((sum, sample) => sum + sample * sample, 0) / 1_600) / 32_768);
  return { samples: Float32Array.from(samples, (sample) => sample / 32_768), tenths, loud: tenths.filter((level) => level > 0.01).length };
}

/** Runs in the page: what was gathered, as 16-bit samples. */
const gathered = () => window.heardSamples.map((sample) => Math.round(sample * 32_767));

/** Runs in the page: what the browser says of the connection. */
export async function statistics() {
  const stats = [...(await window.connections.at(-1).getStats()).values()];
  const of = (type) => stats.find((each) => each.type === type && each.kind === 'audio');
  return { state: window.connections.at(-1).connectionState, sent: of('outbound-rtp')?.packetsSent ?? 0, received: of('inbound-rtp')?.packetsReceived ?? 0, lost: of('inbound-rtp')?.packetsLost ?? 0, energy: of('inbound-rtp')?.totalAudioEnergy ?? 0 };
}

/** Runs in the page: gathers the samples of what is heard from now on. */
async function listen() {
  window.listening?.close();
  const context = new AudioContext({ sampleRate: 16_000 });
  const source = context.createMediaStreamSource(new MediaStream([window.heardTracks.at(-1)]));
  const tap = context.createScriptProcessor(4_096, 1, 1);
  window.heardSamples = [];
  tap.onaudioprocess = ({ inputBuffer }) => window.heardSamples.push(...inputBuffer.getChannelData(0));
  source.connect(tap);
  tap.connect(context.destination);
  window.listening = context;
  await context.resume();
}

/** Whether Denizen understands speech here; ears that are still being loaded are waited for. */
export async function hears(url) {
  const ears = async () => (await (await fetch(`${url}/api/rooms/lounge/voice`)).json()).ears;
  const { works, remedy } = await until(async () => {
    const now = await ears();
    return !now.loading && now;
  }, 'its ears do not get ready', 90_000);
  if (!works) console.log(`skipped what needs ears: ${remedy ?? 'there are none'}`);
  return works;
}

export class Talker {
  static async open(url, name, file, complaints, { flags = [], ...options } = {}) {
    const talker = new Talker();
    talker.browser = await openBrowser(...microphone(file), ...flags);
    talker.page = await openPage(talker.browser, complaints, { permissions: ['microphone'], ...options });
    await talker.page.addInitScript(eavesdrop);
    Object.assign(talker, { url, name });
    await talker.page.goto(`${url}/?as=${encodeURIComponent(name)}#/room/lounge`);
    await talker.page.getByTestId('voice-join').waitFor({ timeout: 30_000 });
    return talker;
  }

  /** Presses the button; the file begins to play. */
  async join() {
    await this.page.getByTestId('voice-join').click();
    await this.isIn();
  }

  isIn = () => until(async () => (await this.panel.count()) && (await this.panel.getAttribute('data-phase')) === 'in', async () => `${this.name} is not in: ${await this.says()}`, 30_000);

  leave = () => this.page.getByTestId('voice-leave').click();

  get panel() {
    return this.page.getByTestId('voice-panel');
  }

  says = async () => ((await this.panel.count()) ? (await this.panel.innerText()).replace(/\s+/g, ' ').slice(0, 400) : 'there is no panel');

  people = () => this.page.getByTestId('voice-person').evaluateAll((tiles) => tiles.map(({ dataset }) => ({ ...dataset })));

  /** What Denizen does, as the page says. */
  doing = async () => ((await this.page.getByTestId('voice-denizen').count()) ? this.page.getByTestId('voice-denizen').getAttribute('data-doing') : 'out');

  lines = () => this.page.getByTestId('voice-line').evaluateAll((lines) => lines.map((line) => ({ speaker: line.dataset.speaker, state: line.dataset.state, text: line.querySelector('.words')?.textContent?.trim() ?? '', why: line.querySelector('.why')?.textContent?.trim() ?? '' })));

  /** A finished line of somebody's that has such words. */
  said = (speaker, pattern, patience = 40_000) => until(
    async () => (await this.lines()).find((line) => line.speaker === speaker && line.state === 'said' && pattern.test(line.text)),
    async () => `${speaker} did not say ${pattern}; there is ${JSON.stringify(await this.lines()).slice(-700)}`, patience);

  startListening = () => this.page.evaluate(listen);

  /** What was heard since, and for how many tenths of a second. */
  heard = async () => loudness(await this.page.evaluate(gathered));

  stats = () => this.page.evaluate(statistics);

  close = () => this.browser.close();
}
