import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embedOver } from '../adapters/embed-over.js';
import { type ModelServer, startModelServer } from './model-server.js';

let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer(['/nowhere']);
});

afterAll(() => server.close());

describe('the stand-in for models', () => {
  it('makes the same vectors of the same words, of the length that it says', async () => {
    const [tea, same, car] = await embedOver(server.url)(['I like tea', 'Tea I like', 'my car is red']);
    expect(tea).toHaveLength(server.dimensions);
    expect(tea).toEqual(same);
    expect(tea).not.toEqual(car);
  });

  it('extracts each new message word for word', async () => {
    const content =
      '## Existing Memories\n[]\n\n## New Messages\nuser: I moved.\nTo Oslo.\nassistant: Noted.\n\n## Observation Date\n2026';
    const response = await fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content }] }),
    });
    const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
    expect(JSON.parse(choices[0].message.content)).toEqual({
      memory: [
        { id: '0', text: 'I moved.\nTo Oslo.', attributed_to: 'user' },
        { id: '1', text: 'Noted.', attributed_to: 'assistant' },
      ],
    });
  });

  it('answers 400 to what is not JSON', async () => {
    expect((await fetch(`${server.url}/embeddings`, { method: 'POST', body: '{' })).status).toBe(400);
  });
});
