import type { ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../sessions/session-store.js';
import { runCompleted, toHistory } from './session-history.js';
import { sizeOfTurn } from './shorten-turn.js';

const limit = 60_000;
const leftOut = /\[… \d+ characters left out …\]/;

function events(...runs: ModelMessage[][]): SessionEvent[] {
  const about = { id: 'e', at: '2026-11-18T00:00:00.000Z' };
  return runs.flatMap((messages, n) => [
    ...messages.map((payload) => ({
      ...about,
      run_id: `r${n}`,
      type: 'message',
      context_visible: true,
      payload: payload as unknown as SessionEvent['payload'],
    })),
    { ...about, run_id: `r${n}`, type: runCompleted, context_visible: false, payload: {} },
  ]);
}

function turn(prompt: string, answer = 'ok'): ModelMessage[] {
  return [
    { role: 'user', content: prompt },
    { role: 'assistant', content: answer },
  ];
}

function toolTurn(output: unknown, input: object = { query: 'x' }): ModelMessage[] {
  const call = { toolCallId: 'c1', toolName: 'read' };
  return [
    { role: 'user', content: 'Read it.' },
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: output as never }] },
    { role: 'assistant', content: [{ type: 'text', text: 'It says hello.' }] },
  ];
}

describe('the history that a model sees', () => {
  it.each([
    ['the latest turn', (large: ModelMessage[], small: ModelMessage[]) => [small, small, large]],
    ['an earlier turn', (large: ModelMessage[], small: ModelMessage[]) => [small, large, small]],
  ])('keeps all turns if %s is too long, and shortens that one', (_name, order) => {
    const small = turn('My umbrella is behind the door.');
    const large = turn(`The log:\n${'x'.repeat(70_000)}\nWhat broke?`, 'The disk is full.');
    const runs = order(large, small);
    const history = toHistory(events(...runs), limit);
    expect(history).toHaveLength(6);
    expect(sizeOfTurn(history)).toBeLessThanOrEqual(limit);
    for (const [n, run] of runs.entries()) {
      const shown = history.slice(2 * n, 2 * n + 2);
      if (run === small) expect(shown).toEqual(small);
      else {
        expect(shown[0]?.content).toMatch(/^The log:\nx+\n\[… \d+ characters left out …\]\nx+\nWhat broke\?$/);
        expect(sizeOfTurn(shown)).toBeGreaterThan(limit / 4);
        expect(shown[1]).toEqual(large[1]);
      }
    }
  });

  it('keeps a turn whole if it fits', () => {
    const large = turn('x'.repeat(50_000));
    expect(toHistory(events(large), limit)).toEqual(large);
  });

  it('keeps the latest of many large turns', () => {
    const runs = Array.from({ length: 30 }, (_, n) => turn(`${n} ${'x'.repeat(100_000)}`));
    const history = toHistory(events(...runs), limit);
    expect(sizeOfTurn(history)).toBeLessThanOrEqual(limit);
    const prompts = history.filter(({ role }) => role === 'user').map(({ content }) => String(content).split(' ')[0]);
    expect(prompts).toEqual(['27', '28', '29']);
  });

  it.each([
    ['text', { type: 'text', value: 'x'.repeat(90_000) }],
    ['JSON', { type: 'json', value: Array.from({ length: 30_000 }, (_, n) => n) }],
    ['an error', { type: 'error-text', value: 'x'.repeat(90_000) }],
    ['content', { type: 'content', value: [{ type: 'text', text: 'x'.repeat(90_000) }] }],
  ])('shortens the result of a tool, and the call keeps its result: %s', (_name, output) => {
    const history = toHistory(events(turn('first'), toolTurn(output)), limit);
    expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'tool', 'assistant']);
    expect(history[3]).toEqual(toolTurn(output)[1]);
    expect(history[4]?.content).toMatchObject([
      {
        type: 'tool-result',
        toolCallId: 'c1',
        output: { type: output.type === 'error-text' ? 'error-text' : 'text', value: expect.stringMatching(leftOut) },
      },
    ]);
    expect(history[5]).toEqual(toolTurn(output)[3]);
    expect(sizeOfTurn(history)).toBeLessThanOrEqual(limit);
  });

  it('shortens what a tool was called with, as an object', () => {
    const history = toHistory(events(toolTurn({ type: 'text', value: 'ok' }, { text: 'x'.repeat(90_000) })), limit);
    expect(history[1]?.content).toMatchObject([{ input: { shortened: expect.stringMatching(leftOut) } }]);
    expect(history[2]).toEqual(toolTurn({ type: 'text', value: 'ok' })[2]);
  });

  it('leaves out large files', () => {
    const data = 'x'.repeat(90_000);
    const picture: ModelMessage[] = [
      { role: 'user', content: 'Draw.' },
      {
        role: 'assistant',
        content: [
          { type: 'file', data, mediaType: 'image/png' },
          { type: 'text', text: 'Here.' },
        ],
      },
    ];
    expect(toHistory(events(picture), limit)[1]?.content).toEqual([
      { type: 'text', text: '[A file was left out.]' },
      { type: 'text', text: 'Here.' },
    ]);
  });

  it('keeps prompt and answer of a turn with more steps than fit', () => {
    const [prompt, call, result, answer] = toolTurn({ type: 'text', value: 'x'.repeat(300) }) as [
      ModelMessage,
      ModelMessage,
      ModelMessage,
      ModelMessage,
    ];
    const steps = Array.from({ length: 500 }, () => [call, result]).flat();
    expect(toHistory(events(turn('first'), [prompt, ...steps, answer]), limit)).toEqual([
      ...turn('first'),
      prompt,
      { role: 'assistant', content: 'It says hello.' },
    ]);
  });

  it('is empty if there is no room', () => {
    expect(toHistory(events(turn('one'), turn('two')), 10)).toEqual([]);
    expect(toHistory([], limit)).toEqual([]);
  });
});
