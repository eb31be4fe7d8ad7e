import type { TokenCredential } from '@azure/identity';
import { loadOptional } from '@memhall/core';

let shared: Promise<TokenCredential> | undefined;

/**
 * Returns the identity of this process in Azure: a managed identity, a workload identity, or one from the environment.
 * The library is loaded only here.
 */
export function azureCredential(): Promise<TokenCredential> {
  shared ??= loadOptional('An identity in Azure', ['@azure/identity'], () => import('@azure/identity')).then(
    ({ DefaultAzureCredential }) => new DefaultAzureCredential(),
  );
  return shared;
}
