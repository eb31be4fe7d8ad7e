import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';

type Serialize = (data: unknown) => string;

const compile = SerializerSelector()({}, {});
/** Schemas are constants, so all listeners of a process share what was compiled. */
const compiled = new WeakMap<TSchema, Serialize>();

/** Fastify's own serializer, but compiled at the first response that needs it: most are never needed. */
export const compileSerializer: FastifySerializerCompiler<TSchema> = (route) => (data) => {
  let serialize = compiled.get(route.schema);
  if (serialize === undefined) {
    serialize = compile({ ...route, httpStatus: route.httpStatus ?? '' });
    compiled.set(route.schema, serialize);
  }
  return serialize(data);
};
