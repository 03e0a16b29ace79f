// A share page in a tab that nobody looks at. The browser driver keeps every page visible, so Chromium is spoken to directly here.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARGUMENTS, CHROMIUM, picks } from './browser.mjs';
import { STAGE_TITLE } from './stage.mjs';
import { must, until } from './tally.mjs';

const ANSWER_MS = 20_000;

export async function checkHiddenTab(tally, { url, api, stage }) {
  await tally.expect('a tab that nobody looks at goes on sharing at the same pace', async () => {
    const browser = new PipedBrowser();
    try {
      const slide = await browser.open(stage.url);
      const { url: link, share } = await api.invite('Hidden');
      const page = await browser.open(url + link);
      // Until it has loaded, there is nothing to run a script in.
      await until(() => page.run(`document.querySelector('[data-testid=choose]') !== null`).catch(() => false), 'the page does not open');
      await page.run(`document.querySelector('[data-testid=choose]').click()`);
      await until(async () => (await api.view()).watched === share, 'it is not watched');
      await browser.open('about:blank');
      await until(() => page.run(`document.hidden`), 'the tab is still in sight');
      await slide.run(`window.show({ move: 1.4 })`);
      const from = (await api.view()).samples.at(-1)?.frame ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 8_000));
      must(await page.run(`document.hidden`), 'the tab came back into sight');
      const sent = (await api.view()).samples.at(-1).frame - from;
      must(sent >= 8, `${sent} frames in eight seconds out of sight`);
    } finally {
      await browser.close();
    }
    await until(async () => (await api.view()).shares.length === 0, 'it is still shared after its browser is gone', 20_000);
  });
}

/** Chromium over a pair of pipes: no more than opening tabs and running scripts in them. */
class PipedBrowser {
  #folder = mkdtempSync(join(tmpdir(), 'denizen-browser-'));
  #child = spawn(CHROMIUM, ['--headless=new', ...ARGUMENTS, picks(STAGE_TITLE), '--remote-debugging-pipe', `--user-data-dir=${this.#folder}`, '--no-first-run', 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  #gone = new Promise((resolve) => this.#child.once('exit', resolve));
  #waiting = new Map();
  #said = '';
  #last = 0;

  constructor() {
    this.#child.stdio[4].setEncoding('utf8').on('data', (chunk) => {
      const words = (this.#said + chunk).split('\0');
      this.#said = words.pop();
      for (const word of words) {
        const { id, result, error } = JSON.parse(word);
        this.#waiting.get(id)?.(error ? { problem: error.message } : result);
        this.#waiting.delete(id);
      }
    });
  }

  send(method, params = {}, sessionId = undefined) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer within ${ANSWER_MS / 1000} s`)), ANSWER_MS);
      this.#waiting.set(++this.#last, (answer) => {
        clearTimeout(timer);
        if ('problem' in answer) reject(new Error(`${method}: ${answer.problem}`));
        else resolve(answer);
      });
      this.#child.stdio[3].write(`${JSON.stringify({ id: this.#last, method, params, sessionId })}\0`);
    });
  }

  /** Opens a tab in front of the others. */
  async open(url) {
    const { targetId } = await this.send('Target.createTarget', { url });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    await this.send('Target.activateTarget', { targetId });
    return { run: async (expression) => (await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture: true }, sessionId)).result.value };
  }

  async close() {
    this.#child.kill('SIGKILL');
    await this.#gone;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
