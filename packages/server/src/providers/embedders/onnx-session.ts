import type * as Onnx from 'onnxruntime-node';
import { disableOnnxTelemetry, refuseOnnxTelemetry } from './onnx-telemetry.js';

export type OnnxRuntime = Pick<typeof Onnx, 'InferenceSession' | 'Tensor' | 'env'>;

export async function importOnnxRuntime(): Promise<OnnxRuntime> {
  disableOnnxTelemetry();
  refuseOnnxTelemetry();
  return import('onnxruntime-node');
}

export function createOnnxSession(
  onnx: OnnxRuntime,
  graph: Uint8Array,
  threads: number,
): Promise<Onnx.InferenceSession> {
  return onnx.InferenceSession.create(graph, {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    // Spinning threads take cores from working ones: 2 threads were measured 3 times slower than 1.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
}
