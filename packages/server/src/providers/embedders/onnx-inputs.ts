import type * as Onnx from 'onnxruntime-node';
import { EmbedderError } from '../../ports/embedder-error.js';
import type { OnnxRuntime } from './onnx-session.js';
import type { Tokens } from './text-tokenizer.js';

/** Returns the inputs that a converted transformer declares. Throws `misconfigured` if it has others. */
export function toOnnxInputs(onnx: OnnxRuntime, session: Onnx.InferenceSession, { ids, mask, types }: Tokens) {
  const values: Record<string, Int32Array | BigInt64Array> = {
    input_ids: ids,
    attention_mask: mask,
    token_type_ids: types,
  };
  const shape = [1, ids.length];
  const inputs = session.inputMetadata.map((input) => {
    const value = values[input.name];
    if (value === undefined || !input.isTensor) {
      throw new EmbedderError('misconfigured', `The model has an input '${input.name}', which is not supported`);
    }
    const tensor =
      input.type === 'int32'
        ? new onnx.Tensor('int32', Int32Array.from(value, Number), shape)
        : new onnx.Tensor('int64', BigInt64Array.from(value, BigInt), shape);
    return [input.name, tensor] as const;
  });
  return Object.fromEntries(inputs);
}
