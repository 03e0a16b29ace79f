// Tells the room that somebody is typing: at most every three seconds, and once when they stop.
export const TYPING_REPEAT_MS = 3_000;
export const TYPING_PAUSE_MS = 3_000;

export class TypingSignal {
  #on = false;
  #sentAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly send: (typing: boolean) => void) {}

  typed(): void {
    const now = Date.now();
    if (!this.#on || now - this.#sentAt >= TYPING_REPEAT_MS) {
      this.#on = true;
      this.#sentAt = now;
      this.send(true);
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(), TYPING_PAUSE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    if (!this.#on) return;
    this.#on = false;
    this.send(false);
  }
}
