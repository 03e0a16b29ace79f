// Which community this page is of: `#/c/COMMUNITY/…` names it, and an address without a name is the default one's.

/** The community an address names; empty for the default one. */
export function communityIn(hash: string): string {
  const [, first, named = ''] = (hash.replace(/^#/, '').split('?')[0] ?? '').split('/');
  if (first !== 'c') return '';
  try {
    return decodeURIComponent(named);
  } catch {
    return named;
  }
}

/** The community of this page; for another one the page is loaded anew, since nothing of one may be shown in another. */
export const community: string = communityIn(globalThis.location?.hash ?? '');

/** The communities themselves, and who may come in. */
const OF_THE_PROCESS = /^\/api\/(communities|overview|enter|me|leave|access)(?=[/?]|$)/;

/** An address of the API within a community. What the process has once stays where it is. */
export function within(path: string, named: string = community): string {
  const ofProcess = !path.startsWith('/api/') || OF_THE_PROCESS.test(path);
  return named === '' || ofProcess ? path : `/api/communities/${encodeURIComponent(named)}${path.slice('/api'.length)}`;
}
