// The mock's note-taker and commentary: the same cadence as the real one, with notes by rote and comments now and then.
const ASK_MS = 900;
const QUIET_MS = 2_200;
const COMMENT_MS = 1_400;
const MARKS_MS = 600_000;
const URGENT = ['first_frame', 'scene_cut', 'change'];
const GATES = ['commentary_off', 'channel_not_allowed', 'hourly_cap', 'playback', 'queued_work', 'quiet_window', 'spacing'];

export class Mind {
  notes = [];
  marks = [];
  #seq = 0;
  #urgent = null;
  #moved = 0;
  #stillAttempts = 0;
  #described = 0;
  #newest = null;
  #grid = null;
  #lastAttempt = 0;
  #run = null;
  #calls = [];
  #sharer = '';
  #comment = { last: 0, first: true, changed: false, news: false, run: null, waiting: null, held: {}, looked: 0, spoken: 0 };
  #generation = 0;

  constructor(world, room, watch) {
    Object.assign(this, { world, room, watch });
    setInterval(() => this.#advance(), 200).unref();
  }

  started(sharer) {
    [this.#sharer, this.#newest, this.#urgent, this.#moved, this.#stillAttempts, this.#run] = [sharer, null, null, 0, 0, null];
    this.#comment = { ...this.#comment, first: true, changed: false, news: false, run: null, waiting: null, held: {} };
    this.#generation += 1;
    this.#mark('watch_started', `${sharer}’s screen`);
  }

  ended() {
    this.#mark('watch_ended', `${this.#sharer}’s screen`);
    this.#newest = this.#run = null;
    this.#generation += 1;
    Object.assign(this.#comment, { run: null, waiting: null });
  }

  seen(sample, grid) {
    const significant = this.#activity(sample) === 'significant';
    const trigger = !this.#newest ? 'first_frame' : sample.sceneCut ? 'scene_cut' : significant ? 'change' : null;
    if (trigger && (this.#urgent === null || URGENT.indexOf(trigger) < URGENT.indexOf(this.#urgent))) this.#urgent = trigger;
    this.#moved = Math.max(this.#moved, sample.score);
    [this.#newest, this.#grid] = [sample, grid];
    if (significant) this.#comment.changed = this.#comment.news = true;
    if (sample.sceneCut) this.#comment.cut = true;
    this.#advance();
  }

  #activity({ score, ema, sceneCut }) {
    const [change, floor] = [this.watch.knob('changeThreshold'), this.watch.knob('staticFloor')];
    if (sceneCut || score >= change || ema >= change) return 'significant';
    return score < floor && ema < floor ? 'static' : 'moving';
  }

  #decision() {
    if (!this.#newest) return { held: 'no_frame', due: null };
    if (this.#run) return { held: 'in_flight', due: null };
    if (this.#newest.frame === this.#described) return { held: 'frozen', due: null };
    const cooldown = this.watch.knob('changeMinIntervalSeconds') * 1_000;
    if (this.#urgent) return { held: 'cooldown', due: this.#lastAttempt + cooldown, trigger: this.#urgent };
    if (this.#moved === 0 && this.#stillAttempts > 0) return { held: 'frozen', due: null };
    const idle = this.#activity(this.#newest) === 'static';
    const wait = this.watch.knob(idle ? 'noteIdleIntervalSeconds' : 'noteIntervalSeconds') * 1_000;
    return { held: idle ? 'idle_interval' : 'interval', due: this.#lastAttempt + Math.max(wait, cooldown), trigger: idle ? 'idle_interval' : 'interval' };
  }

  #advance() {
    if (!this.watch.watched) return;
    const { due, trigger } = this.#decision();
    if (due !== null && due <= Date.now()) this.#look(trigger);
    this.#consider();
  }

  #look(trigger) {
    const { frame } = this.#newest;
    const text = describe(this.#grid, this.#newest);
    const [ask, generation] = [this.world.nextAsk(), this.#generation];
    this.#lastAttempt = Date.now();
    this.#urgent = null;
    this.#stillAttempts = this.#moved === 0 ? this.#stillAttempts + 1 : 0;
    this.#moved = 0;
    this.#run = { ask, started: Date.now() };
    this.#tell('note_started', { ask, frame, trigger });
    setTimeout(() => {
      this.#calls.push({ at: Date.now(), commentary: false, failed: false });
      if (generation !== this.#generation) return;
      this.#run = null;
      this.#described = frame;
      const newest = this.notes.at(-1);
      const known = newest && newest.sharedBy === this.#sharer && newest.text === text;
      if (known) newest.seenAt = Date.now();
      else {
        this.notes.push({ seq: this.#seq++, at: Date.now(), seenAt: Date.now(), sharedBy: this.#sharer, text, why: trigger === 'scene_cut' ? 'the whole screen became another' : '', trigger });
        this.#comment.news = true;
      }
      this.notes = this.notes.slice(-this.watch.knob('maxNoteEntries'));
      this.#mark(known ? 'note_refreshed' : 'note_added', text, frame, trigger);
      this.#tell('note_taken', { ask, frame, trigger, outcome: known ? 'refreshed' : 'added' });
      this.watch.tell();
    }, ASK_MS).unref();
  }

  #consider() {
    const comment = this.#comment;
    if (!this.#newest || comment.run) return;
    const since = Date.now() - comment.last;
    const due = comment.first ? 'share_start' : comment.changed && since >= this.watch.knob('commentaryChangeMinIntervalSeconds') * 1_000 ? 'change_detected' : comment.news && since >= this.watch.knob('commentaryIntervalSeconds') * 1_000 ? 'interval' : null;
    if (!due) return;
    const shut = this.#gates().filter((gate) => gate.shut).map(({ gate }) => gate);
    if (comment.waiting) for (const gate of shut) comment.held[gate] = (comment.held[gate] ?? 0) + Date.now() - comment.looked;
    comment.looked = Date.now();
    if (shut.length) {
      if (!comment.waiting) {
        Object.assign(comment, { waiting: { trigger: due, since: Date.now() }, held: {} });
        this.#mark('commentary_held', `${due.replaceAll('_', ' ')} waits: ${shut[0].replaceAll('_', ' ')}`, this.#newest.frame);
        this.#tell('commentary_deferred', { trigger: due, gate: shut[0] });
      }
      return;
    }
    Object.assign(comment, { waiting: null, held: {}, first: false, changed: false, news: false, last: Date.now(), run: { ask: this.world.nextAsk(), started: Date.now() } });
    const [{ frame }, generation, { ask }] = [this.#newest, this.#generation, comment.run];
    const cut = comment.cut;
    comment.cut = false;
    this.#tell('commentary_started', { ask, frame, trigger: due });
    setTimeout(() => {
      this.#calls.push({ at: Date.now(), commentary: true, failed: false });
      if (generation !== this.#generation) return;
      comment.run = null;
      if (due !== 'share_start' && !cut) {
        this.#mark('commentary_silent', 'Nothing worth saying.', frame);
        return this.#tell('commentary_skipped', { ask, reason: 'llm_skip' });
      }
      const text = due === 'share_start' ? `I can see your screen now, ${this.#sharer}.` : 'Oh, that is something else entirely.';
      comment.spoken = Date.now();
      const id = `comment-${ask}`;
      this.world.add({ id, room: this.room, author: { ...this.world.denizen, kind: 'denizen' }, text, at: Date.now() });
      this.#mark('commentary_spoken', text, frame);
      this.#tell('commentary_spoken', { ask, message: id, characters: text.length });
    }, COMMENT_MS).unref();
  }

  #gates() {
    const heard = this.world.messages.findLast((message) => message.room === this.room && message.author.kind === 'person')?.at ?? 0;
    const until = { quiet_window: heard + QUIET_MS, spacing: this.#comment.spoken + this.world.knob('activity.minSecondsBetweenMessages') * 1_000 };
    return GATES.map((gate) => {
      const shut = gate === 'commentary_off' ? !this.watch.knob('autonomousCommentaryEnabled') : (until[gate] ?? 0) > Date.now();
      return { gate, shut, heldFor: this.#comment.held[gate] ?? 0, opensIn: shut && until[gate] ? until[gate] - Date.now() : null };
    });
  }

  view(newest) {
    const { due, held } = this.#decision();
    const now = Date.now();
    const asking = (run) => (run ? { ask: run.ask, runningFor: now - run.started } : null);
    const recent = this.#calls.filter((call) => now - call.at < 3_600_000);
    const hours = Math.max(1 / 60, (now - (recent[0]?.at ?? now)) / 3_600_000);
    const comment = this.#comment;
    const nothingNew = { gate: 'nothing_new', shut: newest !== null && !comment.first && !comment.news, heldFor: 0, opensIn: null };
    return {
      activity: newest ? this.#activity(newest) : null, notes: this.notes,
      noteTaker: { asking: asking(this.#run), heldBy: this.watch.watched ? held : null, dueIn: due === null ? null : Math.max(0, due - now), failures: 0, lastFailure: null },
      commentary: { enabled: this.watch.knob('autonomousCommentaryEnabled'), asking: asking(comment.run), waiting: comment.waiting?.trigger ?? null, waitingFor: comment.waiting ? now - comment.waiting.since : null, gates: [...this.#gates(), nothingNew], dueIn: comment.waiting || !newest ? null : Math.max(0, comment.last + this.watch.knob('commentaryIntervalSeconds') * 1_000 - now) },
      calls: { notes: recent.filter((call) => !call.commentary).length, commentary: recent.filter((call) => call.commentary).length, failed: 0, costMicroDollars: 0, unpriced: recent.length, callsPerHour: recent.length / hours, costPerHourMicroDollars: 0 },
      marks: this.marks.filter((mark) => now - mark.at < MARKS_MS),
    };
  }

  #mark(kind, text, frame = null, trigger = null) {
    this.marks = [...this.marks.slice(-399), { at: Date.now(), kind, frame, trigger, text }];
  }

  #tell(name, data) {
    this.world.note(`stream_watch_${name}`, data, { room: this.room });
  }
}

/** What an eye without a mind can say of a screen. */
function describe(grid, { score, sceneCut }) {
  const mean = grid.reduce((sum, value) => sum + value, 0) / grid.length;
  const light = mean > 190 ? 'a bright' : mean > 110 ? 'a grey' : mean > 45 ? 'a dim' : 'a dark';
  const busy = sceneCut ? 'another one than before' : score > 0.02 ? 'with much going on' : score > 0.005 ? 'with something moving' : 'and nothing moves';
  return `The screen shows ${light} picture, ${busy}.`;
}
