import type { SearchForm } from '../../../ports/memories.js';
import { analyseText } from './analyse-text.js';
import { analysisName, type Language } from './language.js';
import { packTerms } from './packed-terms.js';
import { speakerOf, traitsOf } from './traits.js';

export function toSearchForm(content: string, language: Language, embedding: SearchForm['embedding']): SearchForm {
  const terms = analyseText(content, language);
  const speaker = speakerOf(content);
  const labels = speaker === undefined ? [] : analyseText(speaker, language);
  return {
    analysis: analysisName(language),
    terms: packTerms(terms, labels),
    termCount: terms.length,
    traits: traitsOf(content),
    embedding,
  };
}
