// A browser for the checks: Debian's chromium, with the pages' errors gathered.
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';

export const OUT = new URL('./out/', import.meta.url).pathname;
export const LAPTOP = { width: 1360, height: 850 };
export const PHONE = { width: 375, height: 740 };

export async function openBrowser() {
  mkdirSync(OUT, { recursive: true });
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** A page of its own (own tab storage), whose errors and policy violations end up in `complaints`. */
export async function openPage(browser, complaints, options = {}) {
  const context = await browser.newContext({ viewport: LAPTOP, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    // A refused request shows as a console error too; those are the scripts' own business.
    if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text())) complaints.push(`console: ${message.text()}`);
  });
  return page;
}
