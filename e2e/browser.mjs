// A browser for the checks: Debian's chromium, with the pages' errors gathered.
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';

export const OUT = new URL('./out/', import.meta.url).pathname;
export const LAPTOP = { width: 1360, height: 850 };
export const PHONE = { width: 375, height: 740 };

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/**
 * Chromium's picker for screens cannot be clicked in a headless browser; this answers it with the tab of that title, which is then really captured.
 * Alone: together with `--use-fake-ui-for-media-stream` Chromium looks for a whole screen, of which a headless one has none
 * (`--auto-select-desktop-capture-source` fails for the same reason: NotReadableError).
 */
export const picks = (title) => `--auto-select-tab-capture-source-by-title=${title}`;

export async function openBrowser(...more) {
  mkdirSync(OUT, { recursive: true });
  return chromium.launch({ executablePath: CHROMIUM, args: [...ARGUMENTS, ...more] });
}

/** A page of its own (own tab storage), whose errors and policy violations end up in `complaints`. */
export async function openPage(browser, complaints, { at, ...options } = {}) {
  const context = await browser.newContext({ viewport: LAPTOP, reducedMotion: 'reduce', ...options });
  await comeIn(context, { at });
  return listened(await context.newPage(), complaints);
}

/** Gives a browser a session of an administrator, as opening a link would; `at` another address, where a proxy stands before it. */
export async function comeIn(context, { url = process.env.DENIZEN_URL, token = process.env.DENIZEN_TOKEN, at = url } = {}) {
  if (!token) return;
  const answer = await fetch(`${url}/api/enter`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) });
  const [pair] = (answer.headers.get('set-cookie') ?? '').split(';');
  const [name, value] = pair.split('=');
  if (answer.ok && value) await context.addCookies([{ name, value, url: at, httpOnly: true, sameSite: 'Strict' }]);
}

/** A page whose errors are gathered. */
export function listened(page, complaints) {
  page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    // A refused request shows as a console error too; those are the scripts' own business.
    // Chromium complains about the camera whenever a page that may not use it asks for a screen, which needs none.
    if (message.type() === 'error' && !/Failed to load resource|ERR_|Permissions policy violation: camera/.test(message.text())) complaints.push(`console: ${message.text()}`);
  });
  return page;
}
