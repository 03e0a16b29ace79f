// Takes a picture of every page: light and dark, laptop and phone.
import { LAPTOP, openPage, OUT, PHONE } from './browser.mjs';

const SIZES = { laptop: LAPTOP, phone: PHONE };

/** `ask` and `why` name a call and a message to show; either may be missing. */
export async function gallery(browser, url, complaints, { ask, why, room = 'lounge', as = 'Alice' }) {
  const views = {
    room: `#/room/${room}`,
    session: `#/session/${room}`,
    watch: `#/watch/${room}`,
    thoughts: '#/thoughts',
    memory: '#/memory',
    'memory-search': '#/memory/search/release',
    'memory-people': '#/memory/people',
    'memory-runs': '#/memory/runs',
    asks: '#/asks',
    journal: '#/journal',
    settings: '#/settings',
    ...(why ? { why: `#/room/${room}?why=${encodeURIComponent(why)}` } : {}),
    ...(ask ? { ask: `#/asks/${ask}` } : {}),
  };
  const taken = [];
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      const page = await openPage(browser, complaints, { viewport, colorScheme, hasTouch: size === 'phone' });
      for (const [name, hash] of Object.entries(views)) {
        await page.goto(`${url}/?as=${as}${hash}`);
        await page.waitForLoadState('load');
        await page.waitForTimeout(700);
        const path = `${OUT}${name}-${size}-${colorScheme}.png`;
        await page.screenshot({ path });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        taken.push({ name, size, colorScheme, path, wide });
      }
      await page.context().close();
    }
  }
  return taken;
}
