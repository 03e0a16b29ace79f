// The mock's shared screens: links, whose screen is watched, the door for frames, and everything the watch page shows.
import { randomBytes } from 'node:crypto';
import { luma } from './jpeg_luma.mjs';
import { ApiProblem } from './problem.mjs';
import { Mind } from './watch_mind.mjs';

const SAMPLES_MS = 600_000;
const LOST_MS = 60_000;
const SCENE_CUT = 0.4;
const ALPHA = 0.35;
const KINDS = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/webp': 'webp' };
const UNKNOWN = 'There is no such share, or its link has expired. Ask the room for a new link.';

export class Watch {
  links = new Map();
  shares = [];
  watched = null;
  generation = 0;
  nobody = false;
  samples = [];
  picture = null;
  #frame = 0;
  #before = null;
  #ema = 0;

  constructor(world, room) {
    Object.assign(this, { world, room, mind: new Mind(world, room, this) });
    setInterval(() => this.#lookAfter(), 1_000).unref();
  }

  knob = (name) => this.world.knob(`voice.streamWatch.${name}`);

  invite({ name = '', source = 'share_page' }) {
    const given = String(name).trim();
    if (!given || given.length > 40) throw new ApiProblem(422, 'bad_author', 'A name has 1 to 40 characters.');
    if (!this.knob('enabled')) throw new ApiProblem(409, 'stream_watch_disabled', 'Watching screens is switched off: voice.streamWatch.enabled is false.');
    const share = `share-${randomBytes(6).toString('hex')}`;
    const token = randomBytes(18).toString('base64url');
    const expiresAt = Date.now() + this.knob('shareLinkMinutes') * 60_000;
    this.links.set(token, { share, token, room: this.room, name: given, person: `local:${given.toLowerCase()}`, source, expiresAt, since: null, frames: 0, seenAt: 0, taken: [], told: null, ended: null });
    return { share, token, expiresAt, url: `/share#${token}`, framesUrl: `/api/watch/${share}/frames`, whipUrl: `/api/watch/${share}/whip` };
  }

  /** The share a token opens; null for a wrong, used or expired one. */
  by(token, share) {
    const link = this.links.get(token);
    return link && !link.ended && (link.since || link.expiresAt > Date.now()) && (!share || link.share === share) ? link : null;
  }

  begin(link) {
    link.seenAt = Date.now();
    if (link.since) return;
    link.since = Date.now();
    this.shares.push(link);
    this.note('share_started', { share: link.share, person: link.person, shared_by: link.name, source: link.source, shares: this.shares.length });
    if (this.shares.length === 1 && this.knob('enabled')) this.choose(link.share, 'only_one');
    else if (!this.watched || this.watched !== link.share) this.#undecided();
  }

  /** Several share and nobody has chosen: none is guessed. Whoever is watched already stays so. */
  #undecided() {
    if (!this.watched && !this.nobody) this.note('target_left_open', { shares: this.shares.length });
    this.tell();
  }

  /** What is switched off is not watched, who shares alone is, and everybody is told what is taken now. */
  settingsChanged() {
    if (!this.knob('enabled') && this.watched) {
      this.choose(null);
      this.nobody = false;
    } else if (this.knob('enabled') && !this.watched && !this.nobody && this.shares.length === 1) this.choose(this.shares[0].share, 'only_one');
    this.tell();
    for (const link of this.shares) link.socket?.send({ type: 'limits', ...this.limits() });
  }

