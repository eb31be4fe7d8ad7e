import type { RouteExample } from '../../../http/route.js';
import { changeExamples } from './change-examples.js';
import { factExamples } from './fact-examples.js';
import { memoryExamples } from './memory-examples.js';
import { offTheRecordExamples } from './off-the-record-examples.js';
import { sourceExamples } from './source-examples.js';
import { subjectExamples } from './subject-examples.js';
import { userSettingsExamples } from './user-settings-examples.js';
import { webhookExamples } from './webhook-examples.js';

/** A call of each operation and its answer, as a server gave it. */
export const oneMemoryExamples: Readonly<Record<string, RouteExample>> = {
  ...memoryExamples,
  ...factExamples,
  ...subjectExamples,
  ...offTheRecordExamples,
  ...changeExamples,
  ...userSettingsExamples,
  ...sourceExamples,
  ...webhookExamples,
};
