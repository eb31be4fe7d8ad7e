import type { Rights } from '../api/api.js';

export interface Place {
  path:
    | '/'
    | '/recall'
    | '/memories'
    | '/subjects'
    | '/conversations'
    | '/documents'
    | '/context'
    | '/playground'
    | '/inbox'
    | '/governance'
    | '/operations';
  label: string;
  /** Pressed after `g`. */
  key: string;
  /** Who has any use for the page. Default: everybody who may read memory. */
  isFor?(rights: Rights): boolean;
}

interface PlaceGroup {
  label: string;
  places: readonly Place[];
}

/** The places of the menu, in order. */
const placeGroups: readonly PlaceGroup[] = [
  {
    label: 'Look',
    places: [
      { path: '/', label: 'Home', key: 'h', isFor: () => true },
      { path: '/recall', label: 'Recall lab', key: 'r' },
      { path: '/memories', label: 'Memories', key: 'm' },
      { path: '/subjects', label: 'Subjects and facts', key: 's' },
      { path: '/conversations', label: 'Conversations', key: 'c' },
      { path: '/documents', label: 'Documents', key: 'd' },
      { path: '/context', label: 'Context preview', key: 'x' },
      { path: '/playground', label: 'Playground', key: 'p' },
    ],
  },
  {
    label: 'Decide',
    places: [
      { path: '/inbox', label: 'Inbox', key: 'i' },
      { path: '/governance', label: 'Governance', key: 'v' },
    ],
  },
  {
    label: 'Run',
    places: [{ path: '/operations', label: 'Operations', key: 'o', isFor: () => true }],
  },
];

export function placesFor(rights: Rights): PlaceGroup[] {
  return placeGroups
    .map(({ label, places }) => ({
      label,
      places: places.filter(({ isFor }) => (isFor === undefined ? rights.memory : isFor(rights))),
    }))
    .filter(({ places }) => places.length > 0);
}
