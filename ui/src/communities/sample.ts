// Samples for tests.
import type { CommunityOverview, PlatformStanding, ShardStanding } from '../api/contract';

export const community = (given: Partial<CommunityOverview> = {}): CommunityOverview => ({ id: 'local', name: 'local', home: false, denizen: 'Iris', rooms: 1, privateRooms: 0, callsToday: 0, costTodayMicroDollars: 0, restingModels: 0, ...given });

export const shard = (given: Partial<ShardStanding> = {}): ShardStanding => ({ connected: true, reconnects: 0, resumes: 0, sessions: 1, zombies: 0, events: 0, malformed: {}, ...given });

export const standing = (given: Partial<PlatformStanding> = {}): PlatformStanding => ({
  platform: 'Discord', state: 'connected', account: 'Iris', servers: 2, shards: [shard()], startsLeft: 999, calls: [], intents: [{ name: 'Message Content Intent', granted: true }],
  requests: { sent: 0, limited: 0, failed: 0, waited: 0, waitedMs: 0, waiting: 0, underWay: 0 },
  sound: { calls: 0, heard: 0, sent: 0, undecryptable: 0, undecryptablePeople: 0, rekeys: 0, reconnects: 0, resumes: 0 },
  ...given,
});
