// A client that another generator makes of `/openapi.json` compiles, leaves nothing out, makes a token, lists, filters and turns pages, changes
// settings, and reads a refusal as data. levy-client is what openapi-typescript makes of it: `test/api/levy-client.test.ts`.
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { beforeAll, expect, test } from 'vitest';
import { afterTheFile, folderForTheFile } from '../support/after-the-file.ts';
import { fund, openCreator, signatureOf, signedBy } from '../support/creator.ts';
import { openTestService, type TestService } from '../support/service.ts';

const PROGRAM = fileURLToPath(new URL('../support/go-client', import.meta.url));

let service: TestService;
let walletUrl: string;
const keypair = Keypair.generate();
const address = keypair.publicKey.toBase58();

beforeAll(async () => {
  service = await openTestService();
  walletUrl = await openWallet();
  await fund(service.chainUrl, address, LAMPORTS_PER_SOL);
  const another = await openCreator(service);
  for (const name of ['First', 'Second']) await another.createToken({ name });
  await another.createToken({ name: 'Paid in itself', rewardToken: 'SELF' });
});

/** Another toolchain is never fetched, and no other proxy is asked than that of the machine. */
const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '' };

function reasonToSkip(): string | undefined {
  if (spawnSync('go', ['version']).status !== 0) return 'there is no go on this machine';
  const fetched = spawnSync('go', ['mod', 'download'], { cwd: PROGRAM, env });
  return fetched.status === 0 ? undefined : String(fetched.stderr).trim().replaceAll('\n', ' ');
}

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`SKIPPED: 1 test of a generated client, because ${skipped}`);

/** Text of the program's standard output and standard error. */
async function said(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env });
  return stdout + stderr;
}

test.skipIf(skipped !== undefined)(
  'oapi-codegen generates a client that makes a token, walks the list, changes settings and reads a refusal',
  async () => {
    const folder = await folderForTheFile();
    const file = join(folder, 'openapi.json');
    await writeFile(file, await (await fetch(`${service.url}/openapi.json`)).text());
    await cp(PROGRAM, folder, { recursive: true });
    await mkdir(join(folder, 'levy'));
    const options = ['-generate', 'types,client', '-package', 'levy', '-o', 'levy/levy.go', file];
    const warnings = await said('go', ['tool', 'oapi-codegen', ...options], folder);
    expect(warnings).not.toMatch(/will be omitted|may be missing|^ERROR|skipping/im);
    await said('go', ['build', '-o', 'create-token', '.'], folder);
    const args = [service.url, walletUrl, address, resolve('examples/token.png')];
    const printed = JSON.parse(await said(join(folder, 'create-token'), args, folder));
    expect(printed.refused).toEqual({ status: 400, code: 'VALIDATION_FAILED', field: 'supply' });
    const query = 'sort=paid&rewardToken=SOL&launchState=none&limit=100';
    const { tokens }: { readonly tokens: readonly { readonly mintAddress: string }[] } = JSON.parse(
      await (await fetch(`${service.url}/tokens?${query}`)).text(),
    );
    const listed = tokens.map(({ mintAddress }) => mintAddress);
    expect(listed.length).toBeGreaterThan(2);
    expect([printed.walked, printed.second]).toEqual([listed, listed[1]]);
    // Unchanged fields keep their values; the state before the first change is null.
    expect([printed.changed, printed.burnedBefore]).toEqual([
      [7, '1h', true],
      [0, null],
    ]);
    const { token } = JSON.parse(await (await fetch(`${service.url}/tokens/${printed.mintAddress}`)).text());
    expect(token).toMatchObject({ creator: address, symbol: 'SUN' });
  },
  300_000,
);

/** Signs whatever it is asked to, as a wallet whose owner clicks on "sign". Resolves with its address. */
async function openWallet(): Promise<string> {
  const wallet = createServer(async (request, response) => {
    const asked = await text(request);
    response.end(
      request.url === '/message' ? signatureOf(keypair, Buffer.from(asked)) : signedBy(keypair, asked),
    );
  });
  await new Promise<void>((done) => wallet.listen(0, '127.0.0.1', done));
  afterTheFile(async () => void wallet.close());
  return `http://127.0.0.1:${(wallet.address() as AddressInfo).port}`;
}
