import { phrases, toPattern } from './phrases.js';

/**
 * Masked text keeps its length, so that positions in it are positions in the message. A line break also ends a
 * sentence.
 */
const masked = '\n';

/** A quotation of at least this many words is someone's text and not a name or a term. */
const quotedWords = 4;
const longestQuote = 2000;

const task = phrases(`
  translate, translating, proof-?read, summari[sz]e, rewrite, rephrase, paraphrase, edit, polish, review, improve, shorten,
  convert, classify, analy[sz]e, fix, correct, check, reformat, grade, critique, reply to, respond to, answer, explain,
  read, look at, write, draft, what does this, what do these, below, following, here's (?:the|an?|his|her|their|what|some),
  here (?:is|are) (?:the|an?|his|her|their|what|some),
  übersetze?, übersetzen sie, korrigiere?, korrigieren sie, fasse? zusammen, formuliere, schreibe?, schreiben sie,
  verbessere?, kürze?, überprüfe?, lies, erkläre?, folgende[rsnm]?, hier (?:ist|sind) (?:der|die|das|ein|eine|sein|ihr),
  traduis, traduisez, corrige, corrigez, résume, résumez, reformule, reformulez, écris, écrivez, rédige, rédigez, améliore,
  relis, lis, explique, suivante?s?, voici (?:le|la|les|un|une|son|sa),
  traduce, traduzca, corrija, resuma, reformula, escribe, escriba, redacta, redacte, mejora, mejore,
  revisa, revise, lee, explica, siguientes?, aquí (?:está|están) (?:el|la|los|las|un|una|su)
`);
const report = phrases(`
  said, says, wrote, writes, told me, told us, told him, told her, told them,
  the (?:email|text|message|letter|review|article|ticket|prompt|story) (?:is|says|reads|goes),
  sagt, sagte, schreibt, schrieb, meinte, antwortete, fragte, a dit, a écrit, a répondu, répond, a demandé,
  dice, dijo, escribió, respondió, contestó, preguntó
`);
/** The text after the colon was written by, for or about someone else. */
const introducesMaterial = toPattern(`\\b(?:${task}|${report})\\b[^.!?:\\n]{0,100}[:：](?!//)`);
/** A request to work on a text, followed by a line break: the text comes next. */
const asksForTextWork = toPattern(
  /\b(?:translate|proof-?read|summari[sz]e|rewrite|rephrase|paraphrase|edit|polish|review|reply to|respond to|improve|(?:this|following|an?|my|the) (?:email|e-mail|letter|message|article|review|essay|cover letter|application|bio|ticket|contract|post)|(?:übersetze?|korrigiere?|formuliere|verbessere?|fasse?) [^\n]{0,40}(?:text|brief|nachricht|mail|artikel|satz|absatz)|(?:traduis|corrige|reformule|résume|améliore|relis) [^\n]{0,40}(?:texte|lettre|message|mail|courriel|article|phrase|paragraphe)|(?:traduce|corrige|reformula|resume|mejora|revisa) [^\n]{0,40}(?:texto|carta|mensaje|correo|artículo|frase|párrafo))\b/iu,
);
const letterOpening = toPattern(
  /^\s*(?:(?:dear|liebe[rs]?|sehr geehrte[rs]?|chère?s?|cher monsieur|querid[oa]s?|estimad[oa]s?)\b[^\n]{0,60}|to whom it may concern|madame, monsieur)[,:]?\s*$/iu,
);
const speaker =
  /^\s*(?:\[[\d:. apm]+\]\s*)?(\p{Lu}[\p{L}\p{M}'’. -]{0,30}|user|assistant|customer|agent|system|bot|ai|human|q|a)\s?:\s/iu;
const ownLabel =
  /^\s*(?:(?:quick |big |final |small )?(?:note(?: to self)?|remember|reminder|decision|fyi|important|update|edit|p\.?s\.?|correction|preferences?|btw|typo|sorry|recap[^:]*|to (?:be clear|recap|sum up)))\s?:/iu;
const machineLine = toPattern(
  /^\s*(?:>|\||\$ |# ?\w|\/\/|\/\*|\* @|[{}[\]<]|at \S+ ?\(|File "|Traceback\b|(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[\w+\]|\w*(?:Error|Exception|Warning)\b\s?:|(?:const|let|var|function|def|class|import|return|SELECT|INSERT|UPDATE|DELETE)\s\S)/u,
);

/**
 * Blanks everything in a message that is not the user speaking: code, logs, quotations, pasted letters and transcripts,
 * and texts to be worked on. Linear in the length of the text.
 */
export function maskMaterial(text: string): string {
  let own = maskFences(text);
  own = maskFrom(own, startOfMaterial(own));
  own = maskLines(own);
  own = maskQuotes(own, '"', '"');
  own = maskQuotes(own, '„', '“');
  own = maskQuotes(own, '“', '”');
  own = maskQuotes(own, '«', '»');
  own = maskQuotes(own, '`', '`', 2);
  return maskSingleQuotes(own);
}

function blank(text: string, from: number, to: number): string {
  return text.slice(0, from) + masked.repeat(to - from) + text.slice(to);
}

function maskFrom(text: string, from: number): string {
  return blank(text, from, text.length);
}

/** An unclosed fence extends to the end. */
function maskFences(text: string): string {
  return text
    .split(/(```|~~~)/)
    .map((part, index) => (index % 4 === 0 ? part : masked.repeat(part.length)))
    .join('');
}

function startOfMaterial(text: string): number {
  let at = 0;
  for (const line of text.split('\n')) {
    const colon = introducesMaterial.exec(line);
    if (colon !== null && !ownLabel.test(line)) return at + colon.index + colon[0].length;
    const end = at + line.length;
    if (letterOpening.test(line)) return at;
    if (text.startsWith('\n', end) && end + 1 < text.length && asksForTextWork.test(line)) return end;
    at = end + 1;
  }
  return text.length;
}

function maskLines(text: string): string {
  const lines = text.split('\n');
  const transcript = lines.filter((line) => speaker.test(line) && !ownLabel.test(line)).length > 1;
  return lines
    .map((line) => {
      const foreign =
        machineLine.test(line) ||
        /^(?: {4}|\t)/.test(line) ||
        (transcript && speaker.test(line) && !ownLabel.test(line));
      return foreign ? masked.repeat(line.length) : maskTags(line);
    })
    .join('\n');
}

function maskTags(line: string): string {
  const from = line.search(/<\/?[a-z]/iu);
  return from === -1 ? line : blank(line, from, Math.max(line.lastIndexOf('>') + 1, from));
}

function maskQuotes(text: string, open: string, close: string, words = quotedWords): string {
  const parts: string[] = [];
  let at = 0;
  for (let from = text.indexOf(open); from !== -1; from = text.indexOf(open, at)) {
    const to = text.indexOf(close, from + 1);
    if (to === -1) break;
    const quote = text.slice(from, to + 1);
    const hidden = quote.length <= longestQuote && countWords(quote) >= words;
    parts.push(text.slice(at, from), hidden ? masked.repeat(quote.length) : quote);
    at = to + 1;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** Apostrophes inside words do not open or close a quotation. */
function maskSingleQuotes(text: string): string {
  return text.replace(
    /(?<=^|[\s(:])['‘](?=\p{L})(?:[^'‘’\n]|(?<=\p{L})['’](?=\p{L})){8,400}['’](?=$|[\s.,!?;)])/gu,
    (quote) => (countWords(quote) >= quotedWords ? masked.repeat(quote.length) : quote),
  );
}

function countWords(text: string): number {
  return text.split(/\s+/u, quotedWords + 1).length;
}
