import { ensure, ensureEqual, show } from '../../expectation.js';
import { expectInvalid, newWord, type ProviderProbe, sourcesOf } from '../provider-probe.js';
import { verifies } from '../verifies.js';

const labels = {
  AGENT: 'AGENT.md',
  CREW: 'CREW.md',
  PERSONA: 'PERSONA.md',
  pins: 'pins.md',
  daily: 'daily/2026-05-21.md',
  peers: 'peers/lena-k.md',
  lessons: 'lessons.md',
};
const keys: Record<string, string> = { daily: '2026-05-21', peers: 'lena-k' };
const caps = { AGENT: 4000, CREW: 4000, PERSONA: 1500, pins: 8000, daily: 30_000, peers: 1500 };
const climbing = ['../x', 'a/b', '/etc/passwd', 'a\\b', '..', 'a..b', 'a\nb', 'a\u0000', '\u007f', 'x/../../y'];

function placeOf(tier: string) {
  return { tier, ...(keys[tier] === undefined ? {} : { key: keys[tier] }) };
}

/** Returns ordinary text of an exact size that no scanner or redactor reacts to. */
function textOf(bytes: number): string {
  return 'A quiet day at the harbour.\n'
    .repeat(Math.ceil(bytes / 28))
    .slice(0, bytes - 1)
    .concat('.');
}

async function fill(probe: ProviderProbe, tier: string, bytes: number) {
  return probe.retain({ ...placeOf(tier), content: textOf(bytes), mode: 'replace' });
}

export const tierCases = [
  verifies('PROVIDER-TIER-01', 'names texts by their tier and key', async (probe) => {
    for (const [tier, label] of Object.entries(labels)) {
      const { id } = await probe.retain({ ...placeOf(tier), content: 'A note.' });
      ensureEqual(id, label, `the id in ${tier}`);
    }
  }),
  verifies('PROVIDER-TIER-02', 'rejects unknown tiers', async (probe) => {
    for (const tier of ['agent', 'PINS', 'notes', '', undefined, 7, '__proto__', 'constructor']) {
      await expectInvalid(`the tier ${show(tier)}`, probe.retain({ tier, content: 'x' }));
    }
    await expectInvalid('a recall in the tier "notes"', probe.recall({ tier: 'notes', query: 'x' }));
  }),
  verifies('PROVIDER-TIER-03', 'requires a key in keyed tiers', async (probe) => {
    for (const tier of ['daily', 'peers']) {
      for (const key of [undefined, '']) {
        await expectInvalid(`${tier} with the key ${show(key)}`, probe.retain({ tier, key, content: 'x' }));
      }
    }
  }),
  verifies('PROVIDER-TIER-04', 'rejects keys that could escape their folder', async (probe) => {
    for (const tier of ['daily', 'peers']) {
      for (const key of climbing) {
        await expectInvalid(`${tier} with the key ${show(key)}`, probe.retain({ tier, key, content: 'x' }));
      }
    }
  }),
  verifies('PROVIDER-TIER-05', 'accepts only valid dates', async (probe) => {
    for (const key of ['2026-02-29', '2026-13-01', '2026-5-1', 'today', '21.05.2026', '2026-05-21T00']) {
      await expectInvalid(`the day ${show(key)}`, probe.retain({ tier: 'daily', key, content: 'x' }));
    }
    await probe.retain({ tier: 'daily', key: '2024-02-29', content: 'A leap day.' });
  }),
  verifies('PROVIDER-TIER-06', 'ignores keys in other tiers', async (probe) => {
    const { id } = await probe.retain({ tier: 'AGENT', key: '../x', content: 'A note.' });
    ensureEqual(id, 'AGENT.md', 'the id');
  }),
  verifies('PROVIDER-TIER-07', 'keeps texts separate', async (probe) => {
    const words = new Map<string, string>();
    const places = [
      ...Object.keys(labels).map(placeOf),
      { tier: 'daily', key: '2026-05-22' },
      { tier: 'peers', key: 'lena' },
    ];
    for (const place of places) {
      const word = newWord();
      const { id } = await probe.retain({ ...place, content: `About ${word}.`, mode: 'replace' });
      words.set(word, String(id));
    }
    for (const [word, id] of words) {
      // A search by meaning may find other texts as well.
      const holding = (await probe.find(word)).filter(({ snippet }) => snippet.includes(word));
      ensureEqual(sourcesOf(holding), [id], `the source of ${word}`);
    }
  }),
  verifies('PROVIDER-CAP-01', 'accepts a text of exactly the cap', async (probe) => {
    for (const [tier, cap] of Object.entries(caps)) {
      ensureEqual((await fill(probe, tier, cap)).bytes, cap, `the size in ${tier}`);
    }
  }),
  verifies('PROVIDER-CAP-02', 'rejects one byte more than the cap', async (probe) => {
    for (const [tier, cap] of Object.entries(caps)) {
      await fill(probe, tier, 100);
      const { details } = await expectInvalid(
        `${cap + 1} bytes in ${tier}`,
        fill(probe, tier, cap + 1),
        'TIER_CAP_EXCEEDED',
      );
      const { tier: reportedTier, cap: reportedCap, projected, current } = details;
      ensureEqual(
        { tier: reportedTier, cap: reportedCap, projected, current },
        { tier, cap, projected: cap + 1, current: 100 },
        'details',
      );
      ensureEqual(await probe.sizeOf(placeOf(tier)), 100, `the size in ${tier} after that`);
    }
  }),
  verifies('PROVIDER-CAP-03', 'counts bytes', async (probe) => {
    const content = 'äöü '.repeat(215);
    await expectInvalid(
      '1505 bytes in 860 characters',
      probe.retain({ ...placeOf('PERSONA'), content }),
      'TIER_CAP_EXCEEDED',
    );
  }),
  verifies('PROVIDER-CAP-04', 'counts the existing text', async (probe) => {
    await fill(probe, 'peers', 1000);
    const content = textOf(500);
    const { details } = await expectInvalid(
      'an append',
      probe.retain({ ...placeOf('peers'), content }),
      'TIER_CAP_EXCEEDED',
    );
    ensureEqual(details.projected, 1501, 'projected');
  }),
  verifies('PROVIDER-CAP-05', 'warns from 80 %', async (probe) => {
    for (const [tier, cap] of Object.entries(caps)) {
      const { warning: early } = await fill(probe, tier, cap * 0.8 - 1);
      ensure(early === undefined, `there is a warning below 80 % of ${tier}: ${show(early)}`);
      const { warning } = await fill(probe, tier, cap * 0.8);
      ensure(typeof warning === 'string' && warning !== '', `there is no warning at 80 % of ${tier}`);
    }
  }),
];
