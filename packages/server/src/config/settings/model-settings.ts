import { choice, choiceOrPath, integer, optionalText, type Setting } from '../setting.js';

export const modelSettings = {
  embedder: choiceOrPath({
    env: 'MEMHALL_EMBEDDER',
    flag: '--embedder <kind>',
    choices: ['local', 'openai', 'none'],
    prefix: 'onnx',
    default: 'local',
    description:
      'What turns text into vectors: `local` (all-MiniLM-L6-v2, runs in the process, offline), `onnx:<directory>` (a sentence-embedding model in ONNX form, likewise), `openai` (any endpoint compatible with the OpenAI embeddings API) or `none` (recall matches words only).',
  }),
  embedderRuntime: choice({
    env: 'MEMHALL_EMBEDDER_RUNTIME',
    choices: ['auto', 'native', 'wasm'],
    default: 'auto',
    description:
      'Runtime of the local embedder: `native`, `wasm` (WebAssembly, about ten times slower) or `auto` (native if it loads, otherwise WebAssembly).',
  }),
  embedderStart: choice({
    env: 'MEMHALL_EMBEDDER_START',
    choices: ['background', 'wait'],
    default: 'background',
    description:
      'Whether a server waits for a model of its own (`local`, `onnx:…`) before it listens. `background`: until the model is loaded, recall matches words only and says that it is `incomplete`, and vectors of what is stored follow. `wait`: a model that cannot be loaded prevents the start. Commands that run and end always wait, and so does the library unless you set this.',
  }),
  embedderUrl: optionalText({
    env: 'MEMHALL_EMBEDDER_URL',
    description:
      'Base URL of the embeddings endpoint, including the version, such as `https://host/v1`. Required if MEMHALL_EMBEDDER is `openai`.',
  }),
  embedderModel: optionalText({
    env: 'MEMHALL_EMBEDDER_MODEL',
    description: 'Model to request from the embeddings endpoint.',
  }),
  embedderKey: optionalText({
    env: 'MEMHALL_EMBEDDER_API_KEY',
    secret: true,
    description: 'API key of the embeddings endpoint, if it requires one.',
  }),
  embedderDimension: integer({
    env: 'MEMHALL_EMBEDDER_DIMENSION',
    default: 0,
    min: 0,
    max: 16_000,
    description: "Length of the endpoint's vectors. 0 detects it at start. The start fails if the length is wrong.",
  }),
  embedderQueryTimeoutMs: integer({
    env: 'MEMHALL_EMBEDDER_QUERY_TIMEOUT_MS',
    default: 3000,
    min: 1,
    max: 60_000,
    description:
      'Time in milliseconds that a recall waits for the embeddings endpoint, including retries. After that the recall matches words only.',
  }),
  comparedEmbedder: choiceOrPath({
    env: 'MEMHALL_COMPARED_EMBEDDER',
    choices: ['none', 'local'],
    prefix: 'onnx',
    default: 'none',
    description:
      'What the embedder can be compared with, in the console and with `embedder: compared` of a recall: `local`, `onnx:<directory>` or `none`. Stores no vectors.',
  }),
  reranker: choiceOrPath({
    env: 'MEMHALL_RERANKER',
    choices: ['none'],
    prefix: 'onnx',
    default: 'none',
    description:
      'What ranks the best memories again: `onnx:<directory>` (a cross-encoder in ONNX form, runs in the process on its own thread, offline) or `none`.',
  }),
  rerankerCandidates: integer({
    env: 'MEMHALL_RERANKER_CANDIDATES',
    default: 30,
    min: 2,
    max: 100,
    description: 'Number of the best memories that the reranker reads.',
  }),
  rerankerDeadlineMs: integer({
    env: 'MEMHALL_RERANKER_DEADLINE_MS',
    default: 500,
    min: 1,
    max: 60_000,
    description: 'Time in milliseconds that a recall waits for the reranker. After that the order stands as it was.',
  }),
  extractor: choice({
    env: 'MEMHALL_EXTRACTOR',
    flag: '--extractor <kind>',
    choices: ['rules', 'llm', 'none'],
    default: 'rules',
    description:
      'What extracts facts worth remembering from conversations: `rules` (English, German, French and Spanish; runs in the process), `llm` (a model behind any endpoint compatible with the OpenAI chat API; its proposals are checked in code) or `none` (nothing is learned).',
  }),
  extractorUrl: optionalText({
    env: 'MEMHALL_EXTRACTOR_URL',
    description:
      'Base URL of the chat endpoint, including the version, such as `https://host/v1`. Required if MEMHALL_EXTRACTOR is `llm`.',
  }),
  extractorModel: optionalText({
    env: 'MEMHALL_EXTRACTOR_MODEL',
    description: 'Model to request from the chat endpoint.',
  }),
  extractorKey: optionalText({
    env: 'MEMHALL_EXTRACTOR_API_KEY',
    secret: true,
    description: 'API key of the chat endpoint, if it requires one.',
  }),
  extractorTimeoutMs: integer({
    env: 'MEMHALL_EXTRACTOR_TIMEOUT_MS',
    default: 60_000,
    min: 100,
    max: 3_600_000,
    description:
      'Time in milliseconds for extracting from one conversation, including retries. After that the conversation is tried again later.',
  }),
  chatUrl: optionalText({
    env: 'MEMHALL_CHAT_URL',
    description:
      'Base URL of a chat endpoint compatible with the OpenAI chat API, including the version, such as `https://host/v1`. With it, everybody with a token can talk to the model through `POST /v1/chat` and in the playground of the console. Without it, only the scripted model answers there.',
  }),
  chatModel: optionalText({
    env: 'MEMHALL_CHAT_MODEL',
    description: 'Model to request from the chat endpoint. Required if MEMHALL_CHAT_URL is set.',
  }),
  chatKey: optionalText({
    env: 'MEMHALL_CHAT_API_KEY',
    secret: true,
    description: 'API key of that chat endpoint, if it requires one.',
  }),
  chatTimeoutMs: integer({
    env: 'MEMHALL_CHAT_TIMEOUT_MS',
    default: 60_000,
    min: 100,
    max: 600_000,
    description: 'Time in milliseconds that a call of `POST /v1/chat` waits for the model.',
  }),
} satisfies Record<string, Setting<unknown>>;
