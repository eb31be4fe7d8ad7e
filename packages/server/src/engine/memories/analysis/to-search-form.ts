import type { Memory, SearchForm } from '../../../ports/memories.js';
import { analyseText, singleCharacters } from './analyse-text.js';
import { analysisName, type Language } from './language.js';
import { packTerms } from './packed-terms.js';
import { isByAssistant, withoutRole } from './spoken-role.js';
import { speakerOf, trait, traitsOf } from './traits.js';

/** Returns the text by which a memory is found. */
export function searchText({ content, cue }: Pick<Memory, 'content' | 'cue'>): string {
  const said = withoutRole(content);
  return cue === null ? said : `${cue}\n${said}`;
}

/** What is computed from the words alone. */
export type TextForm = Omit<SearchForm, 'embedding'>;

export function toTextForm(memory: Pick<Memory, 'content' | 'cue' | 'role'>, language: Language): TextForm {
  const text = searchText(memory);
  const terms = analyseText(text, language);
  const speaker = speakerOf(text);
  const labels = speaker === undefined ? [] : analyseText(speaker, language);
  return {
    analysis: analysisName(language),
    terms: packTerms([...terms, ...singleCharacters(text)], labels),
    termCount: terms.length,
    traits: traitsOf(text) | (isByAssistant(memory) ? trait.byAssistant : 0),
  };
}
