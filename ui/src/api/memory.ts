// Calls of the memory API.
import { json, opened, query } from './client';
import type { GemEdit, GemOnly, GemPage, GemStory, MemoryReport, MemoryRuns, NewGem, People, RemovedAnswer, SearchAnswer, Superseded, Timeline } from './contract';

export interface GemFilter {
  person?: string;
  room?: string;
  community?: string;
  session?: string;
  /** Only what still holds, unless it is false. */
  current?: boolean;
  after?: string;
  limit?: number;
}

export interface SearchTerms {
  q: string;
  person?: string;
  /** Seen as this room sees it; without it, as the operator does. */
  room?: string;
  community?: string;
  kinds?: 'gems' | 'turns' | 'both';
  superseded?: boolean;
  limit?: number;
}

const gemAt = (id: string) => `/api/memory/gems/${encodeURIComponent(id)}`;
const personAt = (id: string) => `/api/memory/people/${encodeURIComponent(id)}`;

export const memory = {
  status: () => json<MemoryReport>('GET', '/api/memory/status'),
  gems: (filter: GemFilter = {}) => json<GemPage>('GET', `/api/memory/gems${query({ ...filter })}`),
  search: (terms: SearchTerms, signal?: AbortSignal) => json<SearchAnswer>('GET', `/api/memory/search${query({ ...terms })}`, undefined, {}, signal),
  gem: (id: string) => json<GemStory>('GET', gemAt(id)),
  change: async (id: string, changes: GemEdit) => (await json<GemOnly>('PATCH', gemAt(id), changes)).gem,
  add: async (gem: NewGem) => (await json<GemOnly>('POST', '/api/memory/gems', gem)).gem,
  supersede: (id: string, by: { by: string } | { content: string }) =>
    json<Superseded>('POST', `${gemAt(id)}/supersede`, by),
  remove: async (id: string) => (await json<RemovedAnswer>('DELETE', gemAt(id))).removed,
  people: async () => (await json<People>('GET', '/api/memory/people')).people,
  timeline: (person: string, page: { after?: string; limit?: number } = {}) =>
    json<Timeline>('GET', `${personAt(person)}/timeline${query(page)}`),
  forget: async (person: string, name: string) =>
    (await json<RemovedAnswer>('DELETE', `${personAt(person)}${query({ name })}`)).removed,
  runs: async (limit: number) => (await json<MemoryRuns>('GET', `/api/memory/runs${query({ limit })}`)).runs,
};

export const exportAddress = () => opened('/api/memory/export');
