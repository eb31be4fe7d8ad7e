import { projectDirectories, refreshPackages } from './project-directories.js';

/** Puts what was built into the directories of the frameworks. */
export function setup(): void {
  for (const directory of Object.values(projectDirectories)) refreshPackages(directory);
}
