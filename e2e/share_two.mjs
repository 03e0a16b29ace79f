// Two people share: none is guessed, one is chosen, and the other is told.
import { OUT } from './browser.mjs';
import { must, until } from './tally.mjs';

export async function checkTwoScreens(tally, { alice, sharer, api }) {
  // A picture that another program brings in: the newest of Alice's will do.
  const picture = new Uint8Array(await (await fetch(`${api.url}/api/rooms/lounge/watch/frame`)).arrayBuffer());
  const bob = await api.invite('Bob', 'frame_api');
  await alice.room();
  const strip = alice.page.getByTestId('room-watch');
  const list = alice.page.getByTestId('share-list');

  await tally.expect('who shares second is not watched instead of the first', async () => {
    const { status, body } = await api.frame(bob, picture);
    must(status === 409 && body.error.code === 'target_user_mismatch', `${status} ${JSON.stringify(body)}`);
    await strip.getByRole('button', { name: '2 shares' }).click();
    await list.getByText('one screen is watched at a time').waitFor();
    must((await sharer.state()) === 'watched', await sharer.state());
  });
  await tally.expect('choosing the other in the room turns Denizen to it, and the first is told', async () => {
    await list.getByRole('radio', { name: /^Bob/ }).check();
    await sharer.becomes('elsewhere');
    await sharer.page.getByText('Somebody else’s screen is watched here').waitFor();
    must((await api.frame(bob, picture)).status === 200, 'the chosen one is refused');
    await strip.getByText('watches Bob’s screen').waitFor();
    await sharer.page.screenshot({ path: `${OUT}share-elsewhere.png` });
  });
  await tally.expect('nobody’s screen can be chosen, and the page asks whose, without guessing', async () => {
    await list.getByRole('radio', { name: 'Nobody’s' }).check();
    await sharer.becomes('nobody');
    await strip.getByText('none is watched').waitFor();
    await list.getByText('does not guess').waitFor();
    await alice.page.screenshot({ path: `${OUT}watch-room-choose.png` });
    must((await api.frame(bob, picture)).body.error.code === 'watch_not_active', 'a frame was taken');
  });
  await tally.expect('chosen again, the first is seen at once', async () => {
    const before = (await api.view()).samples.at(-1)?.frame ?? 0;
    await list.getByRole('radio', { name: /^Alice/ }).check();
    await sharer.becomes('watched');
    await until(async () => ((await api.view()).newest?.frame ?? 0) > before, 'no frame came');
  });
  await tally.expect('a share that ended by its own token leaves the other alone', async () => {
    await api.call('DELETE', `/api/watch/${bob.share}`, undefined, { authorization: `Bearer ${bob.token}` });
    await until(async () => (await api.view()).shares.length === 1, 'it is still there');
    must((await api.frame(bob, picture)).status === 404, 'its token still works');
    must((await sharer.state()) === 'watched', await sharer.state());
  });
}
