import { describe, expect, it } from 'vitest';
import { findHidden } from './find-hidden.js';

function hiddenIn(text: string): string[] {
  return findHidden(text).map(({ start, end }) => text.slice(start, end));
}

describe('findHidden', () => {
  it.each([
    ['a comment', 'a <!-- b --> c', ['<!-- b -->']],
    ['a comment of Markdown', 'a\n[//]: # (b)\nc', ['[//]: # (b)']],
    ['an element with the attribute', 'a <p hidden>b</p> c', ['<p hidden>b']],
    ['an element without display', '<div style="display:none">b</div> c', ['<div style="display:none">b']],
    ['text of no size', '<span style="font-size:0px">b</span>', ['<span style="font-size:0px">b']],
    ['text beside the page', '<p style="left:-9999px">b</p>', ['<p style="left:-9999px">b']],
    ['a description of an image', '<img src="a.png" alt="b c">', ['b c']],
    ['an open comment', 'a <!-- b', []],
    ['an ordinary element', '<p style="color:#333">b</p>', []],
    ['large text', '<p style="font-size:10px">b</p>', []],
  ])('finds %s', (_name, text, expected) => {
    expect(hiddenIn(text)).toEqual(expected);
  });
});
