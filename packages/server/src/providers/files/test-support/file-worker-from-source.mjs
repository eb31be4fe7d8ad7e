// Node 20 cannot run TypeScript, and `--import tsx` has no effect in a worker there.
import { register } from 'tsx/esm/api';

register();
await import('../file-worker.ts');
