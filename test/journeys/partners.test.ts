/** A partner's key is made, replaced and ended by `levy partners`, and counts in every process that reads the log, without a restart. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { createClient } from '../support/client.ts';
import { startEventStoreStandIn } from '../support/event-store-stand-in/server.ts';
import { eventually } from '../support/eventually.ts';
import { levy } from '../support/levy-command.ts';
import { ofTheFile } from '../support/lifetime.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { openSeveralProcesses } from '../support/several-processes.ts';

const WALLET = '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj';

let folder = '';
let here: ServiceProcess;
let there: ServiceProcess;
let asOperator: readonly string[];

beforeAll(async () => {
  folder = await folderForTheFile();
  const standIn = await startEventStoreStandIn({ lifetime: ofTheFile });
  const several = await openSeveralProcesses({
    eventStoreUrl: standIn.url,
    environment: { RATE_LIMITS: 'on' },
  });
  [here, there] = await Promise.all([several.start('api,projector'), several.start('api,projector')]);
  const keyFile = join(folder, 'operator.key');
  await writeFile(keyFile, OPERATOR_KEY, { mode: 0o600 });
  asOperator = ['--service', here.url, '--operator-key-file', keyFile];
}, 180_000);

/** The quota by which the process counts a call with the key; undefined where it is refused. */
async function quotaAt({ url }: ServiceProcess, key: string): Promise<string | null | undefined> {
  const { status, headers } = await createClient(url).call('GET', '/tokens', {
    headers: { 'x-partner-key': key },
  });
  return status === 200 ? headers.get('x-ratelimit-limit') : undefined;
}

const counts = (process: ServiceProcess, key: string, quota: string | undefined) =>
  eventually(`the key counts with ${quota}`, async () => (await quotaAt(process, key)) === quota);

async function partners(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await levy(folder, ['partners', ...args, ...asOperator]);
  expect([code, stderr.includes('levy:')]).toEqual([0, false]);
  return stdout.trim();
}

test('a key counts in both processes, a rotated one takes its place, and an ended one is refused in both', async () => {
  const first = await partners('add', 'acme', '--quotas', 'general=777/15m', '--share', `${WALLET}=2500`);
  expect(first).toMatch(/^levy_partner_/);
  await counts(here, first, '777');
  await counts(there, first, '777');

  const second = await partners('rotate', 'acme', '--overlap', '0s');
  await counts(here, first, undefined);
  await counts(there, second, '777');
  await counts(there, first, undefined);
  expect(await partners('list')).toMatch(
    /^acme {2}key of .* by alice.* {2}general=777\/900s {2}2500 basis points to 67aUmv/m,
  );

  expect(await partners('end', 'acme', '--reason', 'The contract is over.')).toBe('acme has ended');
  await counts(here, second, undefined);
  await counts(there, second, undefined);
});