  choose(share, because = 'chosen') {
    if (share !== null && !this.shares.some((each) => each.share === share)) throw new ApiProblem(404, 'session_not_found', UNKNOWN);
    if (this.watched && this.watched !== share) {
      this.note('ended', { share: this.watched, reason: share ? 'retargeted' : 'nobody_wanted' });
      this.mind.ended();
    }
    this.nobody = share === null;
    if (share && this.watched !== share) {
      this.generation += 1;
      [this.#before, this.#ema] = [null, 0];
      const link = this.shares.find((each) => each.share === share);
      this.note('started', { share, shared_by: link.name, generation: this.generation, because });
      this.mind.started(link.name);
    }
    this.watched = share;
    if (!share) this.picture = null;
    this.tell();
  }

  end(link, reason) {
    if (link.ended) return;
    link.ended = reason;
    this.shares = this.shares.filter((each) => each !== link);
    if (link.since) this.note('share_ended', { share: link.share, reason, lasted: Date.now() - link.since, frames: link.frames });
    if (this.watched === link.share) {
      this.watched = this.picture = null;
      this.note('ended', { share: link.share, reason });
      this.mind.ended();
      if (this.shares.length === 1) this.choose(this.shares[0].share, 'only_one');
    }
    if (!this.shares.length) this.nobody = false;
    link.socket?.over(reason);
    this.tell();
  }

  /** Why a frame is not taken, in the real server's order; otherwise its sample. `seen` stands in for what cannot be decoded here. */
  frame(link, mime, bytes, seen) {
    const refuse = (reason, detail) => ({ refused: { reason, detail } });
    if (!link || link.ended) return refuse('session_not_found', UNKNOWN);
    if (!this.knob('enabled')) return refuse('stream_watch_disabled', 'Watching screens is switched off: voice.streamWatch.enabled is false.');
    this.begin(link);
    if (!this.watched) return refuse('watch_not_active', 'No screen is watched in this room now. Where several people share, somebody has to choose one.');
    if (this.watched !== link.share) return refuse('target_user_mismatch', 'Somebody else’s screen is watched in this room. Choose this one to have it watched.');
    const kind = KINDS[mime.split(';')[0].trim()];
    if (!kind) return refuse('invalid_mime_type', `A frame is image/jpeg, image/png or image/webp; this one says “${mime}”.`);
    if (!bytes.length) return refuse('frame_data_required', 'The frame is empty. Send the picture’s bytes.');
    if (bytes.length > this.knob('maxFrameBytes')) return refuse('frame_too_large', `The frame has ${bytes.length} bytes; voice.streamWatch.maxFrameBytes allows ${this.knob('maxFrameBytes')}. Send a smaller picture or a lower quality.`);
    link.taken = link.taken.filter((at) => Date.now() - at < 60_000);
    if (link.taken.length >= this.knob('maxFramesPerMinute')) return refuse('frame_rate_limited', `voice.streamWatch.maxFramesPerMinute allows ${this.knob('maxFramesPerMinute')} frames in a minute. Send fewer.`);
    const picture = seen ?? luma(bytes);
    if (!picture) return refuse('frame_undecodable', 'The picture cannot be read.');
    link.taken.push(Date.now());
    link.frames += 1;
    return { sample: this.#score(link, kind, bytes, mime, picture) };
  }

  #score(link, kind, bytes, mime, { width, height, grid }) {
    const before = this.#before;
    this.#before = grid;
    const score = before ? grid.reduce((sum, value, cell) => sum + Math.abs(value - before[cell]), 0) / grid.length / 255 : 0;
    this.#ema = before ? this.#ema + ALPHA * (score - this.#ema) : 0;
    const sample = { at: Date.now(), frame: ++this.#frame, kind, width, height, score, ema: this.#ema, sceneCut: score >= SCENE_CUT, ...(score > 0 ? { region: score > 0.1 ? 'everywhere' : 'centre' } : {}) };
    this.samples = [...this.samples.filter((each) => sample.at - each.at < SAMPLES_MS), sample];
    this.picture = { frame: sample.frame, mime, bytes };
    this.world.publish({ type: 'frame', room: this.room, share: link.share, sample });
    this.mind.seen(sample, grid);
    return sample;
  }

  view(after) {
    const newest = this.watched ? (this.samples.at(-1) ?? null) : null;
    return {
      enabled: this.knob('enabled'),
      shares: this.shares.map(({ share, person, name, source, since, frames }) => ({ share, person, name, source, since, watched: share === this.watched, frames })),
      watched: this.watched, generation: this.generation, newest, ...this.mind.view(newest),
      thresholdMode: this.knob('thresholdMode'), thresholds: { change: this.knob('changeThreshold'), staticFloor: this.knob('staticFloor') },
      samples: this.samples.filter((sample) => Date.now() - sample.at < SAMPLES_MS && sample.frame > (after ?? 0)),
    };
  }

  note(name, data) {
    this.world.note(`stream_watch_${name}`, data, { room: this.room });
  }

  /** Tells every sharer whether it is watched and what was noted, where that changed. */
  tell() {
    const note = this.mind.notes.at(-1);
    for (const link of this.shares) {
      const watched = this.watched === link.share;
      const reason = !this.knob('enabled') ? 'stream_watch_disabled' : this.watched ? 'target_user_mismatch' : 'watch_not_active';
      const word = { type: 'state', watched, ...(watched ? {} : { reason }), note: note && note.sharedBy === link.name ? { text: note.text, at: note.at } : null };
      if (link.told === JSON.stringify(word)) continue;
      link.told = JSON.stringify(word);
      link.socket?.send(word);
    }
  }

  limits() {
    return { maxWidthPx: this.knob('sharePageMaxWidthPx'), jpegQuality: this.knob('sharePageJpegQuality'), maxFrameBytes: this.knob('maxFrameBytes'), maxFramesPerMinute: this.knob('maxFramesPerMinute') };
  }

  #lookAfter() {
    for (const link of [...this.shares]) if (Date.now() - link.seenAt > LOST_MS) this.end(link, 'lost');
  }
}

/** A room's watch; made when it is first asked for. */
export function watchOf(world, room) {
  if (!world.watches.has(room)) world.watches.set(room, new Watch(world, room));
  return world.watches.get(room);
}
