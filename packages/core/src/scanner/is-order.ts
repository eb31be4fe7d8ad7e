import { sentenceDistance, type Tokens } from './tokenise.js';
import { toWordSet } from './word-set.js';

const wordsBack = 8;

const readers =
  toWordSet(`assistant assistants ai ais agent agents model models llm llms bot bots chatbot chatbots chatgpt
  claude gemini gpt copilot ki ia ии`);
const you = toWordSet("you your yourself you're you'll du dein deine dir sie tú tu tus vous votre ты вы 你");
const modals = toWordSet('must should shall will can may could would need');
const strongModals = toWordSet('must should shall will need');
/** After these words an order starts, regardless of the text before them. */
const openers =
  toWordSet(`please kindly let's bitte 请 請 por favor veuillez plaît plait prego пожалуйста رجاء أرجو אנא कृपया
  lütfen 請 并 並 必 须 須 应 應 该 要 就 始 再`);
/** Both an order and a statement can continue after these words. */
const adverbs = toWordSet(`also just simply immediately completely totally entirely fully always still even ever later
  eventually merely actually really only again`);
const connectors =
  toWordSet(`and then or so now instead therefore first hereby henceforth next on onwards forward here do moment momento
  ok okay und dann jetzt nun sofort einfach ahora y luego entonces maintenant et puis alors adesso ora e poi agora então
  depois и теперь затем просто nu en dan teraz i şimdi ve الآن و ثم עכשיו ואז अब और`);
/** These words turn the following text into a statement about someone else, even a few words later. */
const statements =
  toWordSet(`may might could would can cannot can't often sometimes usually frequently attackers attacker
  they he she we who which models llms users people not never don't doesn't won't if when whether because how why`);
/** These words still turn the text into a statement if a comma follows them. */
const hedges = toWordSet(
  'may might could would often sometimes usually frequently attackers attacker models llms users',
);
/** Words that can be the subject of a statement when they are directly before the verb. */
const subjects = toWordSet(`it i him her them us staff children everyone everybody anyone nobody somebody someone`);
const negations = toWordSet("not never don't doesn't didn't won't cannot can't without");
const conditions = toWordSet('if when whenever once unless because how why until whether not never');
const purposes = toWordSet('task goal job mission important remember sure required ordered instructed');

/**
 * Returns whether the verb at `index` orders the reader to do something, judged by the text before it.
 * @param unknownLeads whether an order can follow a word that is in none of the lists. In English it can, because the
 *   verb has a different form in "the model ignores"; in many languages it has the same form.
 */
export function isOrder(tokens: Tokens, index: number, unknownLeads: boolean): boolean {
  if (tokens.text.charAt(tokens.ends[index] ?? 0) === '(') return false;
  if (index === 0 || tokens.hidden[index] || startsSentence(tokens, index)) return true;
  const gap = tokens.text.slice(tokens.ends[index - 1], tokens.starts[index]);
  const sign = gap.trim();
  const before = tokens.words[index - 1] ?? '';
  if (sign === '') {
    // A line that starts with a verb starts with an order, unless the sentence of the previous line continues here.
    const goesOn = !gap.includes('\n') || isKnown(before);
    return !goesOn || isOrderAfter(tokens, index, before, unknownLeads);
  }
  if (sign === ',') return !lookBack(tokens, index, hedges) || lookBack(tokens, index, you);
  const isCompound = sign === gap && /^[-_./\\]$/.test(sign);
  return !isCompound;
}

/** Returns whether the word can be the subject of a statement: a listed word or a plural noun. */
function isSubject(word: string): boolean {
  return statements.has(word) || subjects.has(word) || (word.length > 3 && word.endsWith('s') && !word.endsWith('ss'));
}

function startsSentence({ positions }: Tokens, index: number): boolean {
  return (positions[index] ?? 0) - (positions[index - 1] ?? 0) > sentenceDistance;
}

function isKnown(word: string): boolean {
  return (
    [readers, you, modals, connectors, adverbs, statements, subjects].some((set) => set.has(word)) || word === 'to'
  );
}

function isOrderAfter(tokens: Tokens, index: number, before: string, unknownLeads: boolean): boolean {
  if (openers.has(before)) return true;
  if (you.has(before)) return !conditions.has(tokens.words[index - 2] ?? '');
  if (modals.has(before)) return isOrderAfterModal(tokens, index - 1, before);
  if (before === 'to') {
    return !lookBack(tokens, index, conditions) && (lookBack(tokens, index, you) || lookBack(tokens, index, purposes));
  }
  if (readers.has(before)) return startsClause(tokens, index - 1);
  if (adverbs.has(before) && isSubject(tokens.words[index - 2] ?? '')) return false;
  if (connectors.has(before) || adverbs.has(before))
    return lookBack(tokens, index, you) || !lookBack(tokens, index, statements);
  return unknownLeads && !isSubject(before) && !lookBack(tokens, index, negations, 3);
}

function isOrderAfterModal(tokens: Tokens, index: number, modal: string): boolean {
  const subject = tokens.words[index - 1] ?? '';
  if (you.has(subject)) {
    return strongModals.has(modal) ? !conditions.has(tokens.words[index - 2] ?? '') : startsClause(tokens, index - 1);
  }
  if (startsClause(tokens, index)) return true;
  return readers.has(subject) && strongModals.has(modal) && modal !== 'will';
}

function startsClause(tokens: Tokens, index: number): boolean {
  return index === 0 || /[^\s'-]/.test(tokens.text.slice(tokens.ends[index - 1], tokens.starts[index]));
}

/** Returns whether one of the words occurs shortly before `index` in the same sentence. */
function lookBack(tokens: Tokens, index: number, words: ReadonlySet<string>, reach = wordsBack): boolean {
  const position = tokens.positions[index] ?? 0;
  for (let at = index - 1; at >= 0 && position - (tokens.positions[at] ?? 0) <= reach; at--) {
    if (words.has(tokens.words[at] ?? '')) return true;
  }
  return false;
}
