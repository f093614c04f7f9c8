/** A taxed token, its holders and its distribution wallet on a forking ledger, and strangers who meddle. */
import * as spl from '@solana/spl-token';
import { SystemProgram } from '@solana/web3.js';
import {
  addressOf,
  associatedTokenAddress,
  compileVersion1Message,
  decodeTransaction,
  type Instruction,
  isWritable,
  readTokenAccount,
  SYSTEM_PROGRAM,
  signTransaction,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from 'levy-solana-wire';
import { creationInstructions, metadataAccountSize } from '../../../src/chain/creation-transaction.ts';
import { createKeyPair, type KeyPair } from '../../../src/chain/keys.ts';
import { taxedTransferInstruction } from '../../../src/chain/payment-instructions.ts';
import { transferInstruction } from '../../../src/chain/system-instructions.ts';
import { instructionOf, publicKey, tokenInstruction } from '../../../src/chain/web3-instruction.ts';
import {
  createAssociatedTokenAccount,
  harvestWithheldTax,
  setTransferFee,
  syncNative,
} from '../token-instructions.ts';
import type { FaultyNetwork } from './faulty-network.ts';
import type { ForkingLedger } from './forking-ledger.ts';
import type { Random } from './random.ts';

const SOL = 1_000_000_000n;
const CONFIG = { computeUnitLimit: 1_000_000, loadedAccountsDataSizeLimit: 1_000_000 };
export const DECIMALS = 6;
export const SUPPLY = 1_000_000_000_000n;

/** Signed by all keys, of which the first pays. */
export function signed(
  instructions: readonly Instruction[],
  keys: readonly KeyPair[],
  recentBlockhash: string,
): Uint8Array {
  const payer = keys[0]?.address ?? '';
  const { bytes } = compileVersion1Message({ payer, recentBlockhash, instructions, config: CONFIG });
  return signTransaction(bytes, new Map(keys.map((key) => [key.address, key.sign(bytes)])));
}

export interface TokenWorld {
  readonly mint: string;
  readonly creator: KeyPair;
  readonly holders: readonly KeyPair[];
  readonly stranger: KeyPair;
  /** Has lamports, and does nothing by itself. */
  readonly desk: KeyPair;
  tokensOf(owner: string): string;
  /** Lands in the current block, or throws what the chain says. */
  execute(instructions: readonly Instruction[], keys: readonly KeyPair[]): void;
  /** Makes an associated account for any address. */
  openAccount(owner: string): void;
  /** Transfer from the creator, taxed at the token's first rate. */
  giveTokens(to: string, amount: bigint): void;
  /** In the current block, by the creator, at whatever rate applies; nothing happens where the chain refuses it. */
  trade(to: string, amount: bigint): void;
}

export interface WorldOptions {
  readonly holders: number;
  readonly wallet: KeyPair;
  readonly distributor: KeyPair;
  readonly basisPoints: number;
  /** Keys are the same for all seeds: to make one takes as long as a transaction. */
  readonly random: Random;
}

/** The mint is the same for all seeds as well. */
const tokenAddresses = new Map<string, string>();
const keys = new Map<number, KeyPair>();

export function keyOf(number: number): KeyPair {
  const known = keys.get(number);
  if (known !== undefined) return known;
  const bytes = Buffer.alloc(32, 7);
  bytes.writeUInt32LE(number);
  const made = createKeyPair(bytes);
  keys.set(number, made);
  return made;
}

export function createTokenWorld(ledger: ForkingLedger, options: WorldOptions): TokenWorld {
  const { wallet, distributor, basisPoints, random } = options;
  const draws = random.of('world');
  const [creator, mint, stranger, desk] = [keyOf(1), keyOf(2), keyOf(3), keyOf(4)];
  const holders = Array.from({ length: options.holders }, (_, index) => keyOf(100 + index));
  const tokensOf = (owner: string) => {
    const known = tokenAddresses.get(owner);
    if (known !== undefined) return known;
    const derived = associatedTokenAddress(owner, mint.address);
    tokenAddresses.set(owner, derived);
    return derived;
  };

  function execute(instructions: readonly Instruction[], signers: readonly KeyPair[]): void {
    const { blockhash } = ledger.at(ledger.slot());
    const { error } = ledger.land(signed(instructions, signers, blockhash));
    if (error !== undefined) throw new Error(error);
  }

  const lamports = (address: string, amount: bigint) =>
    ledger.put(address, { owner: SYSTEM_PROGRAM, lamports: amount, data: new Uint8Array() });
  for (const { address } of [creator, stranger, desk, distributor]) lamports(address, 1_000n * SOL);
  for (const { address } of holders) if (!draws.chance(0.3)) lamports(address, SOL);

  const terms = {
    creator: creator.address,
    mint: mint.address,
    distributionWallet: wallet.address,
    name: 'Levy Example',
    symbol: 'LEVY',
    uri: 'https://levy.example/metadata.json',
    decimals: DECIMALS,
    supply: SUPPLY,
    transferFeeBasisPoints: basisPoints,
    transferFeeAdjustable: true,
    immutableMetadata: true,
  };
  execute(creationInstructions({ ...terms, mintRent: ledger.rent(metadataAccountSize(terms)) }), [
    creator,
    mint,
  ]);
  const openAccount = (owner: string) =>
    execute(
      [
        createAssociatedTokenAccount({
          payer: creator.address,
          tokenAccount: tokensOf(owner),
          owner,
          mint: mint.address,
        }),
      ],
      [creator],
    );
  for (const owner of [wallet, stranger, ...holders]) openAccount(owner.address);
  const parts = { mint: mint.address, tokensOf };
  const world: TokenWorld = {
    ...parts,
    creator,
    holders,
    stranger,
    desk,
    execute,
    openAccount,
    giveTokens: (to, amount) => execute([transfer(parts, creator, to, amount, basisPoints)], [creator]),
    trade: (to, amount) =>
      void ledger.land(
        signed(
          [plainTransfer(parts, creator, tokensOf(to), amount)],
          [creator],
          ledger.at(ledger.slot()).blockhash,
        ),
      ),
  };
  for (const { address } of [stranger, ...holders])
    execute(
      [transfer(world, creator, address, BigInt(draws.between(1, 5_000_000)) * 1_000n, basisPoints)],
      [creator],
    );
  ledger.nextSlot();
  ledger.finalizeUpTo(ledger.slot());
  return world;
}

function transfer(
  { mint, tokensOf }: Pick<TokenWorld, 'mint' | 'tokensOf'>,
  from: KeyPair,
  to: string,
  amount: bigint,
  basisPoints: number,
): Instruction {
  return taxedTransferInstruction({
    mint,
    decimals: DECIMALS,
    from: tokensOf(from.address),
    to: tokensOf(to),
    authority: from.address,
    amount,
    fee: (amount * BigInt(basisPoints) + 9_999n) / 10_000n,
  });
}

/** Transfer without naming the fee, so that it is right at any rate. */
function plainTransfer(
  world: Pick<TokenWorld, 'mint' | 'tokensOf'>,
  from: KeyPair,
  to: string,
  amount: bigint,
): Instruction {
  const [source, create] = [world.tokensOf(from.address), spl.createTransferCheckedInstruction];
  return tokenInstruction(
    create,
    source,
    world.mint,
    to,
    from.address,
    amount,
    DECIMALS,
    [],
    TOKEN_2022_PROGRAM,
  );
}

export interface StrangerOptions {
  readonly network: FaultyNetwork;
  readonly world: TokenWorld;
  readonly wallet: string;
  /** Transactions that the wallet or the distributor signed, the newest last; strangers interfere with their accounts. */
  readonly seen: readonly Uint8Array[];
  readonly random: Random;
  readonly changeTax: boolean;
}

/** Actions of strangers in a slot, as real transactions; those that the chain refuses have no effect. */
export function createStrangers(options: StrangerOptions): () => void {
  const { network, world, wallet, seen, random, changeTax } = options;
  const { ledger } = network;
  const draws = random.of('strangers');
  const { stranger, holders, mint, creator, tokensOf } = world;

  const attempt = (instructions: readonly Instruction[], signers: readonly KeyPair[]) =>
    void ledger.land(signed(instructions, signers, ledger.at(ledger.slot()).blockhash));

  /** An account that something signed would write, whether it is there or not. */
  function target(): string | undefined {
    const recent = seen.slice(-8);
    if (recent.length === 0) return undefined;
    const decoded = decodeTransaction(draws.pick(recent));
    if (!decoded.ok) return undefined;
    const { message } = decoded.transaction;
    const names = message.accountKeys
      .map(addressOf)
      .filter((_, index) => index >= message.requiredSignatures && isWritable(message, index, 0));
    return names.length === 0 ? undefined : draws.pick(names);
  }

  const mild: readonly (() => void)[] = [
    function feeds() {
      const to = target();
      if (to !== undefined)
        attempt(
          [
            transferInstruction({
              from: stranger.address,
              to,
              lamports: BigInt(draws.pick([1, 890_880, 3_000_000, 50_000_000])),
            }),
            ...(draws.chance(0.5) && ledger.at(ledger.slot()).account(to)?.owner === TOKEN_PROGRAM
              ? [syncNative(to)]
              : []),
          ],
          [stranger],
        );
    },
    function trades() {
      const [from, to] = [draws.pick(holders), draws.pick([...holders, stranger])];
      attempt(
        [plainTransfer(world, from, tokensOf(to.address), BigInt(draws.between(1, 900_000)))],
        [stranger, from],
      );
    },
    function harvests() {
      attempt(
        [
          harvestWithheldTax(
            mint,
            draws
              .shuffled(holders)
              .slice(0, 3)
              .map(({ address }) => tokensOf(address)),
          ),
        ],
        [stranger],
      );
    },
    function givesTokens() {
      attempt(
        [plainTransfer(world, stranger, tokensOf(wallet), BigInt(draws.between(1, 50_000)))],
        [stranger],
      );
    },
    function reopensItsAccount() {
      const { address } = draws.pick(holders);
      attempt(
        [
          createAssociatedTokenAccount({
            payer: stranger.address,
            tokenAccount: tokensOf(address),
            owner: address,
            mint,
          }),
        ],
        [stranger],
      );
    },
    function asksForNoMemos() {
      const holder = draws.pick(holders);
      const account = tokensOf(holder.address);
      const stop = spl.createDisableRequiredMemoTransfersInstruction;
      attempt([tokenInstruction(stop, account, holder.address, [], TOKEN_2022_PROGRAM)], [stranger, holder]);
    },
  ];
  const deeds: readonly (() => void)[] = [
    function emptiesItsWallet() {
      const holder = draws.pick(holders);
      const held = ledger.at(ledger.slot()).account(holder.address)?.lamports ?? 0n;
      if (held > 0n)
        attempt(
          [transferInstruction({ from: holder.address, to: stranger.address, lamports: held })],
          [stranger, holder],
        );
    },
    function closesItsAccount() {
      const holder = draws.pick(holders);
      const account = ledger.at(ledger.slot()).account(tokensOf(holder.address));
      const tokens = account && readTokenAccount(account);
      if (tokens === undefined) return;
      const address = tokensOf(holder.address);
      attempt(
        [
          ...(tokens.amount > 0n
            ? [plainTransfer(world, holder, tokensOf(stranger.address), tokens.amount)]
            : []),
          harvestWithheldTax(mint, [address]),
          tokenInstruction(
            spl.createCloseAccountInstruction,
            address,
            stranger.address,
            holder.address,
            [],
            TOKEN_2022_PROGRAM,
          ),
        ],
        [stranger, holder],
      );
    },
    function becomesAProgramsAccount() {
      const holder = draws.pick(holders);
      // Assigned to the token program, with no data in it.
      const assigned = { accountPubkey: publicKey(holder.address), programId: spl.TOKEN_PROGRAM_ID };
      attempt([instructionOf(SystemProgram.assign(assigned))], [stranger, holder]);
    },
    function asksForMemos() {
      const holder = draws.pick(holders);
      const [account, owner] = [tokensOf(holder.address), holder.address];
      const [room, start] = [
        spl.createReallocateInstruction,
        spl.createEnableRequiredMemoTransfersInstruction,
      ];
      attempt(
        [
          tokenInstruction(
            room,
            account,
            stranger.address,
            [spl.ExtensionType.MemoTransfer],
            owner,
            [],
            TOKEN_2022_PROGRAM,
          ),
          tokenInstruction(start, account, owner, [], TOKEN_2022_PROGRAM),
        ],
        [stranger, holder],
      );
    },
    function changesTheTax() {
      if (changeTax)
        attempt(
          [
            setTransferFee({
              mint,
              authority: creator.address,
              basisPoints: draws.between(0, 1_000),
              maximumFee: draws.chance(0.3) ? BigInt(draws.between(0, 10_000)) : 2n ** 64n - 1n,
            }),
          ],
          [creator],
        );
    },
  ];
  return () => {
    // Most of the time nobody is put out of reach for good.
    const deed = draws.chance(0.75) ? draws.pick(mild) : draws.pick(deeds);
    deed();
  };
}
