import { tool } from 'ai';
import { z } from 'zod';
import type { Skill } from '../agent/skills.js';

/** Creates the tool with which the model reads the full text of a skill. */
export function createUseSkillTool(skills: readonly Skill[]) {
  return tool({
    description: 'Shows the full text of a skill so that you can follow it.',
    inputSchema: z.object({ name: z.string() }),
    execute({ name }) {
      const skill = skills.find((known) => known.name === name);
      return skill === undefined ? { refused: 'There is no skill with that name.' } : { text: skill.text };
    },
  });
}
