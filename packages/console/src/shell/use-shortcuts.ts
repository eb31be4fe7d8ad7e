import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useRights } from '../api/api.js';
import { placesFor } from './navigation.js';

/** How long `g` waits for the letter of a page. */
const sequenceMs = 1500;

/**
 * Shortcuts of every page: `/` searches, `?` lists shortcuts, `g` and a letter opens a page. An element with `data-shortcut` gets the
 * focus when its key is pressed, or is clicked if it is a button. None of them works while somebody types or a dialog is open.
 */
export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate();
  const rights = useRights();
  const waitingSince = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const open = (key: string): boolean => {
      const place = placesFor(rights)
        .flatMap(({ places }) => places)
        .find((one) => one.key === key);
      if (place !== undefined) navigate({ to: place.path, search: ({ user }) => ({ user }) });
      return place !== undefined;
    };
    const handle = (key: string): boolean => {
      const isSecond = performance.now() - waitingSince.current < sequenceMs;
      waitingSince.current = Number.NEGATIVE_INFINITY;
      if (isSecond && open(key)) return true;
      if (key === 'g') waitingSince.current = performance.now();
      if (key === '?') onHelp();
      return key === '?' || moveInList(key) || use(key);
    };
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.composedPath()[0])) return;
      if (document.querySelector('dialog[open]') === null && handle(event.key)) event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [navigate, rights, onHelp]);
}

/** Moves the focus between the rows of a list, or selects the one that has it. */
function moveInList(key: string): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  if (key === 'x') {
    const box = rows[at]?.querySelector<HTMLInputElement>('input[type="checkbox"]');
    box?.click();
    return box !== undefined && box !== null;
  }
  if (key !== 'j' && key !== 'k') return false;
  const next = rows[key === 'j' ? at + 1 : Math.max(0, at - 1)];
  const target = next?.querySelector<HTMLElement>('a, button');
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
  return target !== undefined && target !== null;
}

function use(key: string): boolean {
  const element = [...document.querySelectorAll<HTMLElement>('[data-shortcut]')].find(
    ({ dataset }) => dataset.shortcut === key,
  );
  if (element === undefined) return false;
  if (element instanceof HTMLInputElement) {
    element.focus();
    element.select();
  } else element.click();
  return true;
}

function isTyping(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
