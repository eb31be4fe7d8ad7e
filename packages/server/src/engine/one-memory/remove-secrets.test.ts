import { describe, expect, it } from 'vitest';
import { memoryLimits } from '../memories/memory-input.js';
import { removeSecrets } from './remove-secrets.js';

const secrets = 'A_TOKEN=hunter2 ';
const clean = (content: string) => removeSecrets({ inputs: [{ kind: 'note', content }], also: [] })[0]?.content;
const longest = memoryLimits.contentCharacters;

describe('removeSecrets', () => {
  it('says that a text is too long only because of what stands for its secrets', () => {
    expect(clean(secrets)).toMatch(/^\[REDACTED:\w+\] $/);
    const filled = secrets.repeat(longest / secrets.length);
    expect(() => clean(filled)).toThrow(
      'has more than 200000 characters once its secrets are replaced by [REDACTED:…]: split it, or leave them out.',
    );
    const short = filled.slice(0, longest / 2);
    expect(clean(short)).toMatch(/REDACTED/);
  });

  it('leaves the check of what was too long before to others', () => {
    expect(clean(`${secrets}${'x '.repeat(longest)}`)).toMatch(/REDACTED/);
  });
});
