// The mock's answers about shared screens.
import { ApiProblem } from './problem.mjs';
import { watchOf } from './watch.mjs';

const STATUS = { session_not_found: 404, stream_watch_disabled: 409, watch_not_active: 409, target_user_mismatch: 409, invalid_mime_type: 415, frame_data_required: 422, frame_undecodable: 422, frame_too_large: 413, frame_rate_limited: 429 };

/** `/api/rooms/ROOM/shares…` and `/api/rooms/ROOM/watch…`; undefined for anything else. */
export function roomWatchRoutes(world, request, room, what, id) {
  if (what !== 'shares' && what !== 'watch') return undefined;
  const watch = watchOf(world, room);
  switch (`${request.method} ${what}${id ? ` ${what === 'shares' ? 'ID' : id}` : ''}`) {
    case 'POST shares': return { status: 201, json: watch.invite(request.body ?? {}) };
    case 'DELETE shares ID': {
      watch.end(watch.shares.find((share) => share.share === id) ?? unknown(), 'ended_by_operator');
      return { status: 204 };
    }
    case 'PUT watch': {
      watch.choose(request.body?.share ?? null);
      return { status: 204 };
    }
    case 'GET watch': return { json: watch.view(Number(request.url.searchParams.get('after') ?? 0)) };
    case 'GET watch frame': return picture(watch, request);
    default: return undefined;
  }
}

/** `/api/watch/SHARE…`: for whoever shares, with the share's own token. */
export function shareRoutes(world, request, share, what) {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const watch = world.rooms.map(({ id }) => watchOf(world, id)).find((each) => each.by(token, share));
  const link = watch?.by(token, share);
  if (!link) unknown();
  if (request.method === 'POST' && what === 'frames') {
    const { sample, refused } = watch.frame(link, request.headers['content-type'] ?? '', request.body ?? Buffer.alloc(0));
    if (refused) throw new ApiProblem(STATUS[refused.reason] ?? 400, refused.reason, refused.detail);
    const { frame, width, height, score, ema, sceneCut } = sample;
    return { json: { frame, width, height, score, ema, sceneCut } };
  }
  if (request.method === 'POST' && what === 'whip') throw new ApiProblem(503, 'streams_unavailable', 'The mock takes no video streams. Use the share page or the frame API.');
  if (request.method === 'DELETE' && !what) {
    watch.end(link, 'stopped');
    return { status: 204 };
  }
  throw new ApiProblem(404, 'unknown_path', `There is nothing at ${request.url.pathname}.`);
}

function picture({ picture: newest }, request) {
  if (!newest) throw new ApiProblem(404, 'no_frame', 'There is no picture: nobody’s screen is watched here, or nothing was seen yet.');
  const headers = { etag: `"${newest.frame}"`, 'content-type': newest.mime };
  return request.headers['if-none-match'] === headers.etag ? { status: 304, headers } : { bytes: newest.bytes, headers };
}

function unknown() {
  throw new ApiProblem(404, 'session_not_found', 'There is no such share, or its link has expired. Ask the room for a new link.');
}
