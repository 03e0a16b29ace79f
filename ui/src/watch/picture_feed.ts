// The newest picture of a watched screen, fetched as frames pass: at most twice a second, and not at all while nobody looks.
import { watchApi } from '../api/watch';

const PAUSE_MS = 500;

export class PictureFeed {
  #known = '';
  #busy = false;
  #wanted = false;
  #fetchedAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** `show` is given every new picture, and owns it. */
  constructor(
    private readonly room: string,
    private readonly show: (picture: ImageBitmap) => void,
    private readonly fetchPicture = watchApi.picture,
    private readonly looking = () => !document.hidden,
  ) {}

  /** A frame has passed, or the page is looked at again. */
  hint = (): void => {
    if (this.#closed || !this.looking()) return;
    this.#wanted = true;
    if (this.#busy || this.#timer !== undefined) return;
    const wait = Math.max(0, this.#fetchedAt + PAUSE_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#fetch();
    }, wait);
  };

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #fetch(): Promise<void> {
    [this.#busy, this.#wanted, this.#fetchedAt] = [true, false, performance.now()];
    try {
      const picture = await this.fetchPicture(this.room, this.#known);
      if (picture) {
        const bitmap = await createImageBitmap(picture.blob);
        this.#known = picture.frame;
        if (this.#closed) bitmap.close();
        else this.show(bitmap);
      }
    } catch {
      // The next frame brings another try; a lost connection says so in its own place.
    }
    this.#busy = false;
    if (this.#wanted) this.hint();
  }
}
