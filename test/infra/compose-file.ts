/** Reads a compose file as Docker would, as far as ours go: merged, extended, with its ${…} filled in, and refused where it has a key that none of ours needs. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parse } from 'yaml';

const closed = { additionalProperties: false };
const Named = <Of extends TSchema>(of: Of) => Type.Record(Type.String(), of, { default: {} });
const Texts = Type.Array(Type.String(), { default: [] });
/** `30s`. */
const Seconds = Type.String({ pattern: '^\\d+s$' });

const Service = Type.Object(
  {
    image: Type.String(),
    build: Type.Optional(Type.Object({ context: Type.String(), dockerfile: Type.String() }, closed)),
    entrypoint: Texts,
    command: Texts,
    profiles: Texts,
    environment: Named(Type.Union([Type.String(), Type.Number()])),
    secrets: Texts,
    volumes: Texts,
    ports: Texts,
    networks: Type.Union([
      Type.Array(Type.String()),
      Named(Type.Object({ ipv4_address: Type.String() }, closed)),
    ]),
    depends_on: Named(Type.Object({ condition: Type.Literal('service_healthy') }, closed)),
    healthcheck: Type.Optional(
      Type.Object(
        {
          test: Type.Array(Type.String(), { minItems: 2 }),
          interval: Seconds,
          timeout: Seconds,
          retries: Type.Integer(),
        },
        closed,
      ),
    ),
    restart: Type.Literal('unless-stopped'),
    stop_grace_period: Type.Optional(Seconds),
    read_only: Type.Optional(Type.Boolean()),
    tmpfs: Texts,
    cap_drop: Texts,
    security_opt: Texts,
    extra_hosts: Texts,
    deploy: Type.Object(
      {
        resources: Type.Object(
          { limits: Type.Object({ cpus: Type.String(), memory: Type.String() }, closed) },
          closed,
        ),
      },
      closed,
    ),
    logging: Type.Object(
      {
        driver: Type.Literal('local'),
        options: Type.Object({ 'max-size': Type.String(), 'max-file': Type.String() }, closed),
      },
      closed,
    ),
  },
  closed,
);

const ComposeFile = Type.Object(
  {
    name: Type.String(),
    services: Named(Service),
    networks: Named(
      Type.Object(
        {
          internal: Type.Optional(Type.Boolean()),
          ipam: Type.Optional(
            Type.Object({ config: Type.Array(Type.Object({ subnet: Type.String() }, closed)) }, closed),
          ),
        },
        closed,
      ),
    ),
    volumes: Named(Type.Object({}, closed)),
    secrets: Named(Type.Object({ file: Type.String() }, closed)),
  },
  closed,
);

export type Service = Static<typeof Service>;
export type ComposeFile = Static<typeof ComposeFile>;

/** `variables` are those of `.env`. Throws where the file names one that has neither a value nor a default. */
export function readComposeFile(file: string, variables: { readonly [name: string]: string }): ComposeFile {
  const filled = fill(read(file), variables);
  const found = Value.Default(ComposeFile, filled);
  const problems = [...Value.Errors(ComposeFile, found)].map(({ path, message }) => `${path}: ${message}`);
  if (problems.length > 0) throw new Error(`${file}\n${problems.join('\n')}`);
  return Value.Decode(ComposeFile, found);
}

/** Names of the variables that the file wants filled in. */
export function variablesIn(file: string): readonly string[] {
  const names = [...readFileSync(file, 'utf8').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
  return [...new Set(names)];
}

function read(file: string): unknown {
  const document: unknown = parse(readFileSync(file, 'utf8'), { merge: true });
  if (!isRecord(document) || !isRecord(document.services)) throw new Error(`${file} has no services`);
  const entries = Object.entries(document).filter(([key]) => !key.startsWith('x-'));
  const services = Object.entries(document.services).map(([name, service]) => [
    name,
    Value.Default(Service, extended(service, file)),
  ]);
  return { ...Object.fromEntries(entries), services: Object.fromEntries(services) };
}

/** A path in a file that is extended counts from that file. */
function extended(service: unknown, file: string): unknown {
  if (!isRecord(service) || !isRecord(service.extends)) return service;
  const { extends: from, ...own } = service;
  const other = join(dirname(file), String(from.file));
  const document = read(other);
  const found = isRecord(document) && isRecord(document.services) && document.services[String(from.service)];
  if (!isRecord(found)) throw new Error(`${other} has no service ${String(from.service)}`);
  const volumes = Array.isArray(found.volumes) ? found.volumes.map(String) : [];
  const moved = volumes.map((volume) =>
    volume.startsWith('.') ? `./${join(dirname(String(from.file)), volume)}` : volume,
  );
  return { ...found, ...(volumes.length > 0 ? { volumes: moved } : {}), ...own };
}

function fill(value: unknown, variables: { readonly [name: string]: string }): unknown {
  if (typeof value === 'string') {
    return value.replace(
      /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
      (_all, name: string, kind?: string, text = '') => {
        const given = variables[name] ?? '';
        if (given !== '') return given;
        if (kind === '-') return text;
        throw new Error(`${name} is not set`);
      },
    );
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, variables));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, variables)]));
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
