// A real Chromium streams a canvas over WHIP: frames arrive, and a hard cut on the canvas is a scene cut.
// Needs no model: `DENIZEN_URL=http://127.0.0.1:8787 node whip.mjs`.
import { openBrowser, openPage } from './browser.mjs';
import { must, Tally, until } from './tally.mjs';

const ROOM = 'lounge';

/** Asks for a link, as the room's page does. */
async function invite(url, name) {
  const response = await fetch(`${url}/api/rooms/${ROOM}/shares`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, source: 'whip' }),
  });
  const body = await response.text();
  must(response.status === 201, `POST shares answered ${response.status}: ${body}`);
  return JSON.parse(body);
}

/** The samples of the watch, those after a frame. */
async function samplesOf(url, after) {
  const watch = await (await fetch(`${url}/api/rooms/${ROOM}/watch${after === undefined ? '' : `?after=${after}`}`)).json();
  return watch.samples ?? [];
}

/** Runs in the page: draws a canvas, offers it in one codec, and keeps what the checks want to know. */
async function stream({ whipUrl, token, codec, withSound }) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [1280, 720];
  const pen = canvas.getContext('2d', { alpha: false });
  const drawn = { background: '#101418', frame: 0 };
  const draw = () => {
    pen.fillStyle = drawn.background;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = '#d04020';
    pen.fillRect((drawn.frame * 9) % canvas.width, 300, 60, 60);
    drawn.frame += 1;
  };
  draw();
  const drawing = setInterval(draw, 40);
  const [track] = canvas.captureStream(25).getVideoTracks();
  const connection = new RTCPeerConnection();
  if (withSound) {
    const [sound] = new AudioContext().createMediaStreamDestination().stream.getAudioTracks();
    connection.addTransceiver(sound, { direction: 'sendonly' });
  }
  const transceiver = connection.addTransceiver(track, { direction: 'sendonly' });
  const known = RTCRtpSender.getCapabilities('video').codecs;
  const wanted = known.filter(({ mimeType }) => [`video/${codec}`, 'video/rtx'].includes(mimeType));
  const names = [...new Set(known.map(({ mimeType }) => mimeType))];
  if (!wanted.some(({ mimeType }) => mimeType !== 'video/rtx')) return { missing: true, names };
  transceiver.setCodecPreferences(wanted);
  await connection.setLocalDescription();
  await new Promise((resolve) => {
    const check = () => connection.iceGatheringState === 'complete' && resolve();
    connection.addEventListener('icegatheringstatechange', check);
    check();
  });
  const response = await fetch(whipUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/sdp', Authorization: `Bearer ${token}` },
    body: connection.localDescription.sdp,
  });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`the offer was answered with ${response.status}: ${answer}`);
  await connection.setRemoteDescription({ type: 'answer', sdp: answer });
  Object.assign(window, { drawn, connection, drawing });
  return { missing: false, names };
}

/** Runs in the page: what the browser says of what it sends. */
async function sent() {
  const stats = [...(await window.connection.getStats()).values()];
  const video = stats.find(({ type, kind }) => type === 'outbound-rtp' && kind === 'video');
  const codec = stats.find(({ id }) => id === video?.codecId);
  return {
    state: window.connection.connectionState,
    codec: codec && `${codec.mimeType} ${codec.sdpFmtpLine ?? ''}`,
    encoder: video?.encoderImplementation,
    frames: video?.framesEncoded,
    keyFrames: video?.keyFramesEncoded,
    plis: video?.pliCount,
    size: video && `${video.frameWidth}x${video.frameHeight}`,
  };
}

async function check(tally, browser, url, { codec, withSound }) {
  const complaints = [];
  const page = await openPage(browser, complaints);
  await page.goto(`${url}/`);
  const before = (await samplesOf(url)).at(-1)?.frame;
  const link = await invite(url, `Streamer ${codec}`);
  const begun = await tally.expect(`${codec}: the offer is answered`, async () => {
    const began = await page.evaluate(stream, { whipUrl: link.whipUrl, token: link.token, codec, withSound });
    must(!began.missing, `this Chromium sends no ${codec}; it has ${began.names.join(', ')}`);
    return true;
  });
  if (!begun) return page.context().close();

  const samples = () => samplesOf(url, before);
  await tally.expect(`${codec}: frames arrive, scored`, async () => {
    const came = await until(async () => {
      const all = await samples();
      return all.length >= 3 && all;
    }, async () => `three frames did not arrive; the browser says ${JSON.stringify(await page.evaluate(sent))}`, 30_000);
    must(came.every(({ sceneCut }) => !sceneCut), 'a scene cut before there was one');
    must(came.every(({ kind }) => kind === 'jpeg'), 'a frame is no JPEG');
  });
  await tally.expect(`${codec}: a hard cut is a scene cut`, async () => {
    const dark = (await samples()).at(-1).frame;
    await page.evaluate(() => {
      window.drawn.background = '#f4f4f0';
    });
    const cut = await until(async () => (await samples()).find(({ frame, sceneCut }) => frame > dark && sceneCut), async () => `no scene cut, but ${JSON.stringify((await samples()).map(({ frame, score }) => [frame, score]))}`, 30_000);
    must(cut.score >= 0.4, `it is scored ${cut.score}`);
    console.log(`        score ${cut.score.toFixed(3)}, frame ${cut.width}x${cut.height}`);
  });
  await tally.expect(`${codec}: the newest picture is the canvas after the cut`, async () => {
    const picture = await fetch(`${url}/api/rooms/${ROOM}/watch/frame`);
    must(picture.status === 200 && picture.headers.get('content-type') === 'image/jpeg', `it is ${picture.status}`);
    const level = await page.evaluate(async (path) => {
      const bitmap = await createImageBitmap(await (await fetch(path)).blob());
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      pen.drawImage(bitmap, 0, 0);
      return pen.getImageData(4, 4, 1, 1).data[0];
    }, `/api/rooms/${ROOM}/watch/frame`);
    must(level > 225, `its corner has a level of ${level}`);
  });
  console.log(`        the browser says ${JSON.stringify(await page.evaluate(sent))}`);
  await tally.expect(`${codec}: a browser that closes its connection ends the share`, async () => {
    await page.evaluate(() => {
      clearInterval(window.drawing);
      window.connection.close();
    });
    await until(async () => {
      const refused = await fetch(new URL(link.framesUrl, url), { method: 'POST', headers: { Authorization: `Bearer ${link.token}`, 'Content-Type': 'image/jpeg' }, body: 'x' });
      return refused.status === 404;
    }, 'the token is still worth something', 30_000);
  });
  await tally.expect(`${codec}: nothing to complain about`, async () => must(complaints.length === 0, complaints.join('\n')));
  await page.context().close();
}

export async function run(url) {
  const tally = new Tally();
  const browser = await openBrowser();
  try {
    await check(tally, browser, url, { codec: 'H264', withSound: false });
    await check(tally, browser, url, { codec: 'VP8', withSound: true });
  } finally {
    await browser.close();
  }
  return tally.close();
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const url = (process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787').replace(/\/$/, '');
  process.exit((await run(url)) ? 0 : 1);
}
