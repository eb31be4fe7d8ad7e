import { ensureEqual, show } from '../../expectation.js';
import { expectInvalid } from '../provider-probe.js';
import { verifies } from '../verifies.js';

export const readCases = [
  verifies('PROVIDER-READ-01', 'reads what was retained', async (probe) => {
    const content = '# Heading\n\n- ä 🙂 “quoted”\n\ttabbed  \n\n<b>bold</b> & more\n';
    await probe.retain({ tier: 'CREW', content, mode: 'replace' });
    ensureEqual(await probe.read({ tier: 'CREW' }), content, 'the text');
    await probe.retain({ tier: 'daily', key: '2026-05-21', content: 'A day.' });
    ensureEqual(await probe.read({ tier: 'daily', key: '2026-05-21' }), 'A day.', 'the text of the day');
  }),
  verifies('PROVIDER-READ-02', 'reads nothing where nothing is', async (probe) => {
    ensureEqual(await probe.read({ tier: 'AGENT' }), '', 'the text');
    ensureEqual(await probe.read({ tier: 'peers', key: 'nobody' }), '', 'the text of nobody');
  }),
  verifies('PROVIDER-READ-03', 'checks what is to be read', async (probe) => {
    const places = [
      { tier: 'notes' },
      { tier: 'daily' },
      { tier: 'daily', key: 'today' },
      { tier: 'peers', key: '../AGENT' },
    ];
    for (const place of places) await expectInvalid(`reading ${show(place)}`, probe.read(place));
  }),
];
