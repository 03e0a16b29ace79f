// Calls about shared screens: links, whose screen is watched, the view, and the newest picture.
import { ApiError, call, json, query } from './client';
import type { ShareLink, ShareSource, TriedSettings, WatchAnswer, WhatIf } from './contract';

const inRoom = (room: string) => `/api/rooms/${encodeURIComponent(room)}`;

export interface Picture {
  frame: string;
  blob: Blob;
}

export const watchApi = {
  invite: (room: string, name: string, source: ShareSource = 'share_page') => json<ShareLink>('POST', `${inRoom(room)}/shares`, { name, source }),
  end: (room: string, share: string) => call('DELETE', `${inRoom(room)}/shares/${encodeURIComponent(share)}`),
  choose: (room: string, share: string | null) => call('PUT', `${inRoom(room)}/watch`, { share }),
  view: (room: string, after?: number) => json<WatchAnswer>('GET', `${inRoom(room)}/watch${query({ after })}`),
  /** When it would have looked with other settings, by the mind's own rules. */
  whatIf: (room: string, tried: TriedSettings, stop?: AbortSignal) => json<WhatIf>('POST', `${inRoom(room)}/watch/what-if`, tried, undefined, stop),
  /** The newest picture; null while there is none, or none newer than `known`. */
  picture: async (room: string, known: string): Promise<Picture | null> => {
    try {
      const response = await call('GET', `${inRoom(room)}/watch/frame`, undefined, known ? { 'if-none-match': known } : {});
      return { frame: response.headers.get('etag') ?? '', blob: await response.blob() };
    } catch (problem) {
      // 304 is the answer of a server, 404 that of an empty shelf; neither is trouble.
      if (problem instanceof ApiError && (problem.status === 304 || problem.code === 'no_frame')) return null;
      throw problem;
    }
  },
};
