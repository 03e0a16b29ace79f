import { expect, it } from 'vitest';
import { shortModel } from './model_name';

it.each([
  ['/work/models/llm/qwen3-4b-q4.gguf', 'qwen3-4b-q4.gguf'],
  ['models/tiny.gguf', 'tiny.gguf'],
  ['C:\\Models\\tiny.gguf', 'tiny.gguf'],
  ['~/models/phi-4/', 'phi-4'],
  ['./phi', 'phi'],
])('a model named by the path %s is shown as %s', (path, wanted) => expect(shortModel(path)).toBe(wanted));

it.each(['gpt-5-mini', 'meta-llama/Llama-3.1-8B', 'registry.example/team/model:latest', '/', ''])('the name %s is no path, or has no last part, and stays', (name) =>
  expect(shortModel(name)).toBe(name),
);
