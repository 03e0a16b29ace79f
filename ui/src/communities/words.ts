// What stands in the addresses of a community, made of what people call it. Pure.

const ID_CHARS_MAX = 40;

/** Lower-case letters, digits and dashes; empty where nothing of a name can stand in an address. */
export function idOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').slice(0, ID_CHARS_MAX).replace(/^-+|-+$/g, '');
}
