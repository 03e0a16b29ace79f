// Ids for things this page makes. Not `crypto.randomUUID`: that is missing on plain HTTP addresses other than loopback.
export function freshId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `${prefix}-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
