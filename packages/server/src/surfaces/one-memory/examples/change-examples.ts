import type { RouteExample } from '../../../http/route.js';

export const changeExamples: Readonly<Record<string, RouteExample>> = {
  'changes.list': {
    query: {
      limit: 20,
    },
    response: {
      changes: [
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCIxIl1dXQ',
          at: '2026-11-18T21:20:46.651Z',
          operation: 'memory.remember',
          kind: 'note',
          id: '01a1f088-9844-7fd5-90b2-af71453452d5',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCIyIl1dXQ',
          at: '2026-11-18T21:20:47.069Z',
          operation: 'memory.remember',
          kind: 'note',
          id: '01a1f088-9bc9-7c13-a030-0dd1a9e51a94',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCIzIl1dXQ',
          at: '2026-11-18T21:20:47.069Z',
          operation: 'memory.remember',
          kind: 'fact',
          id: '01a1f088-9bdd-73c8-93b1-0486110a9d80',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCI0Il1dXQ',
          at: '2026-11-18T21:20:47.989Z',
          operation: 'memory.update',
          kind: 'note',
          id: '01a1f088-9844-7fd5-90b2-af71453452d5',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCI1Il1dXQ',
          at: '2026-11-18T21:20:48.029Z',
          operation: 'facts.put',
          kind: 'fact',
          id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCI2Il1dXQ',
          at: '2026-11-18T21:20:48.166Z',
          operation: 'facts.retract',
          kind: 'fact',
          id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCI3Il1dXQ',
          at: '2026-11-18T21:20:48.208Z',
          operation: 'facts.undo',
          kind: 'fact',
          id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCI4Il1dXQ',
          at: '2026-11-18T21:20:48.261Z',
          operation: 'memory.remember',
          kind: 'note',
          id: '01a1f088-a084-72d2-8580-cc4bbf773f03',
        },
      ],
      next_cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCI4Il1dXQ',
    },
  },
};
