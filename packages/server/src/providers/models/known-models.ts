import { GRAPHS } from '../embedders/model-directory.js';

export interface KnownModel {
  name: string;
  about: string;
  license: string;
  /** Where its files are, with a slash at the end. */
  source: string;
  /** What converted copies of it often lack. */
  settings: Record<string, unknown>;
}

/** Every file of a model that is ever read. */
export const modelFiles: readonly string[] = [
  ...GRAPHS,
  'tokenizer.json',
  'tokenizer_config.json',
  'config.json',
  'modules.json',
  '1_Pooling/config.json',
  'config_sentence_transformers.json',
  'sentence_bert_config.json',
];

export const requiredFile = 'tokenizer.json';

function settings(pooling: 'cls' | 'mean', query: string, passage: string) {
  return {
    '1_Pooling/config.json': {
      pooling_mode_cls_token: pooling === 'cls',
      pooling_mode_mean_tokens: pooling === 'mean',
    },
    'config_sentence_transformers.json': { prompts: { query, passage } },
    'sentence_bert_config.json': { max_seq_length: 512 },
  };
}

const hub = (repository: string) => `https://huggingface.co/${repository}/resolve/main/`;
const searching = 'Represent this sentence for searching relevant passages: ';

export const knownModels: readonly KnownModel[] = [
  {
    name: 'bge-small',
    about: 'bge-small-en-v1.5: English, 384 dimensions, 34 MB in 8 bits',
    license: 'MIT',
    source: hub('Xenova/bge-small-en-v1.5'),
    settings: settings('cls', searching, ''),
  },
  {
    name: 'gte-small',
    about: 'gte-small: English, 384 dimensions, 34 MB in 8 bits',
    license: 'MIT',
    source: hub('Xenova/gte-small'),
    settings: settings('mean', '', ''),
  },
  {
    name: 'e5-small',
    about: 'multilingual-e5-small: about 100 languages, 384 dimensions, 118 MB in 8 bits',
    license: 'MIT',
    source: hub('Xenova/multilingual-e5-small'),
    settings: settings('mean', 'query: ', 'passage: '),
  },
  {
    name: 'arctic-xs',
    about: 'snowflake-arctic-embed-xs: English, 384 dimensions, 23 MB in 8 bits',
    license: 'Apache-2.0',
    source: hub('Snowflake/snowflake-arctic-embed-xs'),
    settings: settings('cls', searching, ''),
  },
];
