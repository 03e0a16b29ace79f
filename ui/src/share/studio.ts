// Where pictures of the screen are made: the worker's order book, one order at a time.
import type { Size } from './sizes';

export interface Order {
  screen: ImageBitmap;
  size: Size;
  /** Make a picture even where nothing changed. */
  always: boolean;
}

export type Report =
  | { type: 'tick' }
  | { type: 'unchanged' }
  | { type: 'picture'; jpeg: ArrayBuffer; width: number; height: number }
  | { type: 'failed'; problem: string };

export type Made = Exclude<Report, { type: 'tick' }>;

export class Studio {
  #worker = new Worker(new URL('./studio.worker.ts', import.meta.url), { type: 'module' });
  #waiting: ((made: Made) => void) | null = null;

  constructor(tick: () => void) {
    this.#worker.onmessage = ({ data }: MessageEvent<Report>) => (data.type === 'tick' ? tick() : this.#done(data));
    this.#worker.onerror = (event) => this.#done({ type: 'failed', problem: event.message || 'the page’s helper could not be started' });
  }

  /** Looks at what the video shows now. */
  async look(video: HTMLVideoElement, size: Size, always: boolean): Promise<Made> {
    const screen = await createImageBitmap(video);
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#worker.postMessage({ screen, size, always } satisfies Order, [screen]);
    });
  }

  close(): void {
    this.#worker.terminate();
    this.#done({ type: 'failed', problem: 'closed' });
  }

  #done(made: Made): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(made);
  }
}
