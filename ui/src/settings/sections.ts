// What the sections of the settings are called, where the end of their key says too little.
import { title } from '../shell/format';

const TITLES: Record<string, string> = {
  'initiative.text': 'Thoughts of its own',
  'initiative.budget': 'What its thoughts may cost',
  'initiative.discovery': 'What it reads and shares',
  'initiative.discovery.sources': 'Kinds of sources',
  media: 'Pictures, clips and GIFs',
  tools: 'Tools that reach out',
};

export const sectionTitle = (section: string): string => TITLES[section] ?? title(section);
