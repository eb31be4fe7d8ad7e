import { tool } from 'ai';
import { z } from 'zod';
import type { Skill } from '../agent/skills.js';

/** Lets the model read a skill when it turns out to need it. */
export function createUseSkillTool(skills: readonly Skill[]) {
  return tool({
    description: 'Shows a skill in full, so that you can work by it.',
    inputSchema: z.object({ name: z.string() }),
    execute({ name }) {
      const skill = skills.find((known) => known.name === name);
      return skill === undefined ? { refused: `There is no skill of that name.` } : { text: skill.text };
    },
  });
}
