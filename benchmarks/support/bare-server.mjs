/** The minimum that Fastify can do with the same requests: parse the body, and return Memhall's response. */
import { fastify } from 'fastify';
import { serveParent } from './child.mjs';

const app = fastify();

serveParent(
  {
    /** @param {{ path: string, headers: Record<string, string>, body: unknown }} sample */
    async listen({ path, headers, body }) {
      app.get(path, (_request, reply) => reply.headers(headers).send(body));
      app.put(path, (_request, reply) => reply.headers(headers).send(body));
      return app.listen({ host: '127.0.0.1', port: 0 });
    },
  },
  () => app.close(),
);
