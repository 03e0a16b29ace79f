// What is answered to "what would you do with this message?", and what a prompt takes.
import type { AskPurpose, ChainLink, ModelChoice, SectionFate, SectionReport, Span } from '../api/contract';

/** What it would do with a message. */
export interface DryRun {
  /** What the gate says; none where it is not asked. */
  admission: GateSays | null;
  /** From the message to the question, in milliseconds; what look-ups take is not in it. */
  after: Span;
  /** The journal lines it would leave. */
  chain: ChainLink[];
  outcome: WouldDo;
  /** What the model would be given; none where no model would be asked. */
  prompt: ImaginedPrompt | null;
  /** The same in words, and why. */
  sentence: string;
}

/** The gate's answer. */
export interface GateSays {
  address: string;
  allow: boolean;
  confidence: number;
  forced: boolean;
  reason: string;
  rule: string;
}

/** A prompt that is not sent. */
export interface ImaginedPrompt {
  account: PromptAccount;
  choice: ModelChoice;
  purpose: AskPurpose;
  sections: SectionReport[];
}

/** What kind of thing a part of a prompt is. */
export type PartKind = 'section' | 'rules' | 'tools' | 'tool_results' | 'schema' | 'pictures' | 'history';

/** A prompt and what it takes of a model's window. */
export interface PromptAccount {
  answerTokens: number;
  parts: PromptPart[];
  tokens: number;
  windowTokens: number;
}

/** One part of a prompt. */
export interface PromptPart {
  capTokens: number | null;
  fate: SectionFate | null;
  kind: PartKind;
  name: string;
  remark: string;
  tokens: number;
  wantedTokens: number;
}

export type WouldDo = 'ask_for_reply' | 'ask_whether_meant' | 'stay_silent' | 'wait' | 'obey';
