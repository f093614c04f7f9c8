/** Reads a compose file as Docker would, as far as ours go: merged, extended, with its ${…} filled in. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

export interface Service {
  readonly image: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly profiles: readonly string[];
  readonly environment: { readonly [name: string]: string | number };
  readonly secrets: readonly string[];
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
  readonly networks: string[] | { readonly [name: string]: { readonly ipv4_address: string } };
  readonly depends_on: { readonly [name: string]: object };
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly read_only?: boolean;
  readonly tmpfs: readonly string[];
}

export interface ComposeFile {
  readonly services: { readonly [name: string]: Service };
  readonly networks: {
    readonly [name: string]: {
      readonly internal?: boolean;
      readonly ipam?: { readonly config: readonly { readonly subnet: string }[] };
    };
  };
  readonly volumes: object;
  readonly secrets: { readonly [name: string]: { readonly file: string } };
}

/** Environment of a service without other settings. */
const NOTHING = {
  entrypoint: [],
  command: [],
  profiles: [],
  environment: {},
  secrets: [],
  volumes: [],
  ports: [],
  networks: [],
  depends_on: {},
  tmpfs: [],
};

/** `variables` are those of `.env`. Throws where the file names one that has neither a value nor a default. */
export function readComposeFile(file: string, variables: { readonly [name: string]: string }): ComposeFile {
  return fill(read(file), variables) as ComposeFile;
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
    { ...NOTHING, ...extended(service, file) },
  ]);
  return { ...Object.fromEntries(entries), services: Object.fromEntries(services) };
}

/** A path in a file that is extended counts from that file. */
function extended(service: unknown, file: string): object {
  if (!isRecord(service)) throw new Error(`${file} has a service without content`);
  if (!isRecord(service.extends)) return service;
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
