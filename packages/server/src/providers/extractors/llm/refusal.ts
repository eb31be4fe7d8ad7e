/**
 * Why a proposal of the model is dropped.
 *
 * - `limit`: blank, too long, too many, or a confidence outside 0 … 1.
 * - `evidence`: it cites a message that does not exist, or none of the user's.
 * - `words`: the cited messages do not say it.
 * - `steering`: it cites a message that tries to manipulate its reader.
 * - `secret`: it contains something that gives access.
 * - `privilege`: it would give the user more rights than they have.
 * - `unmeant`: a question, a supposition, part of a game, someone else's words, or withdrawn.
 * - `kind`: it is marked as explicitly requested, but was not.
 * - `time`: a passing state whose end cannot be determined.
 * - `supersedes`: the fact it claims to correct is neither known nor was stated earlier. Only the claim is dropped.
 * - `attribute`: the attribute whose value it claims to state is not known, or the text does not state it. Only the claim is dropped.
 */
export type Refusal =
  | 'limit'
  | 'evidence'
  | 'words'
  | 'steering'
  | 'secret'
  | 'privilege'
  | 'unmeant'
  | 'kind'
  | 'time'
  | 'supersedes'
  | 'attribute';

/** Called for everything that is dropped. */
export type OnRefused = (reason: Refusal, count: number) => void;
