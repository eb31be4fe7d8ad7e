import type { ModelMessage } from 'ai';
import type { RecalledMemory } from '../memory/memory-backend.js';
import { toNotePart } from '../memory/note-part.js';
import { toRecallMessage } from '../memory/recall-message.js';
import type { Skill } from './skills.js';

interface ContextParts {
  instructions: string;
  /** All skills. The model sees their names and descriptions. */
  skills: readonly Skill[];
  /** The activated skills. The model sees their full text. */
  activated: readonly Skill[];
  recalled: RecalledMemory;
  history: readonly ModelMessage[];
  prompt: string;
}

export interface Context {
  system: string;
  messages: ModelMessage[];
}

/**
 * Builds the model's input, ordered from most to least stable: system prompt, activated skills, recalled memories,
 * history, prompt. The references are never part of the system prompt.
 */
export function buildContext({ instructions, skills, activated, recalled, history, prompt }: ContextParts): Context {
  const reference = toRecallMessage(recalled.references);
  return {
    system: [instructions, ...recalled.rules, ...listSkills(skills), ...showNotes(recalled)].join('\n\n'),
    messages: [
      ...activated.map(toActivation),
      ...(reference === undefined ? [] : [toUserMessage(reference)]),
      ...history,
      toUserMessage(prompt),
    ],
  };
}

function listSkills(skills: readonly Skill[]): string[] {
  if (skills.length === 0) return [];
  const lines = skills.map(({ name, description }) => `- ${name}: ${description}`);
  return [['Skills that `use_skill` shows in full:', ...lines].join('\n')];
}

/** Returns the parts of the system prompt that show what the agent noted: texts of its provider, then curated memory. */
export function showNotes({ notes = [], snapshot }: Pick<RecalledMemory, 'notes' | 'snapshot'>): string[] {
  const parts = [
    ['What you noted (MEMORY.md)', snapshot?.memory ?? ''],
    ['About the user (USER.md)', snapshot?.user ?? ''],
  ] as const;
  return [
    ...notes.map(toNotePart),
    ...parts.flatMap(([title, text]) => (text === '' ? [] : [`# ${title}\n\n${text}`])),
  ];
}

function toActivation({ name, text }: Skill): ModelMessage {
  return toUserMessage(`The skill "${name}" is activated. Follow it:\n\n${text}`);
}

function toUserMessage(content: string): ModelMessage {
  return { role: 'user', content };
}
