// States of the voice panel, without any voice: what Denizen and the browser say about it is made up here.
const ENGINE = { engine: 'local', works: true };
const PEOPLE = [
  { id: 'local:bob', name: 'Bob', speaking: true, muted: false, listened: true },
  { id: 'local:cleo', name: 'Cleo', speaking: false, muted: true, listened: false },
];
const VIEW = { enabled: true, inRoom: true, people: PEOPLE, ears: ENGINE, mouth: ENGINE };

/** Runs in the page before anything else: a connection that stands as soon as it is answered, or a microphone that is refused. */
function pretend(refused) {
  class Connection extends EventTarget {
    connectionState = 'new';
    iceGatheringState = 'complete';
    localDescription = { sdp: 'offer' };
    addTransceiver = () => ({ sender: { replaceTrack: async () => undefined } });
    setLocalDescription = async () => undefined;
    close = () => undefined;
    async setRemoteDescription() {
      this.connectionState = 'connected';
      this.dispatchEvent(new Event('connectionstatechange'));
    }
  }
  window.RTCPeerConnection = Connection;
  const sound = () => new AudioContext().createMediaStreamDestination().stream;
  navigator.mediaDevices.getUserMedia = async () => (refused ? Promise.reject(new DOMException('Permission denied', 'NotAllowedError')) : sound());
}

/** For a page that is about to be opened: the voice of its room is such. */
export const voiced = (more = {}, { refused = false } = {}) => async (page) => {
  await page.addInitScript(pretend, refused);
  await page.route(/\/api\/rooms\/lounge\/voice/, (route) => {
    const request = route.request();
    if (request.method() === 'GET') return route.fulfill({ json: { ...VIEW, ...more } });
    return request.method() === 'POST' ? route.fulfill({ status: 201, json: { session: 's1', sdp: 'answer' } }) : route.fulfill({ status: 204 });
  });
};

const press = (...ids) => async (page) => {
  for (const id of ids) await page.getByTestId(id).first().click();
};

/** Each state: where it is, and what is done there first. */
export const voiceStates = (room) => [
  ['room, voice, somebody is there', room, { before: voiced() }],
  ['room, voice, in', room, { before: voiced(), first: async (page) => { await press('voice-join')(page); await page.getByTestId('voice-leave').waitFor(); } }],
  ['room, voice, in, sound settings', room, { before: voiced(), first: press('voice-join', 'voice-tune', 'voice-push-mode') }],
  ['room, voice, in, muted and not listened to', room, { before: voiced(), first: press('voice-join', 'voice-mute', 'voice-unheard') }],
  ['room, voice, no ears, no voice, Denizen is out', room, { before: voiced({ inRoom: false, ears: { engine: 'none', works: false, remedy: 'Get ears with `denizen models install ears`.' }, mouth: { engine: 'none', works: false } }), first: press('voice-join') }],
  ['room, voice, ears that fail, seen by somebody who is not in', room, { before: voiced({ ears: { ...ENGINE, failing: true, remedy: 'http://127.0.0.1:8000/v1 answers with 500.' } }), first: async (page) => page.getByTestId('voice-note').waitFor() }],
  ['room, voice, in, ears that fail', room, { before: voiced({ ears: { ...ENGINE, failing: true, remedy: 'http://127.0.0.1:8000/v1 answers with 500.' } }), first: async (page) => { await press('voice-join')(page); await page.getByTestId('voice-leave').waitFor(); } }],
  ['room, voice, microphone refused', room, { before: voiced({}, { refused: true }), first: async (page) => { await press('voice-join')(page); await page.getByTestId('voice-problem').waitFor(); } }],
  ['room, voice, switched off', room, { before: voiced({ enabled: false, why: 'voice.enabled is false.', people: [], inRoom: false }), first: press('voice-join') }],
  ['settings, while in voice', room, { before: voiced(), first: async (page) => { await press('voice-join')(page); await page.getByTestId('voice-leave').waitFor(); await page.evaluate(() => (location.hash = '#/settings')); await page.getByTestId('voice-away').waitFor(); } }],
];
