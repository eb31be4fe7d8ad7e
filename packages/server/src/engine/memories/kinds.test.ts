import { describe, expect, it } from 'vitest';
import { pluginMemoryKinds } from '../../ports/memory-plugin.js';
import { kindOfMemory, memoryKinds } from './kinds.js';
import { redactByKind } from './redact-by-kind.js';

const secret = { content: 'password=hunter2-is-long', cue: null, metadata: {} };

describe('the table of memory kinds', () => {
  it('has every kind of the plugin contract', () => {
    expect(Object.keys(memoryKinds)).toEqual(expect.arrayContaining([...pluginMemoryKinds]));
  });

  it('decides which kinds are stored without secrets', () => {
    const redacted = Object.keys(memoryKinds).filter((kind) => redactByKind(kind, secret, []).text !== secret);
    expect(redacted).toEqual(['note', 'episodic', 'resource', 'document']);
  });

  it.each(['diary', 'constructor', ''])('has no entry for a custom kind: "%s"', (name) => {
    expect(kindOfMemory(name)).toBeUndefined();
    expect(redactByKind(name, secret, []).text).toBe(secret);
  });
});
