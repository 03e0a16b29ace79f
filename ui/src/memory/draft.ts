// A gem as it is being written: what the fields hold, what is wrong with it, and what of it is new.
import type { Gem, GemEdit, GemTag, NewGem } from '../api/contract';

/** Every tag there is, in the order in which they are shown. */
export const TAGS = Object.keys({ decision: true, fact: true, preference: true, todo: true, code: true } satisfies Record<GemTag, true>) as GemTag[];

export const CONTENT_CHARS_MAX = 2_000;
export const SUMMARY_CHARS_MAX = 200;
export const TOPICS_MAX = 12;
export const TOPIC_CHARS_MAX = 60;

export interface Draft {
  content: string;
  summary: string;
  /** Separated by commas. */
  topics: string;
  importance: number;
  tags: Record<GemTag, boolean>;
  pinned: boolean;
  standing: boolean;
}

export function draftOf(gem: Gem | null): Draft {
  const tags = Object.fromEntries(TAGS.map((tag) => [tag, gem?.tags.includes(tag) ?? tag === 'fact'])) as Record<GemTag, boolean>;
  return {
    content: gem?.content ?? '', summary: gem?.summary ?? '', topics: (gem?.topics ?? []).join(', '), importance: gem?.importance ?? 0.7, tags,
    pinned: gem?.pinned ?? false, standing: gem?.standing ?? false,
  };
}

/** What keeps it from being saved, for the person at it; empty where nothing does. */
export function problemOf(draft: Draft): string {
  const length = [...draft.content.trim()].length;
  if (length === 0) return 'Write down what is to be remembered.';
  if (length > CONTENT_CHARS_MAX) return `It has ${length.toLocaleString('en')} characters; a gem has ${CONTENT_CHARS_MAX.toLocaleString('en')} at most. Make two of it.`;
  if ([...draft.summary.trim()].length > SUMMARY_CHARS_MAX) return `The summary is one line: ${SUMMARY_CHARS_MAX} characters at most.`;
  const topics = topicsOf(draft);
  if (topics.length > TOPICS_MAX || topics.some((topic) => [...topic].length > TOPIC_CHARS_MAX)) return `Give ${TOPICS_MAX} topics at most, each of ${TOPIC_CHARS_MAX} characters at most.`;
  if (tagsOf(draft).length === 0) return 'Say what kind it is: choose a tag.';
  return '';
}

/** Only what differs from the gem. */
export function changesOf(gem: Gem, draft: Draft): GemEdit {
  const changes: GemEdit = {};
  const [content, summary, topics, tags] = [draft.content.trim(), draft.summary.trim(), topicsOf(draft), tagsOf(draft)];
  if (content !== gem.content) changes.content = content;
  if (summary !== gem.summary) changes.summary = summary;
  if (!same(topics, gem.topics)) changes.topics = topics;
  if (!same([...tags].sort(), [...gem.tags].sort())) changes.tags = tags;
  if (Math.abs(draft.importance - gem.importance) > 0.004) changes.importance = draft.importance;
  if (draft.pinned !== gem.pinned) changes.pinned = draft.pinned;
  if (draft.standing !== gem.standing) changes.standing = draft.standing;
  return changes;
}

/** As a gem of its own; what was left empty is for Denizen to fill in. */
export function newGemOf(draft: Draft, about: { person: string; community: string; room: string }): NewGem {
  const [summary, topics] = [draft.summary.trim(), topicsOf(draft)];
  return {
    content: draft.content.trim(), importance: draft.importance, tags: tagsOf(draft),
    ...(summary ? { summary } : {}), ...(topics.length ? { topics } : {}),
    ...(about.person ? { person: about.person } : {}), ...(about.room ? { scope: { community: about.community, room: about.room } } : {}),
  };
}

/** Whether what was typed is the name: case and outer spaces do not matter. */
export const namesThem = (typed: string, name: string): boolean => typed.trim() !== '' && typed.trim().toLowerCase() === name.trim().toLowerCase();

const tagsOf = (draft: Draft): GemTag[] => TAGS.filter((tag) => draft.tags[tag]);
const topicsOf = (draft: Draft): string[] => [...new Set(draft.topics.split(',').map((topic) => topic.trim()).filter(Boolean))];
const same = (left: string[], right: string[]): boolean => left.length === right.length && left.every((each, index) => each === right[index]);
