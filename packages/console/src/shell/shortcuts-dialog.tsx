import { useRights } from '../api/api.js';
import { Dialog } from '../parts/dialog.js';
import { placesFor } from './navigation.js';

const everywhere: readonly (readonly [keys: string, what: string])[] = [
  ['/', 'Search'],
  ['?', 'Show this list'],
  ['u', 'Undo what was just done'],
  ['Esc', 'Close a dialog or a menu'],
];

const inLists: readonly (readonly [keys: string, what: string])[] = [
  ['j k', 'Next or previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
];

const onPages: readonly (readonly [keys: string, what: string])[] = [
  ['e', 'Edit a memory, replay a conversation'],
  ['r', 'Read a list again'],
  ['s', 'Save a document'],
  ['h', 'History of a document'],
  ['[ ]', 'Older or newer version'],
  ['m', 'Say something in the playground'],
];

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const rights = useRights();
  const places = placesFor(rights).flatMap((group) => group.places);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutList title="Everywhere" entries={everywhere} />
      <ShortcutList title="Open a page" entries={places.map(({ key, label }) => [`g ${key}`, label] as const)} />
      <ShortcutList title="In lists" entries={inLists} />
      {rights.memory && <ShortcutList title="On the page that has it" entries={onPages} />}
    </Dialog>
  );
}

function ShortcutList({ title, entries }: { title: string; entries: readonly (readonly [string, string])[] }) {
  return (
    <section className="shortcuts">
      <h3>{title}</h3>
      <dl>
        {entries.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
