// Calls about Denizen's thoughts of its own: how they stand, a trial, the held thought, and the sources it reads.
import { call, json } from './client';
import type { AmbientView, Checked, FeedSource, OutwardStatus, Preview, SourceReports } from './contract';

/** Every source is fetched anew; a slow one may take its whole time. */
const READING_MS = 120_000;

export const ambientApi = {
  /** The view, and the server's clock when it was written (to the second; null where it does not say). */
  view: async (): Promise<{ view: AmbientView; clock: number | null }> => {
    const response = await call('GET', '/api/ambient');
    const clock = Date.parse(response.headers.get('date') ?? '');
    return { view: (await response.json()) as AmbientView, clock: Number.isFinite(clock) ? clock : null };
  },
  think: () => call('POST', '/api/ambient/think'),
  dropThought: () => call('DELETE', '/api/ambient/thought'),
  status: () => json<OutwardStatus>('GET', '/api/ambient/status'),
  reports: async () => (await json<SourceReports>('GET', '/api/discovery')).reports,
  preview: () => json<Preview>('POST', '/api/discovery/preview', undefined, undefined, undefined, READING_MS),
  check: (source: FeedSource) => json<Checked>('POST', '/api/discovery/check', source, undefined, undefined, READING_MS),
  dropSource: (source: FeedSource) => call('DELETE', '/api/discovery/sources', source),
};
