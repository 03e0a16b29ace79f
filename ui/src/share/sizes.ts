// How large a picture is sent: from what the room allows down to what is just readable, in steps. Pure.

/** What the room takes of one share. */
export interface Limits {
  maxWidthPx: number;
  jpegQuality: number;
  maxFrameBytes: number;
  maxFramesPerMinute: number;
  /** A screen that comes to rest is sent this often until it has. */
  keyframeIntervalMs: number;
}

export interface Size {
  width: number;
  quality: number;
}

const WIDTH_MIN = 640;
const QUALITY_MIN = 0.5;
const NARROWER = 0.85;
const COARSER = 0.05;
/** For tall screens in rooms that take very little: better hard to read than never seen. */
const LAST_RESORTS = [480, 360];

/** The steps, best first: quality and width go down in turn, until both are at their least. */
export function ladder(limits: Limits): Size[] {
  const steps: Size[] = [{ width: limits.maxWidthPx, quality: limits.jpegQuality }];
  for (;;) {
    const { width, quality } = steps.at(-1)!;
    const coarser = round(Math.max(Math.min(QUALITY_MIN, quality), quality - COARSER));
    const narrower = Math.round(Math.max(Math.min(WIDTH_MIN, width), width * NARROWER));
    const wantsQuality = steps.length % 2 === 1;
    if (coarser < quality && (wantsQuality || narrower === width)) steps.push({ width, quality: coarser });
    else if (narrower < width) steps.push({ width: narrower, quality });
    else break;
  }
  const { width: least, quality } = steps.at(-1)!;
  return [...steps, ...LAST_RESORTS.filter((width) => width < least).map((width) => ({ width, quality }))];
}

/** About how many bytes a picture would have at another size. */
export function predicted(bytes: number, from: Size, to: Size): number {
  return bytes * (to.width / from.width) ** 2 * (to.quality / from.quality);
}

const round = (quality: number): number => Math.round(quality * 100) / 100;
