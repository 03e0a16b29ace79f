// How long a link can still be opened, in words. Pure.
export function expiry(left: number): string {
  if (left <= 0) return 'It has expired; make another.';
  const seconds = Math.max(1, Math.floor(left / 1_000));
  const minutes = Math.floor(seconds / 60);
  const clock = minutes >= 1 ? `${minutes} min${seconds % 60 ? ` ${seconds % 60} s` : ''}` : `${seconds} s`;
  return `Open it within ${clock}; a share that is under way goes on.`;
}
