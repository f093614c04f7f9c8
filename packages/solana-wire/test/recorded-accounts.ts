/** Accounts of a mint with a tax and of one of its holders, as a chain showed them, in the form of `solana account --output json`. */
import { readFileSync } from 'node:fs';

export function recorded(name: 'mint' | 'creator-token-account') {
  const file = new URL(`./recorded/${name}.json`, import.meta.url);
  const { account } = JSON.parse(readFileSync(file, 'utf8')) as {
    account: { data: [string, string]; owner: string };
  };
  return { owner: account.owner, data: new Uint8Array(Buffer.from(account.data[0], 'base64')) };
}
