// Clients that others' generators make of `/openapi.json` compile, leave nothing out, make a token, list, filter and turn pages, change
// settings, and read a refusal as data. Two of them always; `npm run test:clients` runs all.
// levy-client is what openapi-typescript makes of it: `test/api/levy-client.test.ts`.
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { afterTheFile, folderForTheFile } from '../support/after-the-file.ts';
import { clientGenerators } from '../support/client-generators.ts';
import { fund, openCreator, signatureOf, signedBy } from '../support/creator.ts';
import { openTestService, type TestService } from '../support/service.ts';

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

const tested = clientGenerators.filter(
  ({ isAlwaysTested }) => isAlwaysTested || process.env.CLIENTS === 'all',
);

describe.each(tested)('$name', ({ name, missing, generate, run }) => {
  const lacks = missing();
  if (lacks !== undefined) console.warn(`SKIPPED: 1 test with ${name}, because there is no ${lacks}`);

  test.skipIf(lacks !== undefined)(
    'generates a client that makes a token, walks the list, changes settings and reads a refusal',
    async () => {
      const folder = await folderForTheFile();
      const file = join(folder, 'openapi.json');
      await writeFile(file, await (await fetch(`${service.url}/openapi.json`)).text());
      const said = await generate(file, folder);
      // Each warns differently of what its client lacks.
      expect(said).not.toMatch(/will be omitted|may be missing|^ERROR|skipping/im);
      const printed = JSON.parse(
        await run(folder, [service.url, walletUrl, address, resolve('examples/token.png')]),
      );
      expect(printed.refused).toEqual({ status: 400, code: 'VALIDATION_FAILED', field: 'supply' });
      const query = 'sort=paid&rewardToken=SOL&launchState=none&limit=100';
      const { tokens }: { readonly tokens: readonly { readonly mintAddress: string }[] } = JSON.parse(
        await (await fetch(`${service.url}/tokens?${query}`)).text(),
      );
      const listed = tokens.map(({ mintAddress }) => mintAddress);
      expect(listed.length).toBeGreaterThan(2);
      expect([printed.walked, printed.second]).toEqual([listed, listed[1]]);
      // What is not changed stays, and null before the first change is read.
      expect([printed.changed, printed.burnedBefore]).toEqual([
        [7, '1h', true],
        [0, null],
      ]);
      const { token } = JSON.parse(
        await (await fetch(`${service.url}/tokens/${printed.mintAddress}`)).text(),
      );
      expect(token).toMatchObject({ creator: address, symbol: 'SUN' });
    },
    300_000,
  );
});

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
