// The share page's socket: a greeting, then pictures one by one, until one side ends it.
import { accept } from './websocket.mjs';
import { watchOf } from './watch.mjs';

const HELLO_MS = 10_000;
const GRACE_MS = 10_000;

export function shareSocket(world, request, socket) {
  let link = null;
  let watch = null;
  const line = accept(request, socket, { message, closed });
  if (!line) return;
  const impatient = setTimeout(() => link || line.close(), HELLO_MS);

  function message(said) {
    if (!link) return greet(said);
    link.seenAt = Date.now();
    if (typeof said === 'string') {
      if (JSON.parse(said).type === 'stop') watch.end(link, 'stopped');
      return;
    }
    const { sample, refused } = watch.frame(link, 'image/jpeg', said);
    if (refused) line.send({ type: 'refused', ...refused });
    else line.send({ type: 'taken', frame: sample.frame, score: sample.score, ema: sample.ema, sceneCut: sample.sceneCut });
  }

  function greet(said) {
    const { token } = JSON.parse(said);
    for (const { id } of world.rooms) {
      watch = watchOf(world, id);
      link = watch.by(token);
      if (link) break;
    }
    const refuse = (reason, detail) => {
      line.send({ type: 'refused', reason, detail });
      line.close();
    };
    if (!link) return refuse('session_not_found', 'There is no such share, or its link has expired. Ask the room for a new link.');
    if (!watch.knob('enabled') && !link.since) return refuse('stream_watch_disabled', 'Watching screens is switched off: voice.streamWatch.enabled is false.');
    clearTimeout(link.grace);
    link.socket?.over('taken_over');
    link.socket = null;
    watch.begin(link);
    link.told = null;
    line.send({ type: 'welcome', share: link.share, room: link.room, name: link.name, denizen: world.denizen.name, ...watch.limits(), watched: watch.watched === link.share });
    link.socket = { send: line.send, over: (reason) => { line.send({ type: 'ended', reason }); line.close(); } };
    watch.tell();
  }

  function closed() {
    clearTimeout(impatient);
    if (!link || link.ended) return;
    const { socket: mine } = link;
    link.grace = setTimeout(() => link.socket === mine && watch.end(link, 'lost'), GRACE_MS);
    link.grace.unref();
  }
}
