// What the sections of the settings are called, where the end of their key says too little.
import { title } from '../shell/format';

const TITLES: Record<string, string> = {
  identity: 'Who it is',
  activity: 'How much it talks',
  permissions: 'What it may do unasked',
  'permissions.replies': 'Where and to whom it talks',
  addressing: 'When it is meant',
  addressClassifierLlm: 'When it is unclear who is meant',
  llm: 'The language model',
  replyFollowupLlm: 'Look-ups for a reply',
  memory: 'What it remembers',
  'memory.embedding': 'Finding memories by meaning',
  'memory.reranker': 'Judging what is found',
  'memory.store': 'Where memories are kept',
  context: 'What the model is shown',
  'context.compaction': 'Long conversations',
  'voice.streamWatch': 'Shared screens',
  attention: 'When it pays attention',
  storage: 'How long things are kept',
  'initiative.text': 'Thoughts of its own',
  'initiative.budget': 'What its thoughts may cost',
  'initiative.discovery': 'What it reads and shares',
  'initiative.discovery.sources': 'Kinds of sources',
  'spending.perDay': 'What models may cost in a day',
  'spending.percent': 'Who may spend how much of a day',
  media: 'Pictures, clips and GIFs',
  tools: 'Tools that reach out',
};

export const sectionTitle = (section: string): string => TITLES[section] ?? title(section);
