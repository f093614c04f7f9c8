// Links are told as landed with the transactions that made their tills, found on the chain and nowhere else.
import { type Instruction, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import type { KeyPair } from '../../../../src/chain/keys.ts';
import {
  allocateWithSeedInstruction,
  transferInstruction,
} from '../../../../src/chain/system-instructions.ts';
import type { DrivenTill } from '../../../../src/distribution/links/judge-links.ts';
import { recordLink } from '../../../../src/distribution/links/link-content.ts';
import { settleLinks } from '../../../../src/distribution/links/settle-links.ts';
import type { ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import { tills } from '../../../support/distribution-examples.ts';
import { keyOf, signed } from '../../../support/faulty-chain/token-world.ts';
import { historyEntry } from '../../../support/history-entry.ts';
import { KEYRING, NOW, TOKEN, tokenAccount } from '../../../support/run-examples.ts';
import { type ScriptedTransaction, scriptedHistory } from '../../../support/scripted-history.ts';

const { wallet, distributor } = TOKEN;
const STRANGER = keyOf(6_800);
const link = recordLink(
  { number: 2, previous: tills.first, actions: [{ kind: 'burn', amount: '5' }] },
  TOKEN,
);
const TILL = { number: 1, address: tills.first, slot: '4100', lamports: '700' };
const ACCOUNT = `the account ${TOKEN.tokens}`;

/** As the engine makes a till, unless it is said otherwise. */
function making({
  till = link.till,
  base = wallet,
  program = SYSTEM_PROGRAM,
}: {
  readonly till?: string;
  readonly base?: KeyPair;
  readonly program?: string;
} = {}): Instruction {
  const owner = SYSTEM_PROGRAM;
  const made = allocateWithSeedInstruction({
    address: till,
    base: base.address,
    seed: 's',
    space: 165,
    owner,
  });
  return { ...made, program };
}

function landed(
  instructions: readonly Instruction[],
  keys: readonly KeyPair[],
  fee = 5_000n,
  tokensAfter: ReadonlyMap<string, bigint> | undefined = new Map([[link.till, 800n]]),
): ScriptedTransaction {
  const wire = signed(instructions, keys, TOKEN.mint);
  return {
    entry: historyEntry('the signature', { slot: 417 }),
    transaction: { slot: 417, wire, fee, error: undefined, logs: [], tokensAfter },
  };
}

/** As a node shows it that keeps no balances. */
function without(): ScriptedTransaction {
  const { entry, transaction } = landed([making()], [distributor, wallet]);
  return {
    entry,
    transaction: { ...transaction, tokensAfter: undefined } as ScriptedTransaction['transaction'],
  };
}

const OURS = landed([making()], [distributor, wallet]);

function settled(
  history: readonly ScriptedTransaction[],
  {
    account = tokenAccount({ amount: 90n }) as ChainAccount | 'hidden',
    isFirst = false,
    absences = new Map() as DrivenTill['memory']['absences'],
    links = new Map() as DrivenTill['memory']['links'],
    path = [link],
    lamports = 800n,
  } = {},
) {
  const { chain, calls } = scriptedHistory(history);
  const driven = {
    parts: { chain, clock: { now: () => NOW } },
    view: { token: TOKEN, state: { till: isFirst ? undefined : TILL, pending: path } },
    memory: { links, absences, searches: new Map() },
    final: {
      slot: 4_200n,
      accountOf: (address: string) =>
        address === TOKEN.tokens && account !== 'hidden' ? account : undefined,
    },
  } as unknown as DrivenTill;
  return { progress: settleLinks(driven, { path, lamports }), absences, links, calls };
}

const unseen = {
  kind: 'wait',
  waiting: {
    for: {
      code: 'chain-unavailable',
      detail: 'The chain node does not show the transaction that created till 2.',
    },
    pause: 400,
  },
};

describe('a link that has landed', () => {
  test('is told with its transaction, its fee and what the till and the account then held', async () => {
    expect(await settled([OURS]).progress).toEqual({
      landed: {
        links: [{ ...link, signature: 'the signature', fee: '5000' }],
        slot: '4200',
        lamports: '800',
        tokens: '90',
      },
    });
  });

  const left = (tokensAfter: ReadonlyMap<string, bigint> | undefined) =>
    landed([making()], [distributor, wallet], 5_000n, tokensAfter);

  test('is waited for while a node shows less in its till than its transaction left, or not what that left', async () => {
    expect(await settled([OURS], { lamports: 799n }).progress).toMatchObject({
      waiting: { for: { code: 'chain-unavailable', detail: expect.stringContaining('799 lamports') } },
    });
    for (const tokensAfter of [new Map<string, bigint>(), undefined])
      expect(
        await settled([tokensAfter === undefined ? without() : left(tokensAfter)]).progress,
      ).toMatchObject({
        waiting: {
          for: {
            code: 'chain-unavailable',
            detail: expect.stringContaining('the balance that the last link left'),
          },
        },
      });
  });

  test('left in the account what its transaction shows, where it names that', async () => {
    const both = left(
      new Map([
        [link.till, 800n],
        [TOKEN.tokens, 85n],
      ]),
    );
    expect(await settled([both]).progress).toMatchObject({ landed: { lamports: '800', tokens: '85' } });
  });

  test('is looked for by its own signature first, which is then forgotten', async () => {
    const mine = { wire: new Uint8Array(), signature: 'the signature', lastValidBlockHeight: 1n, fee: 1n };
    const other = ['another till', mine] as const;
    const { progress, links, calls } = settled([OURS], { links: new Map([[link.till, mine], other]) });
    expect(await progress).toHaveProperty('landed');
    expect(calls).toEqual({ lists: 0, reads: 1 });
    expect([...links.keys()]).toEqual(['another till']);
  });

  const broken: ScriptedTransaction = {
    ...OURS,
    transaction: { slot: 417, wire: Uint8Array.of(1, 2, 3), fee: 1n, error: undefined, logs: [] },
  };
  test.each([
    [
      'that the distributor does not pay',
      landed(
        [making(), transferInstruction({ from: distributor.address, to: link.till, lamports: 1n })],
        [STRANGER, wallet, distributor],
      ),
    ],
    ['that the wallet does not sign', landed([making({ base: STRANGER })], [distributor, STRANGER])],
    [
      'that names the wallet, which does not sign it',
      landed(
        [
          making({ base: STRANGER }),
          transferInstruction({ from: distributor.address, to: wallet.address, lamports: 1n }),
        ],
        [distributor, STRANGER],
      ),
    ],
    ['that makes another till', landed([making({ till: tills.third })], [distributor, wallet])],
    ['in which another program is called', landed([making({ program: TOKEN.mint })], [distributor, wallet])],
    [
      'that sends the till lamports',
      landed(
        [transferInstruction({ from: wallet.address, to: link.till, lamports: 1n })],
        [distributor, wallet],
      ),
    ],
    ['that cannot be decoded', broken],
  ])('is not a transaction %s', async (_what, transaction) => {
    expect(await settled([transaction]).progress).toEqual(unseen);
  });
});

describe('the wallet’s account of the token', () => {
  const hidden = { account: 'hidden' } as const;
  test('holds nothing once it is gone, and the reads are forgotten', async () => {
    const absence = { reads: 19, slot: 4_199n, since: NOW.getTime() - 10_000 };
    const { progress, absences } = settled([OURS], { ...hidden, absences: new Map([[ACCOUNT, absence]]) });
    expect(await progress).toMatchObject({ landed: { tokens: '0' } });
    expect(absences.size).toBe(0);
  });

  test('may be absent before the first link of all', async () => {
    const { progress } = settled([OURS], { ...hidden, isFirst: true });
    expect(await progress).toMatchObject({ landed: { tokens: '0' } });
  });

  test('holds nothing where it is no token account', async () => {
    const account = { owner: KEYRING.desk.address, lamports: 1n, data: new Uint8Array() };
    expect(await settled([OURS], { account }).progress).toMatchObject({ landed: { tokens: '0' } });
  });
});
