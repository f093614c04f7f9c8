/** Methods that run transactions: send, simulate, airdrop, and estimate the fee. */
import { base58, fromBase58, VERSION_1_SIZE, type WireTransaction } from 'levy-solana-wire';
import { encodeAccount, encodingOf, mintDecimals } from './account-encoding.ts';
import type { Simulation } from './bank.ts';
import type { Chain } from './chain.ts';
import type { Json } from './json.ts';
import {
  MESSAGE_TYPE,
  ownTransaction,
  readMessage,
  readTransaction,
  TRANSACTION_TYPE,
} from './read-transaction.ts';
import { type Methods, reachedSlot, reachedState, withContext } from './rpc-context.ts';
import { invalidParams, preflightFailure, signatureVerificationFailure } from './rpc-error.ts';
import {
  addressBytes,
  base64Bytes,
  type Config,
  configAt,
  isConfig,
  stringAt,
  stringList,
  wholeNumber,
} from './rpc-params.ts';
import { signaturesHold, signatureText } from './signatures.ts';
import type { Execution } from './svm.ts';
import { describeTransactionError, type TransactionError } from './transaction-errors.ts';
import { balanceChanges, returnData } from './transaction-meta.ts';

type TransactionEncoding = 'base58' | 'base64';

/** Number of characters of the largest transaction. */
const MAXIMUM_TEXT: Record<TransactionEncoding, number> = { base58: 5_594, base64: 5_464 };

export const transactionMethods: Methods = {
  sendTransaction(chain, params) {
    const config = configAt(params, 1);
    const transaction = transactionAt(params, config);
    const preflight = config.skipPreflight !== true;
    const { preflightCommitment, minContextSlot } = config;
    reachedSlot(chain, { commitment: preflight ? preflightCommitment : 'processed', minContextSlot });
    // Without preflight, a node accepts any parseable transaction, and the cluster drops unsigned ones.
    if (!signaturesHold(transaction)) {
      if (preflight) throw signatureVerificationFailure();
      return signatureText(transaction);
    }
    const { landed, execution } = chain.bank.submit(transaction, preflight);
    refuseFailedLookup(execution.error);
    if (!landed && preflight && execution.error !== null) {
      throw preflightFailure(describeTransactionError(execution.error), simulationResult(execution));
    }
    return signatureText(transaction);
  },

  simulateTransaction(chain, params) {
    const config = configAt(params, 1);
    reachedSlot(chain, config);
    const transaction = transactionAt(params, config);
    const replace = config.replaceRecentBlockhash === true;
    if (replace && config.sigVerify === true) {
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    }
    if (config.sigVerify === true && !signaturesHold(transaction)) throw signatureVerificationFailure();
    const simulation = chain.bank.simulate(transaction, { anyBlockhash: replace });
    refuseFailedLookup(simulation.execution.error);
    const slot = chain.clock.slot();
    const replacement = replace
      ? {
          blockhash: chain.clock.blockhashText(slot),
          lastValidBlockHeight: chain.clock.lastValidHeight(slot),
        }
      : null;
    return withContext(slot, {
      ...simulationResult(simulation.execution),
      accounts: simulatedAccounts(chain, transaction, simulation, config),
      innerInstructions: config.innerInstructions === true ? innerInstructions(simulation) : null,
      replacementBlockhash: replacement,
      ...simulatedBalances(simulation),
    });
  },

  requestAirdrop(chain, params) {
    const address = addressBytes(params[0]);
    const lamports = BigInt(wholeNumber(params[1], 'lamports'));
    const blockhash = chain.clock.blockhash(chain.clock.slot());
    const transaction = ownTransaction(chain.faucet.airdrop(address, lamports, blockhash));
    const { execution } = chain.bank.submit(transaction, true);
    if (execution.error !== null) {
      throw preflightFailure(describeTransactionError(execution.error), simulationResult(execution));
    }
    return signatureText(transaction);
  },

  getFeeForMessage(chain, params) {
    const bytes = decodeText(stringAt(params, 0, 'data'), 'base64', MESSAGE_TYPE);
    const state = reachedState(chain, configAt(params, 1));
    return withContext(state.slot, chain.bank.feeFor(readMessage(bytes), state) ?? null);
  },
};

