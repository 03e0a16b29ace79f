// Links and what can be wrong with them: made by hand, expired, switched off, and browsers that cannot.
import { OUT, openPage, PHONE } from './browser.mjs';
import { Sharer } from './sharer.mjs';
import { must, until } from './tally.mjs';

export async function checkLinks(tally, { browser, alice, api, url, complaints }) {
  const context = alice.page.context();
  await tally.expect('a link for another device, an address for OBS and one for programs can be made and copied', async () => {
    await alice.room();
    await alice.page.getByTestId('share-ways').click();
    const dialog = alice.page.getByTestId('ways');
    for (const source of ['share_page', 'whip', 'frame_api']) await dialog.locator(`[data-make=${source}]`).click();
    const value = (name) => dialog.locator(`[data-value="${name}"]`);
    await until(async () => (await value('Example').count()) === 1, 'they were not made');
    must((await value('Link').inputValue()).startsWith(`${url}/share#`), await value('Link').inputValue());
    must(/\/api\/watch\/.+\/whip$/.test(await value('Server').inputValue()), await value('Server').inputValue());
    must((await value('Bearer token').getAttribute('type')) === 'password', 'the token stands there for all to see');
    must((await value('Example').innerText()).includes('--data-binary'), 'no example');
    await dialog.getByText(/Open it within 1[0-9] min/).first().waitFor();
    await alice.page.screenshot({ path: `${OUT}share-ways.png` });
    await alice.page.keyboard.press('Escape');
  });
  await tally.expect('a link that nobody gave out says so, and what to do', async () => {
    const stranger = await Sharer.open(context, `${url}/share#no-such-key`, complaints);
    await stranger.page.getByTestId('choose').waitFor();
    const bare = await Sharer.open(await browser.newContext(), `${url}/share`, complaints);
    await bare.ended('no_token');
    await bare.page.context().close();
    await stranger.page.close();
  });
  await tally.expect('a browser that cannot share says why in plain words', async () => {
    const { url: link } = await api.invite('Alice');
    const page = await openPage(browser, complaints, { viewport: PHONE });
    await page.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
    await page.goto(url + link);
    await page.getByTestId('choose').click();
    await page.getByTestId('problem').getByText('This browser cannot share a screen').waitFor();
    await page.screenshot({ path: `${OUT}share-cannot-phone.png` });
    await page.context().close();
  });
  await tally.expect('a closed picker is no trouble, and one can choose again', async () => {
    const { url: link } = await api.invite('Alice');
    const page = await openPage(browser, complaints);
    await page.addInitScript(() => (navigator.mediaDevices.getDisplayMedia = () => Promise.reject(new DOMException('Permission denied', 'NotAllowedError'))));
    await page.goto(url + link);
    await page.getByTestId('choose').click();
    await page.getByTestId('problem').getByText('Nothing was chosen').waitFor();
    must(await page.getByRole('button', { name: 'Choose again' }).isEnabled(), 'one cannot');
    await page.context().close();
  });
  await tally.expect('where watching is switched off, no link is made, and the pages say so', async () => {
    const { url: link } = await api.invite('Alice');
    await api.set({ enabled: false });
    try {
      await alice.page.getByTestId('share-button').waitFor({ state: 'detached' });
      must((await api.call('POST', '/api/rooms/lounge/shares', { name: 'Alice' })).body.error.code === 'stream_watch_disabled', 'a link was made');
      await alice.goto('#/watch/lounge');
      await alice.page.getByTestId('off').waitFor();
      const late = new Sharer(await openPage(browser, complaints));
      await late.page.addInitScript(() => (navigator.mediaDevices.getDisplayMedia = async () => Object.assign(document.createElement('canvas'), { width: 320, height: 180 }).captureStream(5)));
      await late.page.goto(url + link);
      await late.choose();
      await late.ended('stream_watch_disabled');
      await late.page.context().close();
    } finally {
      await api.set({ enabled: null });
    }
    await alice.room();
    await alice.page.getByTestId('share-button').waitFor();
  });
}
