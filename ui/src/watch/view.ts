// A room's watch as the pages hold it: its samples are kept apart, since they come one by one.
import type { WatchAnswer } from '../api/contract';

export type WatchView = Omit<WatchAnswer, 'samples'>;
