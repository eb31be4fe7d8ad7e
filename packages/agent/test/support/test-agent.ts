import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type LoadAgentOptions, loadAgent } from '../../src/agent/load-agent.js';
import type { SessionEvent } from '../../src/sessions/session-store.js';
import { type Scripted, ScriptedModel } from './scripted-model.js';

export interface TestAgentOptions extends Partial<Omit<LoadAgentOptions, 'model' | 'directory'>> {
  script?: readonly Scripted[];
  onCall?: () => void;
}

/** Creates an agent in a directory with a scripted model and access to the files it wrote. */
export async function openTestAgent(directory: string, options: TestAgentOptions = {}) {
  const { script = ['Noted.'], onCall, ...rest } = options;
  const scripted = new ScriptedModel(script, onCall);
  const settings = { maxRetries: 0 };
  const { loop, status } = await loadAgent({ directory, model: scripted.model, settings, ...rest });
  return { loop, status, model: scripted, events: (sessionId = 's1') => readEvents(directory, sessionId) };
}

export function readEvents(directory: string, sessionId: string): SessionEvent[] {
  const text = readFileSync(join(directory, '.beaver/sessions', `${sessionId}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

export function writeAgentFile(directory: string, name: string, content: string): void {
  const path = join(directory, '.beaver', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
