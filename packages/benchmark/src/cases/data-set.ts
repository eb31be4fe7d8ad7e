import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { NotMeasured } from './case.js';

export interface DataSet {
  name: string;
  conversations: readonly Conversation[];
}

export interface Conversation {
  id: string;
  evidenceOf: 'turn' | 'session';
  turns: readonly { id: string; session: string; text: string }[];
  questions: readonly AskedQuestion[];
}

export interface AskedQuestion {
  text: string;
  /** Ids of turns, or of sessions. */
  evidence: readonly string[];
  /** Only this many sessions had taken place. */
  sessionsBefore?: number;
}

/** Reads LoCoMo as its authors publish it, or the general form: `{"conversations": [{"id", "evidence_of", "turns", "questions"}]}`. */
export async function readDataSet(path: string): Promise<DataSet> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new NotMeasured(
      error.code === 'ENOENT'
        ? `There is no file ${path}. Name a data set with --data: locomo10.json of LoCoMo, or a file in the form that the README describes.`
        : `${path} cannot be read: ${error.code}`,
    );
  });
  const parsed: unknown = parseJson(path, text);
  const conversations = Array.isArray(parsed)
    ? parsed.map((one, index) => fromLocomo(one as LocomoConversation, index))
    : (parsed as { conversations?: GeneralConversation[] }).conversations?.map(fromGeneral);
  if (conversations === undefined || conversations.length === 0)
    throw new NotMeasured(`${path} is neither LoCoMo nor an object with "conversations".`);
  return { name: basename(path), conversations };
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotMeasured(`${path} is not JSON.`);
  }
}

interface GeneralConversation {
  id: string;
  evidence_of: 'turn' | 'session';
  turns: { id: string | number; session: string | number; text: string }[];
  questions: { text: string; evidence: (string | number)[]; sessions_before?: number }[];
}

function fromGeneral({ id, evidence_of, turns, questions }: GeneralConversation): Conversation {
  return {
    id: String(id),
    evidenceOf: evidence_of,
    turns: turns.map((turn) => ({ id: String(turn.id), session: String(turn.session), text: turn.text })),
    questions: questions.map(({ text, evidence, sessions_before }) => ({
      text,
      evidence: evidence.map(String),
      ...(sessions_before === undefined ? {} : { sessionsBefore: sessions_before }),
    })),
  };
}

interface LocomoTurn {
  dia_id: string;
  speaker: string;
  text: string;
  blip_caption?: string;
}

interface LocomoConversation {
  sample_id?: string;
  conversation: Record<string, LocomoTurn[] | string>;
  qa: { question: string; category: number; evidence?: string[] }[];
}

/** Leaves out adversarial questions (category 5), whose answer is not in the conversation, and evidence that names no turn. */
function fromLocomo({ sample_id, conversation, qa }: LocomoConversation, index: number): Conversation {
  const turns = Object.entries(conversation).flatMap(([session, value]) =>
    /^session_\d+$/.test(session) && Array.isArray(value)
      ? value.map(({ dia_id, speaker, text, blip_caption }) => ({
          id: dia_id,
          session: session.replace('session_', ''),
          text: `${speaker}: ${text}${blip_caption === undefined ? '' : ` [shares a photo: ${blip_caption}]`}`,
        }))
      : [],
  );
  const known = new Set(turns.map(({ id }) => id));
  const questions = qa
    .filter(({ category }) => category !== 5)
    .map(({ question, evidence = [] }) => ({ text: question, evidence: evidenceIds(evidence, known) }))
    .filter(({ evidence }) => evidence.length > 0);
  return { id: sample_id ?? String(index), evidenceOf: 'turn', turns, questions };
}

/** Some ids are written with leading zeros, or several in one string. */
function evidenceIds(evidence: readonly string[], known: ReadonlySet<string>): string[] {
  const ids = evidence.flatMap((text) =>
    [...text.matchAll(/D(\d+):(\d+)/g)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`),
  );
  return [...new Set(ids)].filter((id) => known.has(id));
}
