/** Accounts as the venue's real program left them, written down by `launch-execution.test.ts` in the form that `solana account` shows. */
import { readFileSync } from 'node:fs';
import type { ChainAccount } from '../../../../src/kernel/ports/chain.ts';

export function recordedFile(name: string): string {
  return new URL(`./recorded/${name}.json`, import.meta.url).pathname;
}

export function recordOf(pubkey: string, { owner, lamports, data }: ChainAccount): string {
  const account = {
    data: [Buffer.from(data).toString('base64'), 'base64'],
    executable: false,
    lamports: Number(lamports),
    owner,
    space: data.length,
  };
  return `${JSON.stringify({ pubkey, account }, null, 2)}\n`;
}

export function recorded(name: string): ChainAccount & { readonly address: string } {
  const { pubkey, account } = JSON.parse(readFileSync(recordedFile(name), 'utf8')) as {
    pubkey: string;
    account: { data: [string, string]; lamports: number; owner: string };
  };
  return {
    address: pubkey,
    owner: account.owner,
    lamports: BigInt(account.lamports),
    data: new Uint8Array(Buffer.from(account.data[0], 'base64')),
  };
}
