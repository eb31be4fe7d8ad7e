import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Written instructions for a kind of work. The model sees the name and, once the skill is activated, the full text. */
export interface Skill {
  name: string;
  description: string;
  text: string;
}

const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/;

/** Reads `<name>/SKILL.md` of every folder in a directory, sorted by name. Returns none if the directory is missing. */
export async function loadSkills(directory: string): Promise<Skill[]> {
  const names = await ifThere(readdir(directory), []);
  const skills = await Promise.all(
    names.sort().map(async (name) => {
      const file = await ifThere(readFile(join(directory, name, 'SKILL.md'), 'utf8'), undefined);
      return file === undefined ? [] : [parseSkill(name, file)];
    }),
  );
  return skills.flat();
}

/** The file may start with `name` and `description` between lines of three hyphens. */
function parseSkill(folder: string, file: string): Skill {
  const head = frontMatter.exec(file)?.[1] ?? '';
  const text = file.replace(frontMatter, '').trim();
  const members = new Map(
    head.split(/\r?\n/).map((line) => {
      const [name = '', ...rest] = line.split(':');
      return [
        name.trim(),
        rest
          .join(':')
          .trim()
          .replace(/^(["'])(.*)\1$/, '$2'),
      ] as const;
    }),
  );
  return { name: members.get('name') || folder, description: members.get('description') ?? '', text };
}

async function ifThere<T, D>(reading: Promise<T>, otherwise: D): Promise<T | D> {
  try {
    return await reading;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return otherwise;
    throw error;
  }
}
