import { canonicalJson, type Json } from '@memhall/core';
import type { ErrorObject } from 'ajv/dist/2020.js';

/** A check stops at this number of faults. */
export const maxFaults = 20;

/** Characters that take about as long to read as one step. */
const charactersPerStep = 20;
/** Faults of an alternative are objects that stay in memory until another alternative matches. */
const stepsPerFault = 50;
/** Elements of a list of faults that take about as long to copy as one step. */
const copiedPerStep = 16;

/** Checking takes too long: the content is large for its schema, or the schema refers to parts of itself too often. */
export class TooManySteps extends Error {
  constructor() {
    super('checking takes too many steps');
  }
}

/** Ends a check that has found enough faults. */
export class EnoughFaults extends Error {
  constructor(readonly faults: readonly ErrorObject[]) {
    super('there are enough faults');
  }
}

/**
 * Counts the work of one check. The code that Ajv generates calls it (`count-keyword-steps.ts`). Whatever a schema and a content
 * are, the time and memory of a check are proportional to its steps.
 */
export class ValidationSteps {
  #left = 0;
  /** Above zero while faults can still be discarded, because another alternative may match. */
  #alternatives = 0;
  #faults: ErrorObject[] = [];

  start(budget: number): void {
    this.#left = budget;
    this.#alternatives = 0;
    this.#faults = [];
  }

  take(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooManySteps();
  }

  /** Takes `weight` steps for each element or member, and more for long names. */
  takeSize(data: object, weight: number): void {
    let size = 0;
    if (Array.isArray(data)) size = data.length;
    else for (const name in data) size += 1 + name.length / charactersPerStep;
    this.take(size * weight);
  }

  takeText(data: unknown): void {
    if (typeof data === 'string') this.take(data.length / charactersPerStep);
  }

  /** Takes steps for work that takes quadratic time. */
  takeSquare(data: unknown): void {
    if (typeof data === 'string') this.take((data.length * data.length) / (5 * charactersPerStep));
  }

  takeCopy(faults: readonly ErrorObject[] | null): void {
    if (faults !== null) this.take(faults.length / copiedPerStep);
  }

  /** Returns a text that is the same for equal values. */
  canonical(value: Json): string {
    const text = canonicalJson(value);
    this.takeText(text);
    return text;
  }

  /** Notes the last fault. */
  addFault(faults: readonly ErrorObject[]): void {
    if (this.#alternatives > 0) this.take(stepsPerFault);
    else this.#keep(faults.slice(-1));
  }

  startAlternatives(): void {
    this.#alternatives += 1;
  }

  /** Notes the faults from `first` on, if no enclosing alternative can discard them. */
  endAlternatives(faults: readonly ErrorObject[] | null, first: number): void {
    this.#alternatives -= 1;
    if (this.#alternatives === 0 && faults !== null) this.#keep(faults.slice(first, first + maxFaults));
  }

  #keep(faults: readonly ErrorObject[]): void {
    this.#faults.push(...faults);
    if (this.#faults.length >= maxFaults) throw new EnoughFaults(this.#faults.slice(0, maxFaults));
  }
}
