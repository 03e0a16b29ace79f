// Thoughts of its own in plain words: what it is doing, what happened, what it costs. Pure.
import type { AmbientView, MediaKind, MediaWish, Meter, Receipt, RunStep, ThoughtAction, ThoughtRun } from '../api/contract';
import { cost, count, time, timeWithSeconds } from '../shell/format';
import { countdown, left } from './countdown';

export type Doing = 'off' | 'no_channels' | 'thinking' | 'trial' | 'holding' | 'posting' | 'waiting';

export const underWay = (run: ThoughtRun | null): run is ThoughtRun => run !== null && run.endedAt === null && run.stage !== 'done' && run.stage !== 'failed';

export function doing(view: AmbientView): Doing {
  if (underWay(view.run)) return view.run.stage === 'posting' ? 'posting' : 'thinking';
  if (underWay(view.trial)) return 'trial';
  if (!view.enabled) return 'off';
  if (view.channels.length === 0) return 'no_channels';
  return view.thought ? 'holding' : 'waiting';
}

const STAGES: Record<string, string> = {
  gathering: 'Looking around for something to think about',
  thinking: 'Thinking',
  using_tools: 'Looking something up',
  making_media: 'Making something to go with it',
  posting: 'Posting',
  done: 'Done',
  failed: 'Failed',
};
export const stage = (name: string): string => STAGES[name] ?? name;

/** What it does now, in one sentence. */
export function headline(view: AmbientView, denizen: string): string {
  switch (doing(view)) {
    case 'thinking': return view.run!.revisits ? `${denizen} is looking at its held thought again.` : view.run!.stage === 'gathering' ? `${denizen} is looking around for something to think about.` : view.run!.stage === 'using_tools' ? `${denizen} is looking something up.` : view.run!.stage === 'making_media' ? `${denizen} is making something to go with its post.` : `${denizen} is thinking.`;
    case 'posting': return `${denizen} is posting.`;
    case 'trial': return `${denizen} is thinking on trial: nothing will be posted.`;
    case 'off': return 'Thoughts of its own are switched off.';
    case 'no_channels': return `${denizen} has nowhere to post by itself.`;
    case 'holding': return `${denizen} is holding a thought.`;
    case 'waiting': return view.attention.state === 'active' ? `${denizen} is in a conversation.` : `${denizen} is waiting.`;
  }
}

/** When it looks next, and what that look is for. */
export function nextTick(view: AmbientView, passed: number): string {
  const wait = left(view.nextTickIn, passed);
  if (wait === null) return '';
  return wait === 0 ? 'looking now' : countdown(wait);
}

/** When a gate opens by itself. */
export function opens(opensIn: number | null, passed: number, now: number): string {
  const wait = left(opensIn, passed);
  if (wait === null) return '';
  return wait === 0 ? 'Opens now.' : `Opens by itself in ${countdown(wait)}, at ${time(now + wait)}.`;
}

/** What stands against the next thought but chance. */
export function chance(view: AmbientView): string {
  if (view.thought) return 'Nothing stops it: at the next tick it looks at the held thought again.';
  if (view.eagerness === 0) return 'Nothing stops it but an eagerness of 0 %: it never looks for a thought.';
  if (view.eagerness >= 100) return 'Nothing stops it: it thinks at the next tick.';
  return `Nothing stops it; a ${view.eagerness} % chance each minute that it looks for a thought.`;
}

/** Why “Think now” cannot be pressed; empty: it can. */
export function whyNoTrial(view: AmbientView): string {
  if (underWay(view.trial)) return 'A trial is under way.';
  if (underWay(view.run)) return 'It is thinking by itself just now; wait until that is over.';
  return '';
}

const STEPS: Record<string, string> = { gathered: 'Looked around', asked: 'Asked the model', answered: 'The model answered', tool: 'Used a tool', media: 'Media', decided: 'Decided', failed: 'Failed' };
export const step = (kind: string): string => STEPS[kind] ?? kind;

/** What a step says, without the name of the action that stands beside it anyway. */
export const stepWords = ({ words }: RunStep): string => words.replace(/^(post_now|hold|drop):\s*/, (_, name: ThoughtAction) => `${ACTIONS[name].toLowerCase()}: `);

/** Whether a run ended because something went wrong, rather than by a decision. */
export const failed = (run: ThoughtRun): boolean => run.stage === 'failed' || (run.decision === null && run.steps.at(-1)?.kind === 'failed');

const ACTIONS: Record<ThoughtAction | 'failed', string> = { post_now: 'Post it now', hold: 'Hold it for later', drop: 'Drop it', failed: 'Failed' };
export const action = (name: ThoughtAction | 'failed'): string => ACTIONS[name] ?? name;

const CAME: Record<string, string> = { post_now: 'posted', hold: 'held', drop: 'dropped', failed: 'failed' };
/** What came of a tick that ran. */
export const cameTo = ({ ran, action: done }: Receipt): string => (ran ? (done ? (CAME[done] ?? done) : 'thinking') : '');

const MEDIA: Record<MediaKind, string> = { image: 'a picture', video: 'a clip', gif: 'a GIF' };
export const mediaKind = (kind: MediaKind): string => MEDIA[kind] ?? kind;
export const mediaWish = ({ kind, prompt }: MediaWish): string => `${mediaKind(kind)}: ${prompt}`;

/** `rolled 43, needed below 20`. */
export function roll({ roll: rolled, below }: Receipt): string {
  if (rolled === null || below === null) return '';
  return `rolled ${rolled}, needed below ${below}`;
}

/** When the ticks of a receipt were. */
export function when({ firstAt, lastAt, ticks }: Receipt): string {
  if (ticks === 1 || time(firstAt) === time(lastAt)) return timeWithSeconds(lastAt);
  return `${time(firstAt)} – ${time(lastAt)}`;
}

export type Fill = 'none' | 'low' | 'high' | 'full' | 'closed';

/** How full an allowance is; `closed` where nothing is allowed at all. */
export function fill({ used, limit }: Meter): Fill {
  if (limit === 0) return 'closed';
  if (used >= limit) return 'full';
  return used === 0 ? 'none' : used / limit >= 0.75 ? 'high' : 'low';
}

/** When some of an allowance comes back. */
export function frees({ used, freesIn }: Meter, passed: number, now: number): string {
  const wait = left(freesIn, passed);
  if (used === 0 || wait === null) return '';
  return wait === 0 ? 'some comes back now' : `some comes back in ${countdown(wait)}, at ${time(now + wait)}`;
}

/** Dollars for a budget: cents matter, millionths do not. */
export function dollars(microDollars: number): string {
  const amount = microDollars / 1_000_000;
  if (amount === 0) return '$0';
  return amount < 0.01 ? cost(microDollars) : `$${amount.toFixed(2)}`;
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
/** A number that is only reckoned: `2.9M`. */
export const roughly = (value: number): string => compact.format(value);

/** How what the gates saved is reckoned. */
export function reckoning(costOfAThought: number | null, tokensOfAThought: number | null): string {
  if (tokensOfAThought === null && costOfAThought === null) return 'How much that would have been is not known yet: nothing has been thought so far.';
  const parts = [tokensOfAThought === null ? '' : `${count(tokensOfAThought)} tokens`, costOfAThought === null ? '' : cost(costOfAThought)].filter(Boolean);
  return `Reckoned as if each of these ticks had become a thought at the average so far, all its calls together: ${parts.join(', ')}${costOfAThought === null ? '; what that costs is not known' : ''}.`;
}
