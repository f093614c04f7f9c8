/** Encodes a recorded transaction for getTransaction and getBlock. */
import { base58, isWritable, type WireMessage, type WireTransaction } from 'levy-solana-wire';
import { type Json, RawJson } from './json.ts';
import type { RecordedTransaction } from './ledger.ts';
import { ownTransaction } from './read-transaction.ts';
import { invalidParams, unsupportedTransactionVersion } from './rpc-error.ts';
import { type Config, isConfig, optionalWholeNumber } from './rpc-params.ts';

export type TransactionForm = 'json' | 'jsonParsed' | 'base64' | 'base58' | 'binary';

const FORMS: readonly unknown[] = ['json', 'jsonParsed', 'base64', 'base58', 'binary'];

export function formOf(config: Config): TransactionForm {
  const form = config.encoding ?? 'json';
  if (!isForm(form)) throw invalidParams(`Invalid params: unknown variant \`${String(form)}\`.`);
  return form;
}

function isForm(value: unknown): value is TransactionForm {
  return FORMS.includes(value);
}

/** @throws RpcError -32015 if the caller did not declare support of the transaction's version. */
export function encodeTransaction(
  recorded: RecordedTransaction,
  form: TransactionForm,
  config: Config,
): { readonly meta: Json; readonly transaction: Json; readonly version?: Json } {
  const transaction = ownTransaction(recorded.wire);
  const { version } = transaction.message;
  const supported = optionalWholeNumber(
    config.maxSupportedTransactionVersion,
    'maxSupportedTransactionVersion',
  );
  if (version !== 'legacy' && (supported === undefined || version > supported)) {
    throw unsupportedTransactionVersion(version);
  }
  const meta = new RawJson(recorded.meta);
  const body = {
    meta: form === 'jsonParsed' ? parsedMeta(recorded.meta, transaction.message) : meta,
    transaction: encodeBody(transaction, form, recorded.meta),
  };
  return supported === undefined ? body : { ...body, version };
}

function encodeBody(transaction: WireTransaction, form: TransactionForm, meta: string): Json {
  switch (form) {
    case 'base64':
      return [Buffer.from(transaction.bytes).toString('base64'), 'base64'];
    case 'base58':
      return [base58(transaction.bytes), 'base58'];
    case 'binary':
      return base58(transaction.bytes);
    case 'json':
      return { signatures: transaction.signatures.map(base58), message: plainMessage(transaction.message) };
    case 'jsonParsed':
      return {
        signatures: transaction.signatures.map(base58),
        message: parsedMessage(transaction.message, meta),
      };
  }
}

function plainMessage(message: WireMessage): Json {
  return {
    header: {
      numRequiredSignatures: message.requiredSignatures,
      numReadonlySignedAccounts: message.readonlySigned,
      numReadonlyUnsignedAccounts: message.readonlyUnsigned,
    },
    accountKeys: message.accountKeys.map(base58),
    recentBlockhash: base58(message.recentBlockhash),
    instructions: message.instructions.map((instruction) => ({
      programIdIndex: instruction.programIndex,
      accounts: [...instruction.accountIndexes],
      data: base58(instruction.data),
      stackHeight: 1,
    })),
    addressTableLookups: lookupsOf(message),
    transactionConfig: message.config && { ...message.config },
  };
}

function lookupsOf(message: WireMessage): Json | undefined {
  if (message.version !== 0) return undefined;
  return message.lookups.map((lookup) => ({
    accountKey: base58(lookup.table),
    writableIndexes: [...lookup.writableIndexes],
    readonlyIndexes: [...lookup.readonlyIndexes],
  }));
}

interface StoredMeta {
  readonly loadedAddresses: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
}

interface KeyOfMessage {
  readonly pubkey: string;
  readonly signer: boolean;
  readonly writable: boolean;
  readonly source: 'transaction' | 'lookupTable';
}

function keysOf(message: WireMessage, meta: string): KeyOfMessage[] {
  const { loadedAddresses }: StoredMeta = JSON.parse(meta);
  const loaded = (pubkey: string, writable: boolean): KeyOfMessage => ({
    pubkey,
    signer: false,
    writable,
    source: 'lookupTable',
  });
  return [
    ...message.accountKeys.map(
      (key, index): KeyOfMessage => ({
        pubkey: base58(key),
        signer: index < message.requiredSignatures,
        writable: isWritable(message, index, 0),
        source: 'transaction',
      }),
    ),
    ...loadedAddresses.writable.map((key) => loaded(key, true)),
    ...loadedAddresses.readonly.map((key) => loaded(key, false)),
  ];
}

/** Uses the partially decoded form of instructions, which a node uses for programs that it cannot parse. */
function parsedMessage(message: WireMessage, meta: string): Json {
  const keys = keysOf(message, meta);
  return {
    accountKeys: keys.map((key) => ({ ...key })),
    recentBlockhash: base58(message.recentBlockhash),
    instructions: message.instructions.map((instruction) => ({
      programId: keys[instruction.programIndex]?.pubkey ?? '',
      accounts: [...instruction.accountIndexes].map((index) => keys[index]?.pubkey ?? ''),
      data: base58(instruction.data),
      stackHeight: 1,
    })),
    addressTableLookups: lookupsOf(message),
  };
}

function parsedMeta(meta: string, message: WireMessage): Json {
  const inner: unknown = JSON.parse(meta).innerInstructions;
  if (!Array.isArray(inner) || inner.length === 0) return new RawJson(meta);
  const keys = keysOf(message, meta);
  const addressAt = (index: unknown): string => (typeof index === 'number' && keys[index]?.pubkey) || '';
  const parsed = inner.filter(isConfig).map((group) => ({
    ...group,
    instructions: (Array.isArray(group.instructions) ? group.instructions : [])
      .filter(isConfig)
      .map((call) => ({
        programId: addressAt(call.programIdIndex),
        accounts: (Array.isArray(call.accounts) ? call.accounts : []).map(addressAt),
        data: call.data,
        stackHeight: call.stackHeight,
      })),
  }));
  // Replaced as text: other numbers above 2^53 in the meta data must not pass through JSON.parse.
  return new RawJson(
    meta.replace(
      /"innerInstructions":.*?,"logMessages":/s,
      () => `"innerInstructions":${JSON.stringify(parsed)},"logMessages":`,
    ),
  );
}
