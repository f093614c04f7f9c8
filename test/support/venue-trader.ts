/** Actions of other traders on the launch venue: buying, and attempts to withdraw liquidity. Built with the venue's own SDK. */
import * as sdk from '@meteora-ag/cp-amm-sdk';
import { NATIVE_MINT, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Connection, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import BN from 'bn.js';
import type { Instruction } from 'levy-solana-wire';

/** The token's pool against SOL, by the venue's own SDK. */
export const poolOf = (mint: string): PublicKey =>
  sdk.deriveCustomizablePoolAddress(new PublicKey(mint), NATIVE_MINT);

export interface VenueTrader {
  /** Spends so many lamports on tokens; all that must be known of the pool are its account's bytes. */
  buy(buyer: string, lamports: bigint, poolData: Uint8Array): Promise<readonly Instruction[]>;
  /** Sells so many base units, the token's tax among them. */
  sell(seller: string, amount: bigint, poolData: Uint8Array): Promise<readonly Instruction[]>;
  /** Takes liquidity out of a position. */
  withdraw(owner: string, positionMint: string, liquidity: bigint): Promise<readonly Instruction[]>;
  /** Makes the pool of the token, as anybody may who holds some, with whatever range and amount. */
  squat(squatter: {
    readonly creator: string;
    readonly positionMint: string;
    readonly liquidity: bigint;
    readonly sqrtMinPrice: bigint;
    readonly sqrtMaxPrice: bigint;
    readonly locked: boolean;
  }): Promise<readonly Instruction[]>;
}

/** For one token. Needs no node: everything is built offline. */
export function createVenueTrader(mint: string): VenueTrader {
  const amm = new sdk.CpAmm(new Connection('http://127.0.0.1:9'));
  const token = new PublicKey(mint);
  const pool = poolOf(mint);
  const parties = {
    pool,
    tokenAMint: token,
    tokenBMint: NATIVE_MINT,
    tokenAVault: sdk.deriveTokenVaultAddress(token, pool),
    tokenBVault: sdk.deriveTokenVaultAddress(NATIVE_MINT, pool),
    tokenAProgram: TOKEN_2022_PROGRAM_ID,
    tokenBProgram: TOKEN_PROGRAM_ID,
  };
  const positionOf = (positionMint: string) => ({
    position: sdk.derivePositionAddress(new PublicKey(positionMint)),
    positionNftAccount: sdk.derivePositionNftAccount(new PublicKey(positionMint)),
  });
  async function swap(
    trader: string,
    amount: bigint,
    poolData: Uint8Array,
    [from, to]: [PublicKey, PublicKey],
  ) {
    const { instructions } = await amm.swap({
      ...parties,
      payer: new PublicKey(trader),
      inputTokenMint: from,
      outputTokenMint: to,
      amountIn: new BN(amount.toString()),
      minimumAmountOut: new BN(0),
      referralTokenAccount: null,
      poolState: amm._program.coder.accounts.decode('pool', Buffer.from(poolData)),
    });
    return instructions.map(plain);
  }
  return {
    buy: (buyer, lamports, poolData) => swap(buyer, lamports, poolData, [NATIVE_MINT, token]),
    sell: (seller, amount, poolData) => swap(seller, amount, poolData, [token, NATIVE_MINT]),
    async withdraw(owner, positionMint, liquidity) {
      const { instructions } = await amm.removeLiquidity({
        ...parties,
        ...positionOf(positionMint),
        owner: new PublicKey(owner),
        liquidityDelta: new BN(liquidity.toString()),
        tokenAAmountThreshold: new BN(0),
        tokenBAmountThreshold: new BN(0),
        vestings: [],
        currentPoint: new BN(0),
      });
      return instructions.map(plain);
    },
    async squat(squatter) {
      const key = new PublicKey(squatter.creator);
      const { tx } = await amm.createCustomPool({
        ...parties,
        payer: key,
        creator: key,
        positionNft: new PublicKey(squatter.positionMint),
        tokenAAmount: new BN(1),
        tokenBAmount: new BN(0),
        sqrtMinPrice: new BN(squatter.sqrtMinPrice.toString()),
        sqrtMaxPrice: new BN(squatter.sqrtMaxPrice.toString()),
        liquidityDelta: new BN(squatter.liquidity.toString()),
        initSqrtPrice: new BN(squatter.sqrtMinPrice.toString()),
        poolFees: {
          baseFee: sdk.getBaseFeeParams({
            baseFeeMode: sdk.BaseFeeMode.FeeTimeSchedulerLinear,
            feeTimeSchedulerParam: {
              startingFeeBps: 100,
              endingFeeBps: 100,
              numberOfPeriod: 0,
              totalDuration: 0,
            },
          }),
          compoundingFeeBps: 0,
          padding: 0,
          dynamicFee: null,
        },
        hasAlphaVault: false,
        activationType: sdk.ActivationType.Timestamp,
        collectFeeMode: sdk.CollectFeeMode.OnlyB,
        activationPoint: null,
        isLockLiquidity: squatter.locked,
      });
      return tx.instructions.map(plain);
    },
  };
}

function plain({ programId, keys, data }: TransactionInstruction): Instruction {
  return {
    program: programId.toBase58(),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey.toBase58(),
      signer: isSigner,
      writable: isWritable,
    })),
    data,
  };
}
