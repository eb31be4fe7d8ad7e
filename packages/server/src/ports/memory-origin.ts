/** The ways by which memories get in, as stored. A stored name never changes. */
export const surfaceNames = [
  'api',
  'library',
  'cli',
  'memory_service',
  'gateway',
  'documents',
  'plugin',
  'mcp',
  'provider',
  'files',
  'import',
] as const;
export type SurfaceName = (typeof surfaceNames)[number];

/** How far a memory can be believed, as stored: the first two are equal, each of the others is lower than those before it. */
export const trustLevels = ['user', 'operator', 'agent', 'tool', 'external'] as const;
export type Trust = (typeof trustLevels)[number];

/** Where the present text of a memory comes from. */
export interface MemoryOrigin {
  /** The surface through which it was written. */
  surface: SurfaceName;
  /** Id of the user who wrote it, else of the service; '' if nobody is known. Not always the owner of the memory. */
  author: string;
  trust: Trust;
}
