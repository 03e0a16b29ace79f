// The parts of a prompt as the inspector draws them: sections, and what stands around them. Pure.
import type { PromptAccount, SectionFate, SectionReport } from '../api/contract';
import { count } from '../shell/format';

export interface Part {
  name: string;
  /** What became of a section; `fixed` for what is not a section: rules, tools, the answer's shape. */
  fate: SectionFate | 'fixed';
  kept: number;
  wanted: number;
  /** The most it may take; none: only the window bounds it; undefined: nobody says. */
  cap: number | null | undefined;
  priority: number | undefined;
  remark: string;
  text: string;
}

/** A number this large is no cap: it stands for there being none. */
const UNBOUNDED = 2 ** 50;

/** In tokens where they are accounted for, in characters where not. */
export function partsOf(sections: readonly SectionReport[], account: PromptAccount | null): Part[] {
  if (!account) {
    return sections.map((section) => ({
      name: section.name,
      fate: section.fate,
      kept: section.keptChars,
      wanted: section.wantedChars,
      cap: section.capChars >= UNBOUNDED ? null : section.capChars || undefined,
      priority: section.priority,
      remark: section.remark,
      text: section.text,
    }));
  }
  return account.parts.map((part) => {
    const section = part.kind === 'section' ? sections.find(({ name }) => name === part.name) : undefined;
    return {
      name: part.name,
      fate: part.fate ?? 'fixed',
      kept: part.tokens,
      wanted: part.wantedTokens,
      cap: section ? part.capTokens : undefined,
      priority: section?.priority,
      remark: part.remark,
      text: section?.text ?? '',
    };
  });
}

/** How much may be taken, in words. */
export const capped = (cap: number | null): string => (cap === null || cap >= UNBOUNDED ? 'no cap of its own' : `cap ${count(cap)}`);

/** A share in per cent, never 0 for something and never 100 for less than all. */
export function share(part: number, whole: number): string {
  if (part <= 0 || whole <= 0) return '0 %';
  const percent = (100 * part) / whole;
  if (percent < 1) return 'under 1 %';
  return `${part < whole ? Math.min(99, Math.round(percent)) : Math.round(percent)} %`;
}
