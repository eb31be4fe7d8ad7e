import { describe, expect, it } from 'vitest';
import { readClaims, type Voice } from './claims.js';
import { compareClaims } from './contradicts.js';

describe('compareClaims', () => {
  it.each([
    ['I live in Bergen.', 'According to the directory, the user lives in Tromsø now.'],
    ['I live in Bergen.', 'The user has moved to Tromsø.'],
    ['My doctor is Astrid Moe.', 'The doctor of the user is Peer Vinter, no longer Astrid Moe.'],
    ['My doctor is Astrid Moe.', 'The doctor of the user is no longer Astrid Moe.'],
    ['My account number ends in 4471.', 'Update: the account number of the user ends in 9902.'],
    ['My plumber is Ola.', "The user's plumber has been changed to Henrik."],
    ["My son's school is Hill Primary.", "The school of the user's son is Dale Academy."],
    ['My tutor is Jan.', 'User: tutor: Piet'],
    ['My tailor is called Emil.', 'Tailor of the user: Gustav'],
    ['My train leaves at 9:15.', "Please note that the user's train leaves at 10.45."],
    ['I take two tablets of Velora a day.', 'The user takes six tablets of Velora a day.'],
    ['I am allergic to nuts.', 'The user is not allergic to nuts.'],
    ['I am vegan.', 'The user is no longer vegan.'],
    ['My car is a red Volvo.', 'The car of the user is a blue Tesla.'],
    ['My password hint is blue.', "The user's password hint is red."],
    ['The deadline of the Orion report is Friday.', 'The deadline of the Orion report is Tuesday.'],
  ])('finds that two statements cannot both be true: %s %s', (one, other) => {
    expect(isContrary(one, other)).toBe(true);
  });

  it.each([
    ['My doctor is Astrid Moe.', 'The doctor of the user is Dr. Moe.'],
    ['My doctor is Astrid Moe.', 'The doctor of the user is A. Moe.'],
    ['My doctor is Astrid Moe.', "The user's doctor is on holiday until Monday."],
    ['My doctor is Astrid Moe.', "The user's doctor called about the results on Friday."],
    ['My doctor is Astrid Moe.', "The user's doctor was Peer Vinter."],
    ['My doctor is Astrid Moe.', "The user's other doctor is Peer Vinter."],
    ['My doctor is Astrid Moe.', "Is the user's doctor Peer Vinter?"],
    ['My doctor is Astrid Moe.', "If the user's doctor is Peer Vinter, call him."],
    ['My doctor is Astrid Moe.', "My sister's doctor is Peer Vinter."],
    ['My rent is 1,150 euros.', "The user's rent is 1150 euros a month."],
    ['My phone number is 555 0142.', "The user's phone number is +1 555 0142."],
    ['My birthday is on 3 May.', "The user's birthday is on May 3."],
    ['I live in Portland, Oregon.', 'The user lives in Portland.'],
    ['I visited Rome.', 'The user visited Paris.'],
    ['I like green tea.', 'The user likes black coffee.'],
    ['My car is a red Volvo.', "The user's car is parked on level 3."],
    ['My project is Atlas.', "The user's project is late."],
    ['My goal is to pass this exam.', "The user's goal is to pass the exam."],
    ['I am sure that it rains.', 'The user is not sure.'],
    ['Step 1: open the box.', 'Step 1: Read the manual.'],
  ])('finds nothing against: %s %s', (one, other) => {
    expect(isContrary(one, other)).toBe(false);
  });

  it('knows whom a statement is about', () => {
    const other = 'My doctor is Peer Vinter.';
    expect(isContrary('My doctor is Astrid Moe.', other)).toBe(true);
    expect(isContrary('My doctor is Astrid Moe.', other, 'record')).toBe(false);
    expect(isContrary('My doctor is Astrid Moe.', other, 'assistant')).toBe(false);
    expect(isContrary('My doctor is Astrid Moe.', 'Your doctor is Peer Vinter.', 'assistant')).toBe(true);
    expect(isContrary('My doctor is Astrid Moe.', 'The doctor of the user is Peer Vinter.', 'record')).toBe(true);
    expect(isContrary('My doctor is Astrid Moe.', 'The doctor of the user is Peer Vinter.', 'other')).toBe(false);
  });

  it('reads no more than the beginning of a text', () => {
    const text = 'The doctor of the user is Peer Vinter, and my car is red. '.repeat(20_000);
    expect(readClaims(text, 'user').length).toBeLessThan(1000);
    expect(readClaims('a '.repeat(200_000), 'user')).toEqual([]);
  });
});

function isContrary(one: string, other: string, voice: Voice = 'user'): boolean {
  const own = readClaims(one, 'user');
  return readClaims(other, voice).some((claim) =>
    own.some((known) => known.key === claim.key && compareClaims(known, claim) === 'contrary'),
  );
}
