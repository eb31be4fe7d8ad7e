import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHumanReport } from '../src/report/human-report.js';
import { toJsonReport } from '../src/report/json-report.js';
import { escapeXml, toJUnitReport } from '../src/report/junit-report.js';
import { countVerdicts, type Report, type RequirementResult, type Verdict } from '../src/report/report.js';
import { parseXml, type XmlElement } from './support/parse-xml.js';

const hostile = '<b> & "quoted" \'single\' ]]> \u0000\u001b[31m \ud800 😀\nnext\tline';

/** Arbitrary code points, including lone surrogates. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x10ffff }), fc.integer({ min: 0, max: 0x7f })))
  .map((codes) => String.fromCodePoint(...codes));

function requirement(verdict: Verdict, message?: string): RequirementResult {
  return {
    id: `TOY-A-${verdict}`,
    level: 'must',
    sentence: `It is ${verdict} & <fine>.`,
    verdict,
    needs: ['wings'],
    ...(verdict === 'gap' || verdict === 'closed' ? { reason: `because "${hostile}"` } : {}),
    cases: [
      {
        title: 'a <case>',
        verifies: [],
        outcome: message === undefined ? 'passed' : 'failed',
        durationMs: 1500,
        ...(message === undefined ? {} : { message }),
      },
    ],
  };
}

function reportOf(requirements: RequirementResult[]): Report {
  return {
    suite: 'toy',
    title: 'Toy v1',
    target: 'http://toy?a&b',
    capabilities: ['wings'],
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1234,
    isCancelled: false,
    isPassed: false,
    counts: countVerdicts(requirements),
    groups: [{ title: 'First <things>', requirements }],
    leftBehind: [],
  };
}

const everything = reportOf([
  requirement('passed'),
  requirement('failed', hostile),
  requirement('warned', 'dull'),
  requirement('gap', 'no wheels'),
  requirement('closed'),
  requirement('absent'),
  requirement('open'),
]);

describe('the text report', () => {
  it('lists each requirement with its id under its group', () => {
    const text = toHumanReport(everything);
    expect(text).toContain('Toy v1 at http://toy?a&b');
    expect(text).toContain('First <things>');
    for (const verdict of ['passed', 'failed', 'warned', 'gap', 'closed', 'absent', 'open'])
      expect(text).toMatch(new RegExp(`^ {2}\\S+ +TOY-A-${verdict} +It is ${verdict}`, 'm'));
    expect(text).toMatch(/FAIL {2}TOY-A-failed/);
    expect(text).toContain('Failed: 1 passed, 1 failed, 1 declared as gaps but passed, 1 not finished, 1 warnings');
  });

  it('has colours only on request', () => {
    const plain = reportOf([requirement('passed')]);
    expect(toHumanReport(plain)).not.toContain('\u001b');
    expect(toHumanReport(plain, { colours: true })).toContain('\u001b[32mok');
  });
});

describe('the JUnit report', () => {
  const casesOf = (root: XmlElement) => root.children.flatMap((one) => one.children);

  it('is XML with a test case per requirement', () => {
    const root = parseXml(toJUnitReport(everything));
    expect(root.name).toBe('testsuites');
    expect(root.attributes).toMatchObject({ tests: '7', failures: '2', errors: '1', skipped: '2', time: '1.234' });
    const outcomes = casesOf(root).map(({ attributes, children }) => [
      attributes.name?.split(' ')[0],
      children.map(({ name }) => name),
    ]);
    expect(outcomes).toEqual([
      ['TOY-A-passed', []],
      ['TOY-A-failed', ['failure']],
      ['TOY-A-warned', ['system-out']],
      ['TOY-A-gap', ['skipped']],
      ['TOY-A-closed', ['failure']],
      ['TOY-A-absent', ['skipped']],
      ['TOY-A-open', ['error']],
    ]);
  });

  it('preserves hostile messages except for characters that XML cannot represent', () => {
    const root = parseXml(toJUnitReport(everything));
    const failure = casesOf(root)[1]?.children[0];
    const sayable = ['\u0000', '\u001b'].reduce((text, one) => text.replace(one, '\ufffd'), hostile.toWellFormed());
    expect(failure?.attributes.message).toBe(`a <case>: ${sayable}`);
    expect(failure?.text).toBe(`a <case>: ${sayable}`);
  });

  it('is valid XML for any message of a target', () => {
    fc.assert(
      fc.property(anyText, (message) => {
        const report = reportOf([requirement('failed', message)]);
        expect(casesOf(parseXml(toJUnitReport(report)))).toHaveLength(1);
        expect(parseXml(`<a>${escapeXml(message)}</a>`).text.length).toBe(message.length);
      }),
    );
  });
});

describe('the JSON report', () => {
  it('is the complete report', () => {
    const report = reportOf([requirement('passed'), requirement('failed', 'no')]);
    expect(JSON.parse(toJsonReport(report))).toEqual(report);
  });
});
