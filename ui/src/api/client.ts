// Calls of the HTTP API. Every failure becomes an `ApiError` whose message can be shown to a person as it is.
import type {
  AskAnswer, Asks, Communities, Community, DryRun, EventDocs, Fates, FoundMessages, Health, JournalPage, KnobValue, LanguageStatus, MessageAnswer, MigrationView, NewMessage, Overview, QuietAnswer, RoomPage, Rooms, SessionView, SettingsView, Why,
} from './contract';
import { within } from './community';

export class ApiError extends Error {
  constructor(
    message: string,
    /** 0 when no answer came at all. */
    readonly status: number,
    readonly code: string,
    readonly details: unknown[] = [],
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** What a person is told about anything that was thrown. */
export function problemText(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

const TIMEOUT_MS = 30_000;

/** Calls, and throws what was refused as an `ApiError`. */
export async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}, stop?: AbortSignal, timeout = TIMEOUT_MS): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(within(path), {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: stop ? AbortSignal.any([stop, AbortSignal.timeout(timeout)]) : AbortSignal.timeout(timeout),
    });
  } catch (cause) {
    if (stop?.aborted) throw new ApiError('The answer is not wanted any more.', 0, 'stopped');
    const slow = cause instanceof DOMException && cause.name === 'TimeoutError';
    throw slow
      ? new ApiError(`Denizen did not answer within ${timeout / 1_000} seconds.`, 0, 'timed_out')
      : new ApiError('Denizen cannot be reached. Is it still running?', 0, 'unreachable');
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

async function refusal(response: Response): Promise<ApiError> {
  let error: { code?: string; message?: string; details?: unknown[] } = {};
  try {
    error = ((await response.json()) as { error?: typeof error }).error ?? {};
  } catch {
    // Not JSON: a proxy's page, or nothing. The status has to do.
  }
  const wait = Number(response.headers.get('retry-after'));
  return new ApiError(
    error.message ?? `Denizen answered ${response.status} ${response.statusText}`.trim() + '.',
    response.status,
    error.code ?? `http_${response.status}`,
    error.details ?? [],
    Number.isFinite(wait) && wait > 0 ? wait : null,
  );
}

/** Calls and reads the answer; `stop` lets go of a call whose answer is not wanted any more. */
export async function json<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>, stop?: AbortSignal, timeout?: number): Promise<T> {
  return (await call(method, path, body, headers, stop, timeout)).json() as Promise<T>;
}

export function query(parameters: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  return given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : '';
}

const inRoom = (room: string) => `/api/rooms/${encodeURIComponent(room)}`;

export const api = {
  health: () => json<Health>('GET', '/api/health'),
  communities: async () => (await json<Communities>('GET', '/api/communities')).communities,
  addCommunity: (id: string, name: string) => json<Community>('POST', '/api/communities', { id, ...(name ? { name } : {}) }),
  removeCommunity: (id: string) => call('DELETE', `/api/communities/${encodeURIComponent(id)}`),
  /** Everything that the process hosts, and how it is connected. */
  overview: () => json<Overview>('GET', '/api/overview'),
  /** The rooms of any community. */
  roomsOf: async (id: string) => (await json<Rooms>('GET', `/api/communities/${encodeURIComponent(id)}/rooms`)).rooms,
  rooms: async () => (await json<Rooms>('GET', '/api/rooms')).rooms,
  messages: (room: string, page: { before?: number; after?: number; limit?: number } = {}) =>
    json<RoomPage>('GET', `${inRoom(room)}/messages${query(page)}`),
  fates: async (room: string, messages: readonly string[]) => (await json<Fates>('GET', `${inRoom(room)}/fates${query({ messages: messages.join(',') })}`)).fates,
  send: async (room: string, message: NewMessage) =>
    (await json<MessageAnswer>('POST', `${inRoom(room)}/messages`, message)).message,
  edit: (room: string, id: string, author: string, text: string) =>
    call('PATCH', `${inRoom(room)}/messages/${encodeURIComponent(id)}`, { author, text }),
  remove: (room: string, id: string, author: string) =>
    call('DELETE', `${inRoom(room)}/messages/${encodeURIComponent(id)}${query({ author })}`),
  react: (room: string, id: string, author: string, emoji: string, on: boolean) =>
    call(on ? 'PUT' : 'DELETE', `${inRoom(room)}/messages/${encodeURIComponent(id)}/reactions`, { author, emoji }),
  /** Has a message answered, once more or after all. */
  retry: (room: string, id: string) => call('POST', `${inRoom(room)}/messages/${encodeURIComponent(id)}/retry`),
  search: (room: string, words: string, stop?: AbortSignal) => json<FoundMessages>('GET', `${inRoom(room)}/search${query({ q: words })}`, undefined, {}, stop),
  typing: (room: string, author: string, typing: boolean) => call('POST', `${inRoom(room)}/typing`, { author, typing }),
  /** What would become of a message that nobody writes. */
  dryRun: (room: string, author: string, text: string) => json<DryRun>('POST', `${inRoom(room)}/dry-run`, { author, text }),
  quiet: (room: string) => json<QuietAnswer>('GET', `${inRoom(room)}/quiet`),
  session: (room: string) => json<SessionView>('GET', `${inRoom(room)}/session`),
  endSession: (room: string) => call('POST', `${inRoom(room)}/session/end`),
  why: (message: string) => json<Why>('GET', `/api/why/${encodeURIComponent(message)}`),
  journal: (filter: { after?: number; room?: string; name?: string; limit?: number; newest?: boolean }) =>
    json<JournalPage>('GET', `/api/journal${query(filter)}`),
  journalEvents: async () => (await json<EventDocs>('GET', '/api/journal/events')).events,
  asks: (filter: { room?: string; turn?: number; purpose?: string; state?: string; before?: number; limit?: number } = {}) =>
    json<Asks>('GET', `/api/asks${query(filter)}`),
  ask: (id: string) =>
    json<AskAnswer>('GET', `/api/asks/${encodeURIComponent(id)}`),
  settings: () => json<SettingsView>('GET', '/api/settings'),
  saveSettings: (version: number, changes: Record<string, KnobValue | null>) =>
    json<SettingsView>('PUT', '/api/settings', { changes }, { 'if-match': `"${version}"` }),
  /** Imports an older document; without a version it only says what that would do. */
  migrateSettings: (document: Record<string, unknown>, leaveOut: string[], version: number | null) =>
    json<MigrationView>('POST', `/api/settings/migrate${query({ dryRun: version === null })}`, { document, leaveOut }, version === null ? {} : { 'if-match': `"${version}"` }),
  detectModel: () => json<LanguageStatus>('POST', '/api/model/detect'),
};

/** Addresses that the browser itself opens; the session's cookie goes with them. */
export const opened = (path: string): string => within(path);

export const attachmentAddress = (id: string) => opened(`/api/attachments/${encodeURIComponent(id)}`);
