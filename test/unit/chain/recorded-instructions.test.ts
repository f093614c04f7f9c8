// What was built before web3.js and spl-token built it, for random inputs. Logs hold messages of these bytes, and `levy audit`
// compares them for ever: another version of a library must give the same.
import { readFileSync } from 'node:fs';
import type { Instruction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import * as creation from '../../../src/chain/creation-transaction.ts';
import * as nonces from '../../../src/chain/durable-nonce.ts';
import * as payments from '../../../src/chain/payment-instructions.ts';
import * as system from '../../../src/chain/system-instructions.ts';
import * as launch from '../../../src/chain/venue/venue-instructions.ts';

interface Recorded {
  readonly build: string;
  readonly given: readonly unknown[];
  readonly gives: readonly { readonly program: string; readonly accounts: string[]; readonly data: string }[];
}

const builders = new Map(
  [creation, nonces, payments, system, launch].flatMap((module) => Object.entries(module)),
);
const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('recorded/instructions.json', import.meta.url), 'utf8'),
  // Bigints were written as digits with an n.
  (_key, value) => (typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value),
);

function built({ build, given }: Recorded): readonly Instruction[] {
  const builder = builders.get(build);
  if (typeof builder !== 'function') throw new Error(`nothing builds ${build}`);
  const made: Instruction | readonly Instruction[] = Reflect.apply(builder, undefined, given);
  return [made].flat();
}

const written = ({ program, accounts, data }: Instruction) => ({
  program,
  accounts: accounts.map(
    ({ address, signer, writable }) => `${address} ${signer ? 's' : '-'}${writable ? 'w' : '-'}`,
  ),
  data: Buffer.from(data).toString('hex'),
});

describe('the bytes of instructions are for ever those that were recorded', () => {
  const names = [...new Set(recorded.map(({ build }) => build))];

  test.each(names)('%s', (name) => {
    const examples = recorded.filter(({ build }) => build === name);
    expect(examples.map((example) => built(example).map(written))).toEqual(
      examples.map(({ gives }) => gives),
    );
  });
});
