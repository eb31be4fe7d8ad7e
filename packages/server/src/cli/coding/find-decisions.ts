/** What somebody decided about a project. */
export interface Decision {
  /** What it is about, such as `package manager`; `decision` or `rule` for what is about nothing in particular. */
  attribute: string | undefined;
  value: string;
  /** The value that it takes the place of, if it is named. */
  replaces?: string;
  /** It is said that something changes: what was decided before about the same no longer holds. */
  isChange: boolean;
}

const longestSentence = 300;
const mostSentences = 200;
const mostDecisions = 20;

/** A name of a few words: `pnpm`, `Node 22`, `the staging cluster`. */
const thing = String.raw`([\w@.+#/-]+(?: [\w@.+#/-]+){0,4}?)`;
const lead = `^(?:(?:please|ok(?:ay)?|yes|no|right|wait|sorry|actually|from now on|now),? )*`;
const we = `(?:(?:we(?:'re| are| will|'ll)?|let'?s|i want (?:you )?to|you should|always|just|now) )*`;
const pick = `(?:use|using|go with|going with|chose|choose|picked|pick|stick with|switch(?:ed|ing)? to|mov(?:e|ed|ing) to|decided on)`;

const corrections: readonly { form: RegExp; value: number; replaces: number; purpose?: number }[] = [
  {
    form: new RegExp(
      `${lead}${we}${pick} ${thing}(?: for (?:the |our )?${thing})?(?: instead of| rather than| and not|, not| not) ${thing}$`,
      'i',
    ),
    ...{ value: 1, purpose: 2, replaces: 3 },
  },
  {
    form: new RegExp(`${lead}${we}(?:replac(?:e|ed|ing)) ${thing} (?:with|by) ${thing}$`, 'i'),
    ...{ value: 2, replaces: 1 },
  },
  {
    form: new RegExp(
      `${lead}${we}(?:have |'ve )?(?:switch|mov|migrat)(?:e|ed|ing)? from ${thing} to ${thing}(?: for (?:the |our )?${thing})?$`,
      'i',
    ),
    ...{ value: 2, replaces: 1, purpose: 3 },
  },
];
const choice = new RegExp(`${lead}${we}(?:have |'ve )?${pick} ${thing} (?:for|as) (?:the |our |a |an )?${thing}$`, 'i');
const naming = new RegExp(`${lead}(?:the|our) ${thing} (?:is|will be) (?:now )?${thing}$`, 'i');
const decided =
  /^(?:(?:ok(?:ay)?|so|right),? )?(?:we|i)(?:'ve| have)? (?:decided|agreed|settled) (?:to|on|that) (.+)$|^decision: ?(.+)$/i;
const rule = /^(?:please )?(?:(?:always|never|from now on,?|do not ever|don't ever) .+)$/i;
const change =
  /\b(?:instead|rather than|now|no longer|from now on|actually|switch\w*|mov(?:e|ed|ing) to|migrat\w+|replac\w+|not)\b/i;
/** Such sentences decide nothing. */
const open =
  /^(?:if|when|should|could|can|would|what|why|how|maybe|perhaps|i wonder|do we|did we|is|are|suppose|let me know)\b|\?$/i;
/** Such words name nothing that could be decided on. */
const vague =
  /^(?:a|an|this|that|these|those|it|them|him|her|what|which|some|any|my|your|its?|something|anything|now|here|there|everything)\b/i;

/** Finds decisions in what a user said. Rules read it, without a model: what they do not recognize is still in the text. */
export function findDecisions(text: string): Decision[] {
  const found: Decision[] = [];
  for (const sentence of sentencesOf(text)) {
    if (open.test(sentence)) continue;
    const decision = readCorrection(sentence) ?? readChoice(sentence) ?? readStatement(sentence);
    if (decision !== undefined) found.push(decision);
    if (found.length >= mostDecisions) break;
  }
  return found;
}

function sentencesOf(text: string): string[] {
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/[‘’]/g, "'")
    .split(/\n+|(?<=[.!?;])\s+/, mostSentences)
    .filter((line) => line.length <= longestSentence && !/^\s*>/.test(line))
    .map((line) =>
      line
        .replace(/^[\s*#-]+/, '')
        .replace(/[`"*_]/g, '')
        .replace(/[\s.!;:,]+$/, '')
        .replace(/\s+/g, ' '),
    )
    .filter((line) => line !== '');
}

function readCorrection(sentence: string): Decision | undefined {
  for (const { form, value, replaces, purpose } of corrections) {
    const match = form.exec(sentence);
    const [said, before] = [match?.[value], match?.[replaces]];
    if (said === undefined || before === undefined || vague.test(said) || vague.test(before)) continue;
    const about = purpose === undefined ? undefined : match?.[purpose];
    return { attribute: about?.toLowerCase(), value: said, replaces: before, isChange: true };
  }
  return undefined;
}

function readChoice(sentence: string): Decision | undefined {
  const isChange = change.test(sentence);
  const chosen = choice.exec(sentence);
  if (chosen?.[1] !== undefined && chosen[2] !== undefined && !vague.test(chosen[1]) && !vague.test(chosen[2])) {
    return {
      attribute: chosen[2].toLowerCase().replace(/ (?:now|instead|from now on)$/, ''),
      value: chosen[1],
      isChange,
    };
  }
  const named = naming.exec(sentence);
  // "The build is broken" names nothing.
  if (named?.[1] === undefined || named[2] === undefined || !/[A-Z0-9@./+#]/.test(named[2])) return undefined;
  return vague.test(named[2]) ? undefined : { attribute: named[1].toLowerCase(), value: named[2], isChange };
}

function readStatement(sentence: string): Decision | undefined {
  const match = decided.exec(sentence);
  const said = match?.[1] ?? match?.[2];
  if (said !== undefined) return { attribute: 'decision', value: said, isChange: false };
  return rule.test(sentence) ? { attribute: 'rule', value: sentence, isChange: false } : undefined;
}
