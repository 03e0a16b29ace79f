// Many communities in one process: one is added on its page, has its own room and words, is gone to by name, and is removed again.
import { openBrowser, openPage, OUT } from './browser.mjs';
import { must, Tally, until } from './tally.mjs';

export async function run(url) {
  const tally = new Tally();
  const complaints = [];
  const browser = await openBrowser();
  const page = await openPage(browser, complaints);
  const field = page.getByRole('textbox', { name: /^Message to/ });
  const said = (text) => page.locator('[data-message]').filter({ hasText: text });
  /** To a page of another community: from nowhere, since the page loads itself anew for one. */
  const go = async (hash) => {
    await page.goto('about:blank');
    await page.goto(`${url}/?as=Alice${hash}`);
  };
  const communities = async () => (await (await fetch(`${url}/api/communities`)).json()).communities.map(({ id }) => id);

  await tally.expect('with one community there is nothing to choose', async () => {
    await page.goto(`${url}/?as=Alice`);
    await field.waitFor();
    must((await page.getByTestId('community').count()) === 0, 'there is a chooser');
    await field.fill('the treasure is under the oak');
    await field.press('Enter');
    await said('under the oak').waitFor();
  });
  await tally.expect('another is added on its page', async () => {
    await page.goto(`${url}/?as=Alice#/communities`);
    await page.getByTestId('community-name').fill('The book club');
    await page.getByTestId('add-community').click();
    await page.locator('[data-community="the-book-club"]').waitFor();
    await page.screenshot({ path: `${OUT}communities.png` });
  });
  await tally.expect('it has a room of its own, in which nothing of the other is seen', async () => {
    await page.getByTestId('community').selectOption({ label: 'The book club' });
    await until(() => page.url().includes('#/c/the-book-club/'), 'the address does not name it');
    await page.goto(`${url}/?as=Alice#/c/the-book-club/room`);
    await field.waitFor();
    must((await said('under the oak').count()) === 0, 'the other community is seen');
    await field.fill('chapter one is long');
    await field.press('Enter');
    await said('chapter one is long').waitFor();
    await page.screenshot({ path: `${OUT}community-room.png` });
    await page.goto(`${url}/?as=Alice#/c/the-book-club/journal`);
    await page.locator('main li').first().waitFor();
    must((await page.getByText('oak').count()) === 0, 'the journal tells of the other community');
  });
  await tally.expect('the default one sees nothing of it', async () => {
    await go('#/room');
    await said('under the oak').waitFor();
    must((await said('chapter one').count()) === 0, 'the book club is seen');
  });
  await tally.expect('a setting changed there is its own, is marked, and goes back to the base', async () => {
    const named = async (root) => (await (await fetch(`${url}${root}/settings`)).json()).knobs.find(({ key }) => key === 'identity.name').value;
    const club = '/api/communities/the-book-club';
    const before = await named('/api');
    await go('#/c/the-book-club/settings/identity.name');
    const row = page.locator('[data-knob="identity.name"]');
    await row.getByRole('textbox').fill('Robin');
    await page.getByTestId('save').click();
    await row.getByText('set here').waitFor();
    must((await named(club)) === 'Robin' && (await named('/api')) === before, `it is ${await named(club)} there and ${await named('/api')} here`);
    await page.screenshot({ path: `${OUT}community-settings.png` });
    await row.getByRole('button', { name: 'Back to base' }).click();
    await page.getByTestId('save').click();
    await until(async () => (await named(club)) === before, async () => `it is ${await named(club)}`);
    await go('#/c/the-book-club/settings/memory.store.gems');
    await page.locator('[data-knob="memory.store.gems"]').getByText('holds for the whole process').waitFor();
  });
  await tally.expect('one that is not there is said to be missing', async () => {
    await go('#/c/attic/room');
    await page.getByText('There is no such community').waitFor();
  });
  await tally.expect('it is removed after a question', async () => {
    await go('#/communities');
    await page.locator('[data-community="the-book-club"]').getByRole('button', { name: 'Remove' }).click();
    await page.getByTestId('remove-community').getByRole('button', { name: 'Remove for good' }).click();
    await until(async () => (await communities()).length === 1, async () => (await communities()).join(', '));
  });
  await tally.expect('no page complained', async () => must(complaints.length === 0, complaints.join('\n')));
  await browser.close();
  return tally.close();
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.exit((await run(process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787')) ? 0 : 1);
