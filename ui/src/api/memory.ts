// Calls of the memory API.
import { json, opened, query } from './client';
import type {
  ExtractionRun,
  Gem,
  GemChanges,
  GemDetail,
  MemoryStatus,
  NewGem,
  Paged,
  RememberedPerson,
  Removed,
  SearchAnswer,
  TimelineItem,
} from './memory_contract';

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
  status: () => json<MemoryStatus>('GET', '/api/memory/status'),
  gems: (filter: GemFilter = {}) => json<Paged<Gem>>('GET', `/api/memory/gems${query({ ...filter })}`),
  search: (terms: SearchTerms, signal?: AbortSignal) => json<SearchAnswer>('GET', `/api/memory/search${query({ ...terms })}`, undefined, {}, signal),
  gem: (id: string) => json<GemDetail>('GET', gemAt(id)),
  change: async (id: string, changes: GemChanges) => (await json<{ gem: Gem }>('PATCH', gemAt(id), changes)).gem,
  add: async (gem: NewGem) => (await json<{ gem: Gem }>('POST', '/api/memory/gems', gem)).gem,
  supersede: (id: string, by: { by: string } | { content: string }) =>
    json<{ gem: Gem; superseded: Gem }>('POST', `${gemAt(id)}/supersede`, by),
  remove: async (id: string) => (await json<{ removed: Removed }>('DELETE', gemAt(id))).removed,
  people: async () => (await json<{ people: RememberedPerson[] }>('GET', '/api/memory/people')).people,
  timeline: (person: string, page: { after?: string; limit?: number } = {}) =>
    json<Paged<TimelineItem>>('GET', `${personAt(person)}/timeline${query(page)}`),
  forget: async (person: string, name: string) =>
    (await json<{ removed: Removed }>('DELETE', `${personAt(person)}${query({ name })}`)).removed,
  runs: async (limit: number) => (await json<{ runs: ExtractionRun[] }>('GET', `/api/memory/runs${query({ limit })}`)).runs,
};

export const exportAddress = () => opened('/api/memory/export');
