// The door of the share page: takes the key out of the address and shows the page. A new link in the same tab begins anew.
import { mount, unmount } from 'svelte';
import '../app.css';
import '../shell/theme.svelte';
import { Sharing } from './sharing.svelte';
import SharePage from './SharePage.svelte';
import { takeKey } from './token';

const target = document.getElementById('app')!;

function open() {
  const sharing = new Sharing(takeKey());
  return { sharing, page: mount(SharePage, { target, props: { sharing } }) };
}

let shown = open();
addEventListener('hashchange', () => {
  if (location.hash.length < 2) return;
  shown.sharing.stop();
  void unmount(shown.page);
  shown = open();
});
// Whoever closes the tab means to stop, and does not want to be watched for the moments in which it might come back.
addEventListener('pagehide', () => shown.sharing.stop());
addEventListener('beforeunload', (event) => {
  if (shown.sharing.phase === 'live') event.preventDefault();
});
