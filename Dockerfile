# The Memhall server, worker and command: docs/operate/deploy.md.
ARG NODE_IMAGE=docker.io/library/node:22-bookworm-slim
# Has the libraries that Node needs, and no package manager for JavaScript.
ARG RUNTIME_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /memhall
COPY . .
RUN npm ci && node scripts/package/stage-image.mjs /image
WORKDIR /image
# The native runtime comes with libraries for every platform; only one of them can run here. Types do not run at all.
RUN npm install --omit=dev --ignore-scripts \
  && find . -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' \) -delete \
  && cd node_modules/onnxruntime-node/bin/napi-v6 \
  && find . -mindepth 2 -maxdepth 2 ! -path "./linux/$(node -p process.arch)" -exec rm -r {} +

FROM ${RUNTIME_IMAGE}
ENV NODE_ENV=production \
  MEMHALL_HOST=0.0.0.0 \
  MEMHALL_PLUGIN_PORT=off \
  MEMHALL_DATA=/data \
  MEMHALL_USERS_WITHOUT_TOKEN=false
WORKDIR /memhall
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /image ./
RUN ln -s /memhall/bin/memhall.js /usr/local/bin/memhall \
  && mkdir /data && chown 1000:1000 /data && chmod 700 /data
USER 1000:1000
VOLUME /data
EXPOSE 8010
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MEMHALL_PORT ?? 8010}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["memhall"]
CMD ["serve"]
