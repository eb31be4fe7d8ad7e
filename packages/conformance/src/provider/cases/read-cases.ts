import { ensureEqual, show } from '../../expectation.js';
import { expectInvalid } from '../provider-probe.js';
import { verifies } from '../verifies.js';

export const readCases = [
  verifies('PROVIDER-READ-01', 'reads what was retained', async (probe) => {
    const content = '# Heading\n\n- ä 🙂 “quoted”\n\ttabbed  \n\n<b>bold</b> & more\n';
    await probe.retain({ tier: 'CREW', content, mode: 'replace' });
    ensureEqual(await probe.textOf({ tier: 'CREW' }), content, 'the text');
    await probe.retain({ tier: 'daily', key: '2026-05-21', content: 'A day.' });
    ensureEqual(await probe.textOf({ tier: 'daily', key: '2026-05-21' }), 'A day.', 'the text of the day');
  }),
  verifies('PROVIDER-READ-02', 'reads nothing where nothing is', async (probe) => {
    ensureEqual(await probe.textOf({ tier: 'AGENT' }), '', 'the text');
    ensureEqual(await probe.textOf({ tier: 'peers', key: 'nobody' }), '', 'the text of nobody');
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
  verifies('PROVIDER-READ-04', 'tells what it reads, and how large it is', async (probe) => {
    const { id } = await probe.retain({ tier: 'peers', key: 'ada', content: 'Käthe 🙂' });
    const { id: source, bytes } = await probe.read({ tier: 'peers', key: 'ada' });
    ensureEqual(source, id, 'the id');
    ensureEqual(bytes, 11, 'the size');
  }),
  verifies('PROVIDER-READ-05', 'reads nothing that is gone', async (probe) => {
    const { id } = await probe.retain({ tier: 'AGENT', content: 'First.' });
    await probe.retain({ tier: 'AGENT', content: 'Second.', mode: 'replace' });
    ensureEqual(await probe.textOf({ tier: 'AGENT' }), 'Second.', 'the text that was replaced');
    await probe.forget({ id });
    ensureEqual(await probe.textOf({ tier: 'AGENT' }), '', 'the text that was forgotten');
  }),
];
