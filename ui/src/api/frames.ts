// Things that come one by one and are dealt with together, once a frame: a burst costs the page no more than its last picture.

/** Runs soon: with the next frame, or after a moment where none is drawn because nobody is looking. */
export function nextFrame(run: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    run();
  };
  if (!document.hidden) requestAnimationFrame(once);
  setTimeout(once, UNSEEN_MS);
}
const UNSEEN_MS = 100;

export class FrameQueue<Item> {
  #waiting: Item[] = [];

  constructor(
    private readonly take: (items: Item[]) => void,
    private readonly later: (run: () => void) => void = nextFrame,
  ) {}

  push(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length === 1) this.later(this.flush);
  }

  /** Deals with what has come so far, without waiting any longer. */
  flush = (): void => {
    const items = this.#waiting;
    if (items.length === 0) return;
    this.#waiting = [];
    this.take(items);
  };
}
