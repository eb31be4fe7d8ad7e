import type { Config } from '../config/settings.js';
import type { HeadWitness } from '../ports/head-witness.js';
import { FileWitness } from '../providers/witnesses/file-witness.js';
import { HttpWitness } from '../providers/witnesses/http-witness.js';
import { azureAccount } from './open-artifact-store.js';

/** Returns null if none is configured. Does not contact it: a server must start without its witness. */
export async function openWitness(config: Config): Promise<HeadWitness | null> {
  const { auditWitness: address, auditWitnessSecret: secret } = config;
  if (address === undefined) return null;
  if (address.startsWith('file:')) return new FileWitness(address.slice('file:'.length));
  if (!address.startsWith('azure-blob:')) return new HttpWitness({ url: address, token: secret });
  const account = secret === undefined ? await azureAccount(config) : { connectionString: secret };
  const { openAzureWitness } = await import('../providers/artifact-stores/open-azure-blob.js');
  return openAzureWitness({ account, container: address.slice('azure-blob:'.length) });
}
