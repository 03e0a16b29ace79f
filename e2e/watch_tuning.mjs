// The watch page as whoever tunes it uses it: the plot, the time line, and thresholds tried out before they are saved.
import { LAPTOP, OUT, openPage, PHONE } from './browser.mjs';
import { must, until } from './tally.mjs';

const NARROW = { width: 360, height: 740 };

export async function checkTuning(tally, { browser, url, alice, api, complaints }) {
  const { page } = alice;
  await alice.goto('#/watch/lounge');
  const preview = page.getByTestId('preview');
  const line = page.locator('[data-line=changeThreshold]');

  await tally.expect('the watch page shows the screen, what is known of it, and how much changes', async () => {
    await page.getByTestId('headline').getByText('watches Alice’s screen').waitFor();
    await page.locator('[data-testid=screen][data-shown=true]').waitFor();
    await until(async () => Number(await page.getByTestId('plot').getAttribute('data-samples')) > 10, 'the plot is empty');
    must((await page.locator('.cut-head').count()) >= 1, 'the cut is not marked');
    const shown = async () => Number(/frame …?(\d+)/.exec(await page.locator('.facts').innerText())[1]);
    const first = await shown();
    await until(async () => (await shown()) > first, 'the frame number stands still');
  });
  await tally.expect('notes and comments stand under the plot, and a press tells what, why and of which frame', async () => {
    const lane = page.locator('[data-lane=notes]');
    await until(async () => (await lane.locator('[data-mark]').count()) >= 2, 'no marks');
    const mark = lane.locator('[data-mark=note_added]').first();
    await mark.focus();
    await mark.press('Enter');
    const detail = page.getByTestId('mark');
    await detail.getByText(/frame …?\d+/).waitFor();
    await detail.getByText(/because/).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Escape');
    const box = await lane.boundingBox();
    await lane.click({ position: { x: box.width - 4, y: box.height / 2 } });
    await detail.waitFor();
  });
  await tally.expect('what the note-taker and the comments wait for is told, gate by gate, and what it costs', async () => {
    must((await page.getByTestId('note-taker').innerText()).length > 15, 'nothing is said');
    must((await page.locator('[data-gate]').count()) >= 7, 'gates are missing');
    must(/calls an hour/.test(await page.getByTestId('calls').innerText()), await page.getByTestId('calls').innerText());
  });
  await tally.expect('a dragged threshold says at once how often Denizen would have looked', async () => {
    await preview.getByText(/make it look/).waitFor();
    must((await line.count()) === 0, 'a line that follows the screen can be dragged');
    await api.set({ thresholdMode: 'absolute' });
    await page.getByRole('button', { name: '10 min' }).click();
    const box = await line.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y - 60, { steps: 6 });
    await page.mouse.up();
    await preview.getByText(/would have looked .* instead of/).waitFor();
    const dragged = Number(await line.getAttribute('aria-valuenow'));
    must(dragged > 0.015, `it is at ${dragged}`);
    must((await page.locator('[data-field=changeThreshold]').inputValue()) === String(dragged), 'the field shows another value');
    must((await api.knob('changeThreshold')) !== dragged, 'it is in force although nothing was saved');
    await page.screenshot({ path: `${OUT}watch-tuning.png`, fullPage: true });
  });
  await tally.expect('a lower one would have looked more often; the arrow keys move it too', async () => {
    const times = async () => {
      const [, tried, before] = /looked\s+(once|twice|[\d,]+ times) instead of (once|twice|[\d,]+ times)/.exec((await preview.innerText()).replace(/\s+/g, ' ')) ?? [];
      const number = (text) => ({ once: 1, twice: 2 })[text] ?? Number.parseInt(String(text).replace(',', ''), 10);
      return { tried: number(tried), before: number(before) };
    };
    const high = await times();
    must(high.tried <= high.before, `${high.tried} with a higher line, ${high.before} before`);
    const value = async () => Number(await line.getAttribute('aria-valuenow'));
    const before = await value();
    await line.press('ArrowDown');
    must((await value()) < before, `an arrow key moved it from ${before} to ${await value()}`);
    await line.press('Home');
    must(Number(await line.getAttribute('aria-valuenow')) === 0.005, `it is at ${await line.getAttribute('aria-valuenow')}`);
    const low = await times();
    must(low.tried >= high.tried, `${low.tried} with a lower line, ${high.tried} with a higher`);
  });
  await tally.expect('what was tried out is saved from here, and in force', async () => {
    await page.locator('[data-field=changeThreshold]').fill('0.023');
    await page.getByTestId('save').click();
    await page.getByText('Saved one change').waitFor();
    must((await api.knob('changeThreshold')) === 0.023, `it is ${await api.knob('changeThreshold')}`);
    await until(async () => (await api.view()).thresholds.change === 0.023, 'the watch goes by the old one');
    await api.set({ changeThreshold: null });
    await until(async () => (await page.locator('[data-field=changeThreshold]').inputValue()) === '0.01', 'the page shows the old value');
  });
  await tally.expect('the mode is a press away, and the lines follow the screen then', async () => {
    await page.locator('[data-mode=relative]').click();
    await page.getByTestId('save').click();
    await until(async () => (await api.knob('thresholdMode')) === 'relative', 'it is not');
    await until(async () => (await page.locator('[data-line]').count()) === 0, 'the lines can still be dragged');
    await api.set({ thresholdMode: 'absolute' });
    await line.waitFor();
    await api.set({ thresholdMode: null });
  });
  await tally.expect('the watch page and the room are pictured while a screen is watched, and none is wider than its window', async () => {
    for (const [name, viewport, colorScheme] of [['laptop-light', LAPTOP, 'light'], ['laptop-dark', LAPTOP, 'dark'], ['phone-light', PHONE, 'light'], ['narrow-dark', NARROW, 'dark']]) {
      const view = await openPage(browser, complaints, { viewport, colorScheme, hasTouch: viewport.width < 500 });
      for (const where of ['watch', 'room']) {
        await view.goto(`${url}/?as=Bob#/${where}/lounge`);
        await view.locator('[data-testid=screen][data-shown=true]').waitFor();
        await view.waitForTimeout(700);
        await view.screenshot({ path: `${OUT}watching-${where}-${name}.png` });
        const wide = await view.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        must(wide <= 0, `${where} ${name} is ${wide} px too wide`);
      }
      await view.context().close();
    }
  });
}
