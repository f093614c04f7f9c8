/** Loads accounts from files in the format of `solana account --output json`: each once, and never over an existing account. */
import { base58, keyOf, parseAddress, sameBytes, U64_MAX } from 'levy-solana-wire';
import { stored } from './bank.ts';
import { parseExactJson } from './exact-json.ts';
import { FileRefused, readGivenFile } from './given-file.ts';
import type { Ledger } from './ledger.ts';
import { programKeys } from './program-keys.ts';
import { base64Bytes, isConfig } from './rpc-params.ts';
import { type KeyedAccount, MAXIMUM_ACCOUNT_SIZE, type Svm } from './svm.ts';
import { sameAccount } from './transaction-meta.ts';

interface FiledAccount extends KeyedAccount {
  readonly file: string;
}

/**
 * Loads the accounts that no earlier file named. Later starts do not load them again, so changes and deletions on the
 * chain remain. Returns the addresses of existing accounts, which are not changed. `option` is the
 * user's name for the list of files.
 * @throws FileRefused; nothing is written then.
 */
export function loadAccounts(svm: Svm, ledger: Ledger, files: readonly string[], option: string): string[] {
  const accounts = distinct(
    files.flatMap((file) => readAccounts(file, option)),
    option,
  );
  const named = ledger.notNamedByFiles(accounts.map(({ address }) => address));
  if (named.length === 0) return [];
  const isNew = new Set(named.map(keyOf));
  const fresh = accounts.filter(({ address }) => isNew.has(keyOf(address)));
  const kept = fresh.filter(({ address }) => svm.account(address) !== undefined);
  const wanted = fresh.filter((account) => !kept.includes(account));
  // Setting a program's account loads the program, so the account with its code must be set first.
  for (const account of wanted) if (!account.executable) put(svm, account, option);
  for (const account of wanted) if (account.executable) put(svm, account, option);
  ledger.load(
    wanted.map(({ address }) => stored(address, svm.account(address))),
    named,
  );
  return kept.map(({ address }) => base58(address));
}

function put(svm: Svm, account: FiledAccount, option: string): void {
  const { address, file, executable, owner, data } = account;
  const refuse = (reason: string) => new FileRefused(option, file, `${base58(address)} ${reason}`);
  const code =
    executable && sameBytes(owner, programKeys.upgradeableLoader) ? data.subarray(4, 36) : undefined;
  if (code !== undefined && svm.balance(code) === undefined) {
    throw refuse(
      `is a program whose code account, ${base58(code)}, is missing; add a file with that account`,
    );
  }
  try {
    svm.setAccount(address, account);
  } catch (error) {
    throw refuse(`is not a valid account (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** Removes repetitions: two dumps may contain the same account. */
function distinct(accounts: readonly FiledAccount[], option: string): FiledAccount[] {
  const byAddress = new Map<string, FiledAccount>();
  for (const account of accounts) {
    const other = byAddress.get(keyOf(account.address));
    if (other !== undefined && !sameAccount(other, account)) {
      const reason = `${base58(account.address)} differs from the same account in ${other.file}`;
      throw new FileRefused(option, account.file, reason);
    }
    byAddress.set(keyOf(account.address), account);
  }
  return [...byAddress.values()];
}

/** Reads a file with one account, or with a list of accounts. */
function readAccounts(file: string, option: string): FiledAccount[] {
  const text = readGivenFile(option, file).toString('utf8');
  let parsed: unknown;
  try {
    parsed = parseExactJson(text);
  } catch {
    throw new FileRefused(option, file, 'the content must be JSON');
  }
  const entries: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return entries.map((entry, index) => {
    const account = readAccount(entry);
    if (typeof account !== 'string') return { ...account, file };
    const which = Array.isArray(parsed) ? `number ${index + 1}` : 'the content';
    const reason = `${which} must have the format of \`solana account --output json\`: ${account}`;
    throw new FileRefused(option, file, reason);
  });
}

/** Returns the account, or an error. Ignores the rent epoch, because all accounts here are rent-exempt. */
function readAccount(entry: unknown): KeyedAccount | string {
  if (!isConfig(entry) || !isConfig(entry.account)) return '`pubkey` and `account` are required';
  const { account } = entry;
  const address = addressIn(entry.pubkey);
  if (address === undefined) return '`pubkey` must be an address';
  const owner = addressIn(account.owner);
  if (owner === undefined) return '`owner` must be an address';
  const lamports = lamportsIn(account.lamports);
  if (lamports === undefined) return `\`lamports\` must be a whole number from 1 to ${U64_MAX}`;
  if (typeof account.executable !== 'boolean') return '`executable` must be true or false';
  const data = dataIn(account.data);
  if (data === undefined) return '`data` must be a list of base64 text and "base64"';
  if (data.length > MAXIMUM_ACCOUNT_SIZE) return '`data` is too large for an account';
  if (account.space !== undefined && account.space !== data.length) {
    return '`space` must equal the length of `data`, which may be truncated';
  }
  return { address, owner, lamports, executable: account.executable, data };
}

function addressIn(value: unknown): Uint8Array | undefined {
  return typeof value === 'string' ? parseAddress(value) : undefined;
}

function lamportsIn(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  if (!/^[1-9]\d{0,19}$/.test(String(value))) return undefined;
  const lamports = BigInt(value);
  return lamports > U64_MAX ? undefined : lamports;
}

function dataIn(value: unknown): Uint8Array | undefined {
  if (!Array.isArray(value)) return undefined;
  const [text, encoding]: readonly unknown[] = value;
  return typeof text === 'string' && encoding === 'base64' ? base64Bytes(text) : undefined;
}
