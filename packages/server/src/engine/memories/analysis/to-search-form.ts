import type { Memory, SearchForm } from '../../../ports/memories.js';
import { analyseText, singleCharacters } from './analyse-text.js';
import { analysisName, type Language } from './language.js';
import { packTerms } from './packed-terms.js';
import { speakerOf, traitsOf } from './traits.js';

/** Returns the text by which a memory is found. */
export function searchText({ content, cue }: Pick<Memory, 'content' | 'cue'>): string {
  return cue === null ? content : `${cue}\n${content}`;
}

export function toSearchForm(text: string, language: Language, embedding: SearchForm['embedding']): SearchForm {
  const terms = analyseText(text, language);
  const speaker = speakerOf(text);
  const labels = speaker === undefined ? [] : analyseText(speaker, language);
  return {
    analysis: analysisName(language),
    terms: packTerms([...terms, ...singleCharacters(text)], labels),
    termCount: terms.length,
    traits: traitsOf(text),
    embedding,
  };
}
