// The script that makes the cluster's certificates: what it makes can be used, and it overwrites nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INFRA } from './operators-choices.ts';

const NODES = ['eventstore', 'mongodb', 'nats'].flatMap((server) =>
  [1, 2, 3].map((number) => `${server}-${number}`),
);
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) console.warn('SKIPPED: 12 tests of certificates, because there is no openssl in PATH');

function make(folder: string) {
  return spawnSync(join(INFRA, 'cluster/make-certificates.sh'), [folder], {
    encoding: 'utf8',
  });
}

describe.skipIf(!hasOpenssl)('with openssl', () => {
  let folder: string;
  const path = (file: string) => join(folder, 'certificates', file);
  const read = (file: string) => readFileSync(path(file), 'utf8');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'levy-'));
    expect(make(folder).status).toBe(0);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each(
    NODES,
  )('%s gets a certificate of the authority, for its name, to serve and to be a client with', (node) => {
    const certificate = new X509Certificate(read(`${node}/node.crt`));
    expect(certificate.checkHost(node)).toBe(node);
    expect(certificate.checkHost('localhost')).toBe('localhost');
    for (const purpose of ['sslserver', 'sslclient']) {
      const options = ['-purpose', purpose, '-CAfile', path('ca/ca.crt')];
      const said = execFileSync('openssl', ['verify', ...options, path(`${node}/node.crt`)], {
        encoding: 'utf8',
      });
      expect(said).toContain('OK');
    }
  });

  test('the nodes of the event store have one common name, by which they know each other, and no other server has it', () => {
    const subjects = NODES.map((node) => new X509Certificate(read(`${node}/node.crt`)).subject);
    expect(subjects.slice(0, 3)).toEqual(Array(3).fill('CN=eventstoredb-node'));
    expect(subjects.slice(3)).toEqual(NODES.slice(3).map((node) => `CN=${node}`));
  });

  test('keys are for their owner alone, and that of the authority is not among what servers are given', () => {
    const keys = ['authority/ca.key', ...NODES.map((node) => `${node}/node.key`)];
    expect(keys.map((key) => statSync(path(key)).mode & 0o777)).toEqual(keys.map(() => 0o600));
    expect(statSync(path('ca/ca.crt')).mode & 0o777).toBe(0o644);
    expect(readdirSync(path('ca'))).toEqual(['ca.crt']);
  });

  test('what is there is left, what is missing is made, and not without the authority', async () => {
    const before = read('nats-1/node.crt');
    rmSync(path('nats-2'), { recursive: true });
    expect(make(folder).status).toBe(0);
    expect(read('nats-1/node.crt')).toBe(before);
    expect(statSync(path('nats-2/node.crt')).isFile()).toBe(true);

    rmSync(path('nats-3'), { recursive: true });
    renameSync(path('authority/ca.key'), path('authority/away.key'));
    const refused = make(folder);
    renameSync(path('authority/away.key'), path('authority/ca.key'));
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("the authority's key is not in certificates/authority");
    expect(make(folder).status).toBe(0);
  });
});
