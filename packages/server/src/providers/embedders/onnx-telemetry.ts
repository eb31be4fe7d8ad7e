import { isMainThread } from 'node:worker_threads';

/**
 * The native ONNX runtime reports its use to its vendor and keeps a device id in the home directory, unless this variable
 * of the process is set when the runtime loads.
 */
const OPT_OUT = 'ORT_DISABLE_TELEMETRY';

/**
 * Opts out for the whole process. Has no effect in other threads than the main one, because those have only a copy of the
 * environment, which native code does not see.
 */
export function disableOnnxTelemetry(): void {
  if (isMainThread) process.env[OPT_OUT] = '1';
}

/** Throws if the native runtime would contact its vendor. */
export function refuseOnnxTelemetry(): void {
  if (process.env[OPT_OUT] === '1') return;
  throw new Error(`It would report to its vendor: set ${OPT_OUT}=1 in the environment of the process`);
}
