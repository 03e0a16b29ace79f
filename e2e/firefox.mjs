// Debian's Firefox for the checks, driven by the remote control that it brings along (Marionette: JSON over a plain socket).
// Playwright drives only a Firefox of its own making.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OUT } from './browser.mjs';
import { must, until } from './tally.mjs';

export const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

/** Nothing is asked, fetched or shown that no check needs; the microphone is a tone of Firefox's own making. */
const PREFERENCES = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'marionette.port': 0,
  'media.autoplay.default': 0,
  'media.navigator.permission.disabled': true,
  'media.navigator.streams.fake': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

export class Firefox {
  #socket;
  #waiting = new Map();
  #count = 0;

  /** A Firefox with a profile of its own. */
  static async open(preferences = {}) {
    mkdirSync(OUT, { recursive: true });
    const firefox = new Firefox();
    firefox.profile = mkdtempSync(join(tmpdir(), 'denizen-firefox-'));
    const lines = Object.entries({ ...PREFERENCES, ...preferences }).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
    writeFileSync(join(firefox.profile, 'user.js'), lines.join('\n'));
    firefox.process = spawn(FIREFOX, ['--headless', '--marionette', '--no-remote', '--profile', firefox.profile], { stdio: 'ignore' });
    const port = await until(() => firefox.#port(), 'Firefox does not say where it can be driven', 60_000);
    await firefox.#connect(port);
    await firefox.#ask('WebDriver:NewSession', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
    await firefox.#ask('WebDriver:SetTimeouts', { script: 30_000, pageLoad: 60_000 });
    return firefox;
  }

  go = (address) => this.#ask('WebDriver:Navigate', { url: address });

  reload = () => this.#ask('WebDriver:Refresh', {});

  /** Runs a function in the page, and waits for what it promises. */
  async run(body, ...given) {
    const script = `const [given, done] = arguments; Promise.resolve((${body})(...given)).then((value) => done({ value }), (problem) => done({ problem: String(problem) }));`;
    const { value: { value, problem } } = await this.#ask('WebDriver:ExecuteAsyncScript', { script, args: [given] });
    must(!problem, problem);
    return value;
  }

  /** The cookie of a session, as opening a link would leave it; the page must be of that address already. */
  remember = (name, value) => this.#ask('WebDriver:AddCookie', { cookie: { name, value, httpOnly: true, sameSite: 'Strict' } });

  /** A press that counts as a person's: browsers let sound out after one only. */
  async press(testId) {
    const { value } = await this.#ask('WebDriver:FindElement', { using: 'css selector', value: `[data-testid="${testId}"]` });
    await this.#ask('WebDriver:ElementClick', { id: Object.values(value)[0] });
  }

  async picture(name) {
    const { value } = await this.#ask('WebDriver:TakeScreenshot', { full: false });
    writeFileSync(`${OUT}${name}.png`, Buffer.from(value, 'base64'));
  }

  async close() {
    const over = new Promise((resolve) => this.process.once('exit', resolve));
    await Promise.race([this.#ask('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => undefined), over]);
    setTimeout(() => this.process.kill('SIGKILL'), 5_000).unref();
    await over;
    this.#socket.destroy();
    rmSync(this.profile, { recursive: true, force: true });
  }

  #port() {
    must(this.process.exitCode === null, `${FIREFOX} ended with ${this.process.exitCode}`);
    try {
      return Number(readFileSync(join(this.profile, 'MarionetteActivePort'), 'utf8'));
    } catch {
      return 0;
    }
  }

  /** Messages are `LENGTH:[kind, number, …]`; the first that comes says which protocol it is. */
  #connect(port) {
    let bytes = Buffer.alloc(0);
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('data', (more) => {
      bytes = Buffer.concat([bytes, more]);
      for (let colon = bytes.indexOf(58); colon > 0; colon = bytes.indexOf(58)) {
        const end = colon + 1 + Number(bytes.subarray(0, colon));
        if (bytes.length < end) return;
        this.#take(JSON.parse(bytes.subarray(colon + 1, end)));
        bytes = bytes.subarray(end);
      }
    });
    this.#socket.on('close', () => this.#waiting.forEach(({ refuse }) => refuse(new Error('Firefox is gone'))));
    return new Promise((resolve, refuse) => {
      this.#waiting.set(0, { resolve, refuse });
      this.#socket.on('error', refuse);
    });
  }

  #take(message) {
    const [, number, problem, value] = Array.isArray(message) ? message : [1, 0, null, message];
    const { resolve, refuse } = this.#waiting.get(number) ?? {};
    this.#waiting.delete(number);
    if (problem) refuse?.(new Error(`${problem.error}: ${problem.message}`));
    else resolve?.(value);
  }

  #ask(command, parameters) {
    const number = ++this.#count;
    const text = JSON.stringify([0, number, command, parameters]);
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((resolve, refuse) => this.#waiting.set(number, { resolve, refuse }));
  }
}
