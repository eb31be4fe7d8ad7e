import { ensureEqual, show } from '../../expectation.js';
import { expectInvalid } from '../provider-probe.js';
import { verifies } from '../verifies.js';

export const readCases = [
  verifies('PROVIDER-READ-01', 'reads a retained text', async (probe) => {
    const content = '# Heading\n\n- ä 🙂 “quoted”\n\ttabbed  \n\n<b>bold</b> & more\n';
    await probe.retain({ tier: 'CREW', content, mode: 'replace' });
    ensureEqual(await probe.textOf({ tier: 'CREW' }), content, 'the text');
    await probe.retain({ tier: 'daily', key: '2026-05-21', content: 'A day.' });
    ensureEqual(await probe.textOf({ tier: 'daily', key: '2026-05-21' }), 'A day.', 'the text of the day');
  }),
  verifies('PROVIDER-READ-02', 'reads a missing text as empty', async (probe) => {
    ensureEqual(await probe.textOf({ tier: 'AGENT' }), '', 'the text');
    ensureEqual(await probe.textOf({ tier: 'peers', key: 'nobody' }), '', 'the text of an unknown peer');
  }),
  verifies('PROVIDER-READ-03', 'checks tier and key', async (probe) => {
    const places = [
      { tier: 'notes' },
      { tier: 'daily' },
      { tier: 'daily', key: 'today' },
      { tier: 'peers', key: '../AGENT' },
    ];
    for (const place of places) await expectInvalid(`reading ${show(place)}`, probe.read(place));
  }),
  verifies('PROVIDER-READ-04', 'returns the id and size of the text', async (probe) => {
    const { id } = await probe.retain({ tier: 'peers', key: 'ada', content: 'Käthe 🙂' });
    const { id: source, bytes } = await probe.read({ tier: 'peers', key: 'ada' });
    ensureEqual(source, id, 'the id');
    ensureEqual(bytes, 11, 'the size');
  }),
  verifies('PROVIDER-READ-05', 'does not read removed text', async (probe) => {
    const { id } = await probe.retain({ tier: 'AGENT', content: 'First.' });
    await probe.retain({ tier: 'AGENT', content: 'Second.', mode: 'replace' });
    ensureEqual(await probe.textOf({ tier: 'AGENT' }), 'Second.', 'the text after it was replaced');
    await probe.forget({ id });
    ensureEqual(await probe.textOf({ tier: 'AGENT' }), '', 'the text after it was forgotten');
  }),
];
