import type { ConversationMessage, KnownFact } from '../../../ports/extractor.js';
import type { Candidate } from './candidate.js';
import { readConfirmation } from './confirmation.js';
import { applyCorrection, readCorrection } from './correction.js';
import type { Spot } from './digest.js';
import { readKnownFact } from './known-fact.js';
import type { Language } from './languages/language.js';
import { asksToRemember, type ClauseReading, matchClause } from './match-clause.js';
import { isUnmeant, readPlayTurn, withdraws } from './refusals.js';
import { weighWords } from './score.js';
import type { Clause } from './split-clauses.js';
import type { UserTurn } from './user-turn.js';

/** More facts than anyone states in one conversation; bounds the comparison of facts with each other. */
const mostStanding = 200;

/** Reads a conversation turn by turn and collects statements that were not withdrawn. Add messages in order. */
export class Candidates {
  /** Statements that were not withdrawn, in order. */
  readonly standing: Candidate[] = [];
  /** Positions of withdrawn statements. */
  readonly withdrawn: Spot[] = [];
  /** Withdrawn in the current turn: the statement that follows corrects them. */
  #justWithdrawn: Candidate[] = [];
  /** The previous clause only said "actually" or "sorry". */
  #announced = false;
  /** Searching for the corrected fact goes through all facts, so the number of searches is limited. */
  #correctionsLeft = 100;
  readonly #known: Candidate[];
  #playing = false;
  #previousTurn = -1;
  #lastAssistant: { content: string; message: number } | undefined;

  constructor(known: readonly KnownFact[]) {
    this.#known = known.flatMap((fact) => readKnownFact(fact) ?? []);
  }

  get said(): Spot[] {
    return this.standing.flatMap(({ messages, sentence }) => messages.map((message) => ({ message, sentence })));
  }

  addAssistant({ content }: ConversationMessage, message: number): void {
    this.#lastAssistant = { content, message };
  }

  addUser(turn: UserTurn): void {
    const play = readPlayTurn(turn.own);
    if (play !== 'goes on') this.#playing = play === 'begins';
    if (!this.#playing && !turn.injects) this.#read(turn);
    this.#lastAssistant = undefined;
    this.#previousTurn = turn.message;
  }

  #read(turn: UserTurn): void {
    this.#justWithdrawn = [];
    this.#announced = false;
    const confirmed = this.#lastAssistant && readConfirmation(turn, this.#lastAssistant);
    if (confirmed !== undefined) this.#keep(confirmed);
    for (const clauses of bySentence(turn.clauses)) this.#readSentence(turn, clauses);
  }

  #readSentence(turn: UserTurn, clauses: Clause[]): void {
    const [first] = clauses;
    const last = clauses.at(-1);
    if (first === undefined || last === undefined) return;
    const sentence = turn.own.slice(first.start, last.start + last.text.length);
    if (withdraws(sentence)) this.#withdraw(turn.message);
    if (isUnmeant(sentence)) return;
    const { lowerCaseWriter, message } = turn;
    let before: ClauseReading | undefined;
    for (const [index, clause] of clauses.entries()) {
      const request =
        before?.point === '' || clause.language.clauses.adding.test(clause.joint) ? before?.request : undefined;
      const reading = matchClause(clause.text, {
        language: clause.language,
        before: turn.own.slice(first.start, clause.start),
        lowerCaseWriter,
        message,
        sentence: first.start,
        request: request ?? 'none',
      });
      reading.corrects ||= this.#announced;
      this.#announced = reading.point === '' && reading.corrects;
      before = reading;
      if (clause.asks && !asksToRemember(reading, sentence, clause.language)) continue;
      const candidate = reading.candidate ?? this.#correct(reading, clause.language, message);
      if (candidate === undefined) continue;
      candidate.corrects ||= reading.corrects;
      candidate.weights.push(...weighWords(candidate.text));
      this.#keep(withCondition(candidate, clauses[index - 1]));
    }
  }

  #correct(reading: ClauseReading, language: Language, message: number): Candidate | undefined {
    const correction = readCorrection(reading, language);
    if (correction === undefined || this.#correctionsLeft === 0) return undefined;
    this.#correctionsLeft -= 1;
    return applyCorrection(correction, [...this.#known, ...this.standing], message, this.#previousTurn);
  }

  #keep(candidate: Candidate): void {
    const [withdrawn] = this.#justWithdrawn.filter(({ kind }) => kind === candidate.kind);
    if (withdrawn !== undefined && candidate.supersedes === undefined) {
      candidate.supersedes = withdrawn.text;
      this.#justWithdrawn = this.#justWithdrawn.filter((other) => other !== withdrawn);
    }
    if (this.standing.length < mostStanding) this.standing.push(candidate);
  }

  /** Withdraws the last sentence of this turn that stated something, else everything stated in the previous turn. */
  #withdraw(message: number): void {
    const last = this.standing.at(-1);
    if (last === undefined) return;
    const here = last.messages.includes(message);
    const gone = this.standing.filter(({ messages, sentence }) =>
      here ? messages.includes(message) && sentence === last.sentence : messages.includes(this.#previousTurn),
    );
    this.#justWithdrawn.push(...gone);
    this.withdrawn.push(...gone.map(({ sentence, messages }) => ({ sentence, message: messages.at(-1) ?? 0 })));
    for (const candidate of gone) this.standing.splice(this.standing.indexOf(candidate), 1);
  }
}

/** "When I travel, I prefer …" holds only when travelling. */
function withCondition(candidate: Candidate, before: Clause | undefined): Candidate {
  if (before === undefined || !before.language.clauses.condition.test(before.text)) return candidate;
  return { ...candidate, text: `${before.text}, ${candidate.text}` };
}

function bySentence(clauses: Clause[]): Clause[][] {
  const sentences: Clause[][] = [];
  for (const clause of clauses) {
    const last = sentences.at(-1);
    if (last?.[0]?.sentence === clause.sentence) last.push(clause);
    else sentences.push([clause]);
  }
  return sentences;
}
