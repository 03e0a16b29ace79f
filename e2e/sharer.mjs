// A share page in a tab: chooses what the browser offers, and says how it is doing.
import { listened } from './browser.mjs';
import { until } from './tally.mjs';

export class Sharer {
  /** Presses "Share my screen" in a visitor's room, and takes the tab that opens. */
  static async fromRoom(visitor, complaints) {
    const links = [];
    const keep = async (response) => {
      if (response.request().method() === 'POST' && response.url().endsWith('/shares')) links.push((await response.json()).url);
    };
    visitor.page.on('response', keep);
    const [opened] = await Promise.all([visitor.page.context().waitForEvent('page'), visitor.page.getByTestId('share-button').click()]);
    const sharer = new Sharer(listened(opened, complaints));
    await sharer.page.getByTestId('choose').waitFor();
    visitor.page.off('response', keep);
    sharer.link = new URL(links.at(-1), visitor.url).href;
    return sharer;
  }

  /** Opens a link that was made by other means. */
  static async open(context, link, complaints) {
    const sharer = new Sharer(listened(await context.newPage(), complaints));
    sharer.link = link;
    await sharer.page.goto(link);
    return sharer;
  }

  constructor(page) {
    this.page = page;
  }

  choose = () => this.page.getByTestId('choose').click();

  state = () => this.page.getByTestId('state').getAttribute('data-state');

  becomes = (wanted) => until(async () => (await this.page.getByTestId('state').count()) && (await this.state()) === wanted, async () => `the share page is “${await this.said()}”, not “${wanted}”`, 20_000);

  ended = (reason) => until(async () => (await this.page.getByTestId('end').count()) && (await this.page.getByTestId('end').getAttribute('data-reason')) === reason, async () => `the share page says: ${await this.said()}`, 20_000);

  said = async () => (await this.page.locator('main').innerText()).replace(/\s+/g, ' ').slice(0, 300);
}
