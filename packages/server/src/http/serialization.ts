import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';

type Serialize = (data: unknown) => string;

const compile = SerializerSelector()({}, {});
/** Schemas are constants: what was compiled for one listener serves every other. */
const compiled = new WeakMap<TSchema, Serialize>();

/** Fastify's own way to write answers, but compiled when the first such answer is sent: most never are. */
export const compileSerializer: FastifySerializerCompiler<TSchema> = (route) => (data) => {
  let serialize = compiled.get(route.schema);
  if (serialize === undefined) {
    serialize = compile({ ...route, httpStatus: route.httpStatus ?? '' });
    compiled.set(route.schema, serialize);
  }
  return serialize(data);
};
