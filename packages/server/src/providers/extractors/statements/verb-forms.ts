/** present: also the plain form. */
export type VerbForm = 'present' | 'past' | 'participle' | 'gerund';

export interface Verb {
  lemma: string;
  forms: ReadonlySet<VerbForm>;
}

/** Plain form, past, participle; the rest is regular. */
const irregular = `
  be was been, become became become, begin began begun, break broke broken, buy bought bought, build built built,
  choose chose chosen, come came come, do did done, draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten,
  fall fell fallen, feel felt felt, find found found, get got got, get got gotten, give gave given, go went gone, grow grew grown,
  have had had, hear heard heard, hold held held, keep kept kept, know knew known, lead led led, leave left left, lose lost lost,
  make made made, mean meant meant, meet met met, pay paid paid, put put put, quit quit quit, read read read, ride rode ridden,
  run ran run, say said said, see saw seen, sell sold sold, send sent sent, set set set, sing sang sung, sit sat sat,
  sleep slept slept, speak spoke spoken, spend spent spent, split split split, stand stood stood, swim swam swum, take took taken,
  teach taught taught, tell told told, think thought thought, understand understood understood, wear wore worn, win won won,
  write wrote written
`;

const byLemma = new Map<string, { past: string[]; participle: string[] }>();
for (const line of irregular.split(',')) {
  const [lemma = '', past = '', participle = ''] = line.trim().split(/\s+/);
  const known = byLemma.get(lemma) ?? { past: [], participle: [] };
  byLemma.set(lemma, { past: [...known.past, past], participle: [...known.participle, participle] });
}
const lemmaByPast = new Map([...byLemma].flatMap(([lemma, { past }]) => past.map((form) => [form, lemma] as const)));

const beForms: Readonly<Record<string, VerbForm>> = {
  am: 'present',
  is: 'present',
  are: 'present',
  "'s": 'present',
  was: 'past',
  were: 'past',
  be: 'present',
  been: 'participle',
  being: 'gerund',
};

/** Returns all forms of a verb, and a few that do not exist: whether its last letter is doubled depends on how it is stressed. */
export function formsOf(lemma: string): [string, VerbForm][] {
  if (lemma === 'be') return Object.entries(beForms);
  const known = byLemma.get(lemma);
  const soft = /[^aeiou]y$/.test(lemma) ? `${lemma.slice(0, -1)}i` : undefined;
  const stems = lemma.endsWith('e') ? [lemma.slice(0, -1)] : [lemma];
  if (/[^aeiou][aeiou][^aeiouwxy]$/.test(lemma) || lemma === 'quit') stems.push(lemma + lemma.slice(-1));
  const regular = soft === undefined ? stems.map((stem) => `${stem}ed`) : [`${soft}ed`];
  const inForm = (words: readonly string[], form: VerbForm) => words.map((word): [string, VerbForm] => [word, form]);
  return [
    ...inForm([lemma, thirdOf(lemma, soft)], 'present'),
    ...inForm(lemma.endsWith('ee') ? [`${lemma}ing`] : stems.map((stem) => `${stem}ing`), 'gerund'),
    ...inForm(known?.past ?? regular, 'past'),
    ...inForm(known?.participle ?? regular, 'participle'),
  ];
}

function thirdOf(lemma: string, soft: string | undefined): string {
  if (lemma === 'have') return 'has';
  if (soft !== undefined) return `${soft}es`;
  return /(?:s|x|z|ch|sh|o)$/.test(lemma) ? `${lemma}es` : `${lemma}s`;
}

/** Returns what may be the plain form of the verb that a pattern is written with, and whether it is in the past tense. */
export function readPatternVerb(word: string): { lemmas: string[]; isPast: boolean } {
  const be = Object.hasOwn(beForms, word) ? beForms[word] : undefined;
  if (be !== undefined) return { lemmas: ['be'], isPast: be === 'past' };
  const past = lemmaByPast.get(word);
  if (past !== undefined && past !== word) return { lemmas: [past], isPast: true };
  if (/[^aeiou]ied$/.test(word)) return { lemmas: [`${word.slice(0, -3)}y`], isPast: true };
  if (word.endsWith('ed') && word.length > 4) return { lemmas: [word.slice(0, -1), word.slice(0, -2)], isPast: true };
  if (word === 'has') return { lemmas: ['have'], isPast: false };
  if (word.endsWith('ies')) return { lemmas: [`${word.slice(0, -3)}y`], isPast: false };
  if (/(?:ss|x|z|ch|sh|o)es$/.test(word)) return { lemmas: [word.slice(0, -2)], isPast: false };
  return { lemmas: [word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word], isPast: false };
}
