/** Signing out where the read model is a file of its own, and so a moment behind the log. */
import { Keypair } from '@solana/web3.js';
import { beforeAll, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { type Client, createClient } from '../support/client.ts';
import { signIn } from '../support/creator.ts';
import { openTestService } from '../support/service.ts';

let client: Client;

beforeAll(async () => {
  const readModel = `sqlite:${await folderForTheFile()}/read.db`;
  client = createClient((await openTestService({ READ_MODEL_URL: readModel, NONCE_ACCOUNTS_MIN: '0' })).url);
});

test('the very next call with a token that was given back is refused, every time', async () => {
  const keypair = Keypair.generate();
  for (let round = 0; round < 20; round += 1) {
    const { token } = await signIn(client, keypair);
    await client.ask('GET', '/tokens/me', { token });
    await client.ask('POST', '/auth/logout', { token });
    await client.refusal('UNAUTHENTICATED', 'GET', '/tokens/me', { token });
  }
});
