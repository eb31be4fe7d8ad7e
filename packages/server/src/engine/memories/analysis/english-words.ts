/** Without their apostrophes these are other words. */
const apostropheMatters = new Set(["i'll", "he'll", "we'll", "she'll", "we'd", "she'd"]);

/** Words that say nothing about what a text is about. Contractions count with and without their apostrophe. */
export const englishStopWords: ReadonlySet<string> = new Set(
  `
  a about above after again against all am an and any are aren't as at be because been before being below between
  both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each few for from
  further had hadn't has hasn't have haven't having he he'd he'll he's her here here's hers herself him himself his
  how how's i i'd i'll i'm i've if in into is isn't it it's its itself let's me more most mustn't my myself no nor
  not of off on once only or other ought our ours ourselves out over own same shan't she she'd she'll she's should
  shouldn't so some such than that that's the their theirs them themselves then there there's these they they'd
  they'll they're they've this those through to too under until up very was wasn't we we'd we'll we're we've were
  weren't what what's when when's where where's which while who who's whom why why's will with won't would wouldn't
  you you'd you'll you're you've your yours yourself yourselves s t d ll re ve m
`
    .trim()
    .split(/\s+/)
    .flatMap(withoutApostrophe),
);

function withoutApostrophe(word: string): string[] {
  return apostropheMatters.has(word) ? [word] : [word, word.replaceAll("'", '')];
}

/** Base form, then the forms that no rule leads back to it. */
const irregularForms = `
  arise arose arisen, awake awoke awoken, bear bore borne, beat beaten, become became, begin began begun,
  bend bent, bind bound, bite bit bitten, bleed bled, blow blew blown, break broke broken, breed bred,
  bring brought, build built, burn burnt, buy bought, catch caught, choose chose chosen, cling clung, come came,
  creep crept, deal dealt, dig dug, dive dove, do did done does, draw drew drawn, dream dreamt, drink drank drunk,
  drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found, flee fled,
  fly flew flown flies, forbid forbade forbidden, forget forgot forgotten, forgive forgave forgiven,
  freeze froze frozen, get got gotten, give gave given, go went gone goes, grow grew grown, hang hung, hear heard,
  hide hid hidden, hold held, keep kept, kneel knelt, know knew known, lay laid, lead led, lean leant, leap leapt,
  learn learnt, leave left, lend lent, lie lain, light lit, lose lost, make made, mean meant, meet met,
  mistake mistook mistaken, overcome overcame, pay paid, prove proven, ride rode ridden, ring rang rung,
  rise rose risen, run ran, say said, see saw seen, seek sought, sell sold, send sent, sew sewn,
  shake shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk,
  sit sat, sleep slept, slide slid, speak spoke spoken, speed sped, spend spent, spin spun, spring sprang sprung,
  stand stood, steal stole stolen, stick stuck, sting stung, strike struck stricken, strive strove striven,
  swear swore sworn, sweep swept, swim swam swum, swing swung, take took taken, teach taught, tear tore torn,
  tell told, think thought, throw threw thrown, understand understood, undertake undertook undertaken,
  wake woke woken, wear wore worn, weave wove woven, weep wept, win won, wind wound, withdraw withdrew withdrawn,
  write wrote written, child children, man men, woman women, person people, foot feet, tooth teeth, mouse mice,
  goose geese, wife wives, knife knives, half halves, leaf leaves, shelf shelves, loaf loaves,
  wolf wolves, thief thieves
`;

/** Inflected form → base form. */
export const englishIrregulars: ReadonlyMap<string, string> = new Map(
  irregularForms.split(',').flatMap((group) => {
    const [base = '', ...forms] = group.trim().split(' ');
    return forms.map((form): [string, string] => [form, base]);
  }),
);
