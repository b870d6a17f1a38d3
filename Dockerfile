# syntax=docker/dockerfile:1

# Everything that is needed to build, and nothing of it in the result. Install scripts are not run:
# they fetch a Node and servers for the tests, and this image has its own Node.
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
COPY web web
RUN node scripts/build.ts

# What runs: no dev dependencies. EXTRAS are optional packages: pg-boss for
# workers on Postgres, "ai @ai-sdk/openai-compatible" for a language model.
FROM node:24-slim AS dependencies
ARG EXTRAS=""
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && if [ -n "$EXTRAS" ]; then \
       npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund $EXTRAS; \
     fi

FROM node:24-slim
LABEL org.opencontainers.image.title="Second Wind" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    XDG_DATA_HOME=/var/lib \
    XDG_CONFIG_HOME=/var/lib \
    SECONDWIND_HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /build/dist dist
COPY package.json LICENSE ./
# The ledger and the key are the only things that are ever written; the rest may be read-only.
RUN ln -s /app/dist/cli/main.js /usr/local/bin/secondwind \
  && chmod +x dist/cli/main.js \
  && install -d -o node -g node -m 700 /var/lib/secondwind /var/lib/secondwind/key
USER node
VOLUME /var/lib/secondwind
EXPOSE 8737
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.SECONDWIND_PORT || 8737) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/cli/main.js"]
CMD ["serve"]
