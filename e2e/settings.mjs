// Two operators change settings at once: nothing is lost, nothing is overwritten in silence.
import { must, until } from './tally.mjs';
import { Visitor } from './visitor.mjs';

const KEY = 'memory.maxRecentMessages';

export async function checkSettings(tally, { browser, url, complaints }) {
  const read = async () => (await (await fetch(`${url}/api/settings`)).json()).knobs.find((knob) => knob.key === KEY).value;
  const first = await operator(browser, url, 'Alice', complaints, { live: true });
  // The second is cut off from the live feed, so that its version really is stale when it saves.
  const second = await operator(browser, url, 'Bob', complaints, { live: false });
  const before = await read();
  const [mine, theirs] = [before === 30 ? 31 : 30, before === 40 ? 41 : 40];

  await tally.expect('a changed setting is marked, saved, and in force', async () => {
    await first.number(theirs);
    await first.save('Save 1 change');
    await first.page.getByText('Saved one change').waitFor();
    must((await read()) === theirs, `it is ${await read()}`);
  });
  await tally.expect('a save on top of an older version shows what changed elsewhere, with both values', async () => {
    await second.number(mine);
    await second.save('Save 1 change');
    const dialog = second.page.getByTestId('conflict');
    await dialog.getByText('Changed elsewhere').waitFor();
    const text = (await dialog.innerText()).replace(/\s+/g, ' ');
    must(text.includes(`Yours: ${mine}`) && text.includes(`Theirs: ${theirs}`), `the dialog says: ${text}`);
    must((await read()) === theirs, 'it was overwritten in silence');
    await second.page.screenshot({ path: new URL('./out/settings-conflict.png', import.meta.url).pathname });
  });
  await tally.expect('after a look at it, one’s own value can be saved, and the other page shows it at once', async () => {
    await second.page.getByTestId('conflict').getByRole('button', { name: 'Back to the form' }).click();
    must((await second.field.inputValue()) === String(mine), 'the unsaved edit is gone');
    await second.save('Save 1 change');
    await second.page.getByText('Saved one change').waitFor();
    must((await read()) === mine, `it is ${await read()}`);
    await until(async () => (await first.field.inputValue()) === String(mine), 'the first page still shows the old value');
  });
  await tally.expect('a live change does not take an unsaved edit away, and is pointed out', async () => {
    await first.number(theirs);
    await second.number(mine + 5);
    await second.save('Save 1 change');
    await first.row.getByText(`Changed elsewhere to ${mine + 5}`).waitFor();
    must((await first.field.inputValue()) === String(theirs), 'the unsaved edit is gone');
    await first.page.getByRole('button', { name: 'Discard' }).click();
  });
  await tally.expect('a value out of range is refused beside its field, in words', async () => {
    await first.number(987_654);
    await first.save('Save 1 change');
    await first.row.getByRole('alert').waitFor();
    must(/\d/.test(await first.row.getByRole('alert').innerText()), 'the range is not named');
    await first.page.getByRole('button', { name: 'Discard' }).click();
  });
  await tally.expect('reset to default goes back to the default', async () => {
    await first.row.getByRole('button', { name: 'Reset to default' }).click();
    await first.save('Save 1 change');
    await until(async () => (await read()) === 35, 'the default is not back');
  });
  await tally.expect('the search finds a setting by its help', async () => {
    await first.page.getByRole('searchbox', { name: 'Search settings' }).fill('newest messages model sees');
    await until(async () => (await first.page.locator('[data-knob]').count()) === 1, 'not exactly one is found');
  });
  await tally.expect('settings of an older version are shown, then imported', () => checkImport(first.page, url));
  if (before !== 35) await restore(url, before);
}

async function checkImport(page, url) {
  const entries = async () => (await (await fetch(`${url}/api/settings`)).json()).knobs.find((knob) => knob.key === 'voice.streamWatch.maxNoteEntries').value;
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('');
  const document = { voice: { volume: 3, streamWatch: { brainContextMode: 'direct', directMaxEntries: 99, brainContextMaxEntries: 8 } } };
  await page.getByLabel('Settings document (JSON)').fill(JSON.stringify(document));
  await page.getByTestId('older-look').click();
  const outcome = page.getByTestId('older-outcome');
  await outcome.getByText('One key cannot be used here').waitFor();
  await page.getByRole('button', { name: 'Leave it out' }).click();
  await outcome.getByText('This would change one value').waitFor();
  const text = await outcome.innerText();
  must(text.includes('99 became 24') && text.includes('not in force') && text.includes('Left out: voice.volume'), `it says: ${text}`);
  await page.screenshot({ path: new URL('./out/settings-import.png', import.meta.url).pathname });
  must((await entries()) === 12, 'looking saved something');
  await page.getByTestId('older-import').click();
  await outcome.getByText('Imported: one value changed').waitFor();
  must((await entries()) === 24, `it is ${await entries()}`);
  must((await page.locator('[data-knob="voice.streamWatch.maxNoteEntries"]').getByRole('textbox').inputValue()) === '24', 'the form shows the old value');
}

async function operator(browser, url, name, complaints, { live }) {
  const { page } = await Visitor.enter(browser, url, name, complaints);
  if (!live) await page.route('**/api/events*', (route) => route.abort());
  await page.goto(`${url}/?as=${name}#/settings`);
  if (!live) await page.reload();
  await page.getByTestId('advanced').click();
  const row = page.locator(`[data-knob="${KEY}"]`);
  await row.waitFor();
  const field = row.getByRole('textbox');
  return {
    page, row, field,
    number: (value) => field.fill(String(value)),
    save: (label) => page.getByRole('button', { name: label }).click(),
  };
}

async function restore(url, value) {
  const { version } = await (await fetch(`${url}/api/settings`)).json();
  await fetch(`${url}/api/settings`, { method: 'PUT', headers: { 'content-type': 'application/json', 'if-match': `"${version}"` }, body: JSON.stringify({ changes: { [KEY]: value } }) });
}
