import type { ConversationMessage, KnownFact } from '../../../ports/extractor.js';
import type { Candidate } from './candidate.js';
import { readConfirmation } from './confirmation.js';
import { correctedBy, toCandidate } from './correction.js';
import type { Spot } from './digest.js';
import { matchClause } from './match-clause.js';
import { isUnmeant, readPlayTurn, withdraws } from './refusals.js';
import { weighWords } from './score.js';
import type { Clause } from './split-clauses.js';
import type { UserTurn } from './user-turn.js';

/** Nobody says more than this of themself in one conversation; it bounds the comparing of facts with each other. */
const mostStanding = 200;

/** Reads a conversation turn by turn and keeps what was said and not taken back. Feed messages in their order. */
export class Candidates {
  /** Said and standing, in order. */
  readonly standing: Candidate[] = [];
  /** Where something was said that was taken back. */
  readonly withdrawn: Spot[] = [];
  /** Taken back in the turn in hand: what is said instead corrects it. */
  #justWithdrawn: Candidate[] = [];
  /** A clause that only said "actually" or "sorry" came just before. */
  #announced = false;
  readonly #known: Candidate[];
  #playing = false;
  #previousTurn = -1;
  #lastAssistant: { content: string; message: number } | undefined;

  constructor(known: readonly KnownFact[]) {
    this.#known = known.flatMap((fact) => toCandidate(fact) ?? []);
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
    let request: 'none' | 'mention' | 'remember' = 'none';
    let onlyLed = false;
    for (const [index, clause] of clauses.entries()) {
      const { candidate, ...reading } = matchClause(clause.text, {
        lowerCaseWriter: turn.lowerCaseWriter,
        message: turn.message,
        sentence: first.start,
        request: onlyLed || /^,? ?and$/.test(clause.joint) ? request : 'none',
      });
      request = reading.request;
      onlyLed = reading.point === '';
      if (this.#announced) reading.corrects = true;
      if (this.#announced && candidate !== undefined) candidate.corrects = true;
      this.#announced = reading.point === '' && reading.corrects;
      if (clause.asks && reading.request !== 'remember') continue;
      const edited =
        candidate ?? correctedBy(reading, [...this.#known, ...this.standing], turn.message, this.#previousTurn);
      if (edited === undefined) continue;
      edited.weights.push(...weighWords(edited.text, sentence));
      this.#keep(withCondition(edited, clauses[index - 1]));
    }
  }

  #keep(candidate: Candidate): void {
    const [withdrawn] = this.#justWithdrawn.filter(({ kind }) => kind === candidate.kind);
    if (withdrawn !== undefined && candidate.supersedes === undefined) {
      candidate.supersedes = withdrawn.text;
      this.#justWithdrawn = this.#justWithdrawn.filter((other) => other !== withdrawn);
    }
    if (this.standing.length < mostStanding) this.standing.push(candidate);
  }

  /** Takes back the last sentence of this turn that said something, else all that the turn before said. */
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

/** "When I travel, I prefer …" holds when travelling only. */
function withCondition(candidate: Candidate, before: Clause | undefined): Candidate {
  if (before === undefined || !/^(?:when|whenever|while|at|during|for|on|in) /iu.test(before.text)) return candidate;
  return /^when/iu.test(before.text) ? { ...candidate, text: `${before.text}, ${candidate.text}` } : candidate;
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
