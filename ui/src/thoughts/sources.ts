// The families of sources: what they are called, where an operator's own are kept, and how a name is written. Pure.
import type { FeedFamily, FeedSource, SourceReport, SourceView } from '../api/contract';

export interface Family {
  family: FeedFamily;
  label: string;
  /** The setting with the operator's own; none where a family is one source. */
  list: string | null;
  switch: string;
  placeholder: string;
  hint: string;
}

export const FAMILIES: Family[] = [
  { family: 'rss', label: 'RSS or Atom feed', list: 'initiative.discovery.rssFeeds', switch: 'initiative.discovery.sources.rss', placeholder: 'https://example.org/feed.xml', hint: 'The address of the feed itself.' },
  { family: 'reddit', label: 'Subreddit', list: 'initiative.discovery.redditSubreddits', switch: 'initiative.discovery.sources.reddit', placeholder: 'boardgames', hint: 'Without r/.' },
  { family: 'youtube', label: 'YouTube channel', list: 'initiative.discovery.youtubeChannelIds', switch: 'initiative.discovery.sources.youtube', placeholder: 'UCsBjURrPoezykLs9EqgamOA', hint: 'Its id, which begins with UC.' },
  { family: 'x', label: 'Handle on X', list: 'initiative.discovery.xHandles', switch: 'initiative.discovery.sources.x', placeholder: 'example', hint: 'Without @. Needs a bridge that serves handles as feeds: initiative.discovery.xBridgeUrl.' },
  { family: 'hacker_news', label: 'Hacker News', list: null, switch: 'initiative.discovery.sources.hackerNews', placeholder: '', hint: 'Its front page, all of it or none.' },
];

export const familyOf = (name: FeedFamily): Family => FAMILIES.find(({ family }) => family === name) ?? { family: name, label: name, list: null, switch: '', placeholder: '', hint: '' };

/** A source as a person says it: `r/boardgames`, `example.org/feed.xml`. */
export function sourceName({ family, name }: FeedSource): string {
  switch (family) {
    case 'reddit': return `r/${name}`;
    case 'x': return `@${name}`;
    case 'hacker_news': return 'Hacker News';
    case 'rss': return name.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
    default: return name;
  }
}

/** A name as it was typed or pasted, as it has to be kept; or what is wrong with it. */
export function tidied(family: FeedFamily, typed: string): { name: string } | { problem: string } {
  const text = typed.trim();
  if (text === '') return { problem: 'Write down what to read first.' };
  if (text.length > 200) return { problem: 'That is longer than the 200 characters a setting takes.' };
  switch (family) {
    case 'reddit': return word(text.replace(/^(https?:\/\/)?((www|old)\.)?reddit\.com/i, '').replace(/^\/?r\//i, '').replace(/\/.*$/, ''), /^[A-Za-z0-9_]{2,50}$/, 'A subreddit is letters, digits and underscores, such as boardgames.');
    case 'x': return word(text.replace(/^(https?:\/\/)?(www\.)?(x|twitter)\.com\//i, '').replace(/^@/, '').replace(/\/.*$/, ''), /^[A-Za-z0-9_]{1,15}$/, 'A handle is up to 15 letters, digits and underscores.');
    case 'youtube': return word(text.replace(/^(https?:\/\/)?(www\.)?youtube\.com\/channel\//i, '').replace(/[/?].*$/, ''), /^UC[A-Za-z0-9_-]{22}$/, 'A channel’s id begins with UC and has 24 characters; it is in the address of the channel’s page.');
    case 'rss': return /^https?:\/\/[^\s/]+/i.test(text) ? { name: text } : { problem: 'A feed’s address begins with https:// or http://.' };
    case 'hacker_news': return { name: 'top' };
  }
}

export const sameSource = (left: FeedSource, right: FeedSource): boolean => left.family === right.family && left.name.toLowerCase() === right.name.toLowerCase();

/** Each source with what became of it last: what the feeds say beats what the last thought saw. */
export function reported(sources: SourceView[], reports: SourceReport[]): SourceView[] {
  return sources.map((view) => ({ ...view, lastReport: reports.find(({ source }) => sameSource(source, view.source)) ?? view.lastReport }));
}

/** A report in words. */
export function reportWords({ items, fresh, unchanged, failure }: SourceReport): string {
  if (failure) return failure;
  if (items === 0) return 'nothing in it';
  return `${items} ${items === 1 ? 'item' : 'items'}, ${fresh} fresh${unchanged ? ', as before' : ''}`;
}

function word(name: string, wanted: RegExp, otherwise: string): { name: string } | { problem: string } {
  return wanted.test(name) ? { name } : { problem: otherwise };
}