function transactionAt(params: readonly unknown[], config: Config): WireTransaction {
  const encoding = config.encoding ?? 'base58';
  if (encoding !== 'base58' && encoding !== 'base64') {
    throw invalidParams(`unsupported encoding: ${String(encoding)}. Supported encodings: base58, base64`);
  }
  return readTransaction(decodeText(stringAt(params, 0, 'data'), encoding, TRANSACTION_TYPE));
}

function decodeText(text: string, encoding: TransactionEncoding, type: string): Uint8Array {
  const limit = MAXIMUM_TEXT[encoding];
  if (text.length > limit) {
    throw invalidParams(
      `${encoding} encoded ${type} too large: ${text.length} bytes (max: encoded/raw ${limit}/${VERSION_1_SIZE})`,
    );
  }
  const bytes = encoding === 'base64' ? base64Bytes(text) : fromBase58(text);
  if (bytes === undefined) throw invalidParams(`invalid ${encoding} encoding: InvalidByte`);
  return bytes;
}

/** A node resolves lookup tables first, so their failures are returned as invalid parameters. */
function refuseFailedLookup(error: TransactionError | null): void {
  if (error !== null && typeof error === 'string' && error.includes('AddressLookupTable')) {
    throw invalidParams(`invalid transaction: ${describeTransactionError(error)}`);
  }
}

function simulationResult(execution: Execution) {
  return {
    accounts: null,
    err: execution.error,
    innerInstructions: null,
    loadedAccountsDataSize: execution.loadedBytes,
    logs: execution.logs,
    replacementBlockhash: null,
    returnData: returnData(execution),
    unitsConsumed: execution.unitsConsumed,
  };
}

function simulatedBalances({ keys, effects }: Simulation): { readonly [key: string]: Json } {
  if (keys === undefined || effects === undefined) {
    return {
      fee: null,
      loadedAddresses: null,
      postBalances: null,
      postTokenBalances: null,
      preBalances: null,
      preTokenBalances: null,
    };
  }
  return { fee: effects.fee, ...balanceChanges(keys, effects) };
}

function simulatedAccounts(
  chain: Chain,
  transaction: WireTransaction,
  { execution, keys, effects }: Simulation,
  config: Config,
): Json {
  const wanted = config.accounts;
  if (wanted === undefined || wanted === null) return null;
  if (!isConfig(wanted)) throw invalidParams('Invalid params: invalid accounts.');
  const encoding = encodingOf(wanted, 'base64');
  if (encoding === 'binary' || encoding === 'base58') throw invalidParams('base58 encoding not supported');
  const maximum = keys?.keys.length ?? transaction.message.accountKeys.length;
  const addresses = stringList(wanted.addresses, Number.MAX_SAFE_INTEGER);
  if (addresses.length > maximum) throw invalidParams(`Too many accounts provided; max ${maximum}`);
  return addresses.map((text) => {
    const address = addressBytes(text);
    if (execution.error !== null || effects === undefined) return null;
    const account = effects.others.account(address);
    return account ? encodeAccount(account, encoding, undefined, mintDecimals(chain.svm)) : null;
  });
}

/** Uses the partially decoded form, which a node uses for programs that it cannot parse. */
function innerInstructions({ execution, keys }: Simulation): Json {
  const addressAt = (index: number): string => base58(keys?.keys[index] ?? new Uint8Array());
  return execution.innerInstructions.map((group) => ({
    index: group.index,
    instructions: group.instructions.map((call) => ({
      programId: addressAt(call.programIdIndex),
      accounts: [...call.accounts].map(addressAt),
      data: base58(call.data),
      stackHeight: call.stackHeight,
    })),
  }));
}
