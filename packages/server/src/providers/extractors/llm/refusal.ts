/**
 * Why something that the model proposed is left out.
 *
 * - `limit`: blank, too long, too many, or a confidence outside 0 … 1.
 * - `evidence`: it cites a message that there is not, or none of the user's.
 * - `words`: the messages it cites do not say it.
 * - `steering`: it cites a message that tries to steer its reader.
 * - `secret`: it holds something that gives access.
 * - `privilege`: it would give the user more rights than they have.
 * - `unmeant`: asked, supposed, played, somebody else's, or taken back.
 * - `kind`: called asked for without having been asked for.
 * - `time`: a passing state whose end cannot be told.
 * - `supersedes`: what it claims to correct is neither known nor was it said before. Only the claim is left out.
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
  | 'supersedes';

/** Told of everything that is left out. */
export type OnRefused = (reason: Refusal, count: number) => void;
