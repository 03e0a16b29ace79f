// A person in a browser window: opens the room under a name, writes, and looks at what became of it.
import { openPage } from './browser.mjs';
import { until } from './tally.mjs';

export class Visitor {
  static async enter(browser, url, name, complaints) {
    const visitor = new Visitor();
    visitor.page = await openPage(browser, complaints);
    visitor.url = url;
    visitor.name = name;
    await visitor.room();
    return visitor;
  }

  async goto(hash) {
    await this.page.goto(`${this.url}/?as=${encodeURIComponent(this.name)}${hash}`);
  }

  async room() {
    await this.goto('#/room/lounge');
    await this.field.waitFor();
  }

  get field() {
    return this.page.getByRole('textbox', { name: /^Message to/ });
  }

  /** The message that holds this text. */
  said(text) {
    return this.page.locator('[data-message]').filter({ hasText: text });
  }

  async type(text) {
    await this.field.fill(text);
  }

  async say(text) {
    await this.type(text);
    await this.field.press('Enter');
  }

  /** The id of a message once it is stored and shown. */
  async idOf(text) {
    // A reply quotes the text too: the message itself is the first that holds it.
    const message = this.said(text).first();
    await message.waitFor();
    return message.getAttribute('data-message');
  }

  fate(id) {
    return this.page.locator(`[data-why="${id}"]`).getAttribute('data-fate');
  }

  async fateBecomes(id, wanted, timeout) {
    await until(async () => (await this.fate(id)) === wanted, async () => `the mark of ${id} is “${await this.fate(id)}”, not “${wanted}”`, timeout);
  }

  async openWhy(id) {
    await this.page.locator(`[data-why="${id}"]`).click();
    const verdict = this.page.getByTestId('verdict');
    await verdict.waitFor();
    return { outcome: await verdict.getAttribute('data-outcome'), sentence: (await verdict.innerText()).trim() };
  }

  /** Remembers every draft that is ever shown from now on, however briefly. */
  async watchDrafts() {
    await this.page.evaluate(() => {
      window.draftsSeen = [];
      const look = () => {
        for (const draft of document.querySelectorAll('[data-draft] .markup')) {
          if (window.draftsSeen.at(-1) !== draft.textContent) window.draftsSeen.push(draft.textContent);
        }
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
  }

  draftsSeen() {
    return this.page.evaluate(() => window.draftsSeen);
  }
}
