import { useEffect, useRef } from 'react';
import { fromLocalInput, toLocalInput } from './local-time.js';

interface MomentInputProps {
  id?: string;
  /** For forms that are read when they are submitted. */
  name?: string;
  /** The moment that is asked about, as the address has it. */
  value?: string | undefined;
  /** Called with each moment that is complete, and with '' for none. */
  onChange?(moment: string): void;
}

/** Without it, browsers wait for two more digits of the year. */
const latest = '9999-12-31T23:59:59';
/** A year is typed digit by digit: 2 and 20 are years, too. */
const firstYear = 1000;

/** Asks for a moment in the time zone of the browser. */
export function MomentInput({ id, name, value, onChange }: MomentInputProps) {
  const field = useRef<HTMLInputElement>(null);
  // What is being typed stays as it is, unless the address says something else.
  useEffect(() => {
    const input = field.current;
    if (input !== null && fromLocalInput(input.value) !== (value ?? '')) input.value = toLocalInput(value);
  }, [value]);
  return (
    <input
      ref={field}
      id={id}
      name={name}
      type="datetime-local"
      step={1}
      max={latest}
      defaultValue={toLocalInput(value)}
      onChange={({ target }) => {
        const isTyped = target.value !== '' && Number.parseInt(target.value, 10) < firstYear;
        if (!isTyped) onChange?.(fromLocalInput(target.value));
      }}
    />
  );
}
