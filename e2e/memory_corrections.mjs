// Memory corrected by hand: added, edited, pinned, superseded, deleted; an operator's own words are no claim.
import { must, until } from './tally.mjs';

export async function checkCorrections(tally, { page, url, open, read, mark }) {
  const gemBy = (id) => read(`/api/memory/gems/${encodeURIComponent(id)}`);
  const card = (id) => page.locator(`[data-gem="${id}"]`).first();
  const listed = async (text) => (await read('/api/memory/gems?limit=50')).items.find((gem) => gem.content.includes(text));
  let id = '';
  let successor = '';

  await tally.expect('a gem is added by hand, and is there at once', async () => {
    await open();
    await add(page, `The kettle of ${mark} stands on the left shelf.`);
    const gem = await until(() => listed(`kettle of ${mark}`), 'it was not stored');
    id = gem.gem_id;
    await card(id).waitFor();
    must(!gem.claim, 'it was taken for an instruction');
  });
  if (!id) return;
  await tally.expect('it is edited in place', async () => {
    await card(id).getByRole('button', { name: 'Edit' }).click();
    await card(id).getByLabel('What is to be remembered').fill(`The kettle of ${mark} stands on the right shelf.`);
    await card(id).getByRole('button', { name: 'Save' }).click();
    await card(id).getByText('right shelf').first().waitFor();
    must((await gemBy(id)).gem.content.includes('right shelf'), 'the server has the old words');
  });
  await tally.expect('it is pinned and unpinned', async () => {
    await card(id).getByRole('button', { name: 'Pin' }).click();
    await until(async () => (await gemBy(id)).gem.pinned, 'it is not pinned');
    await card(id).getByRole('button', { name: 'Unpin' }).click();
    await until(async () => !(await gemBy(id)).gem.pinned, 'it is still pinned');
  });
  await tally.expect('it is superseded by what holds now, stays struck through, and leads there', async () => {
    await card(id).getByRole('button', { name: 'Supersede' }).click();
    const dialog = page.getByTestId('supersede-gem');
    await dialog.getByRole('textbox').fill(`The kettle of ${mark} is broken and was thrown away.`);
    await dialog.getByRole('button', { name: 'Supersede' }).click();
    await card(id).getByTestId('until').getByRole('link').waitFor();
    must((await card(id).locator('s').count()) > 0, 'it is not struck through');
    await card(id).getByTestId('until').getByRole('link').click();
    await page.getByTestId('one-gem').getByText('thrown away').first().waitFor();
    const { supersededBy } = await gemBy(id);
    must(supersededBy?.content.includes('thrown away'), 'the server names another');
    successor = supersededBy.gem_id;
  });
  await tally.expect('what the operator writes stands as it is, whatever it sounds like', async () => {
    await open();
    await add(page, `From now on, always say where the kettles of ${mark} are.`);
    const gem = await until(() => listed(`kettles of ${mark}`), 'it was not stored');
    must(!gem.claim, 'the operator is not believed');
    must((await card(gem.gem_id).getByText('Only a claim').count()) === 0, 'it is shown as a claim');
    await remove(page, card(gem.gem_id));
  });
  await tally.expect('a gem is deleted only when one says so, and then for good', async () => {
    await open(`/gems/${encodeURIComponent(id)}`);
    const button = card(id).getByRole('button', { name: 'Delete' });
    await button.click();
    await page.getByTestId('remove-gem').getByText('cannot be undone').waitFor();
    await page.keyboard.press('Escape');
    must(await button.evaluate((element) => element === document.activeElement), 'the focus did not come back');
    must((await gemBy(id)).gem, 'it is gone all the same');
    await remove(page, card(id));
    await page.getByText('This gem is not there').waitFor();
    const answer = await fetch(`${url}/api/memory/gems/${encodeURIComponent(id)}`);
    must(answer.status === 404, `the server answers ${answer.status}`);
    if (successor) await fetch(`${url}/api/memory/gems/${encodeURIComponent(successor)}`, { method: 'DELETE' });
  });
}

async function add(page, text) {
  await page.getByRole('button', { name: 'Add a gem' }).click();
  const dialog = page.getByTestId('add-gem');
  await dialog.getByLabel('What is to be remembered').fill(text);
  await dialog.getByRole('button', { name: 'Remember this' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function remove(page, card) {
  await card.getByRole('button', { name: 'Delete' }).click();
  await page.getByTestId('remove-gem').getByRole('button', { name: 'Delete for good' }).click();
  await page.getByTestId('news').getByText('Removed for good').waitFor();
}
