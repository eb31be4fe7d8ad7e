import type { Place } from '../adapter.js';
import type { HostStart } from '../hosts/host-protocol.js';
import { importPackage, packageDirectory } from './installed-packages.js';

export function openPlace(
  { directory, databaseUrl, modelUrl, dimensions, packages, settings }: HostStart,
  environment: Place['environment'],
): Place {
  return {
    directory,
    databaseUrl,
    modelUrl,
    dimensions,
    settings,
    environment,
    importPackage: (specifier) => importPackage(packages, specifier),
    packageDirectory: (name) => packageDirectory(packages, name),
  };
}
