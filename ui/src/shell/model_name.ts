// Model servers that load a file often name the model by its whole path; people know it by the file.

const ROOTED = /^(\/|\.{1,2}[\\/]|~[\\/]|[a-z]:[\\/]|\\\\)/i;
const MODEL_FILE = /[\\/][^\\/]+\.(gguf|ggml|safetensors|bin|onnx|pth?)$/i;

/** `/models/qwen3-4b.gguf` → `qwen3-4b.gguf`; a name like `meta-llama/Llama-3` is no path and stays whole. */
export function shortModel(name: string): string {
  if (!ROOTED.test(name) && !MODEL_FILE.test(name)) return name;
  return name.split(/[\\/]/).filter(Boolean).at(-1) ?? name;
}
