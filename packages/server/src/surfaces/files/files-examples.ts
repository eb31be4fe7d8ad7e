import type { RouteExample } from '../../http/route.js';

/** A call of each operation and its answer, as a server gave it. */
export const filesExamples: Readonly<Record<string, RouteExample>> = {
  'files.run': {
    body: {
      command: 'str_replace',
      path: '/memories/preferences.md',
      old_str: 'Takes tea without milk.',
      new_str: 'Takes tea with lemon.',
      agent_id: 'planner',
    },
    response: {
      content:
        'The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\t# Preferences\n     2\t\n     3\t- Takes tea with lemon.\n     4\t',
      is_error: false,
    },
  },
};
