/**
 * Permanent data of the chain, in one SQLite file: the current accounts, their states in slots that are not final yet,
 * every landed transaction, and the addresses in it. All writes of one iteration of the event loop share one commit.
 * `durable` waits for that commit.
 */
import { randomBytes } from 'node:crypto';
import { constants, copyFileSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import Database from 'libsql';
import { createTables } from './ledger-schema.ts';
import { LedgerBehind } from './rpc-error.ts';
import { rateAfterSkipping, type SlotRate, type SlotRates, slotAt } from './slot-rates.ts';

export interface StoredAccount {
  readonly address: Uint8Array;
  readonly lamports: bigint;
  readonly owner: Uint8Array;
  readonly executable: boolean;
  readonly data: Uint8Array;
  /** Set on token accounts, for lookups by mint and by owner. */
  readonly token?: { readonly mint: Uint8Array; readonly owner: Uint8Array } | undefined;
}

/** Outcome and location of a transaction. */
interface Landing {
  readonly signature: Uint8Array;
  readonly slot: number;
  /** Unix seconds. */
  readonly blockTime: number;
  /** JSON of the error; null if the transaction succeeded. */
  readonly error: string | null;
  readonly wire: Uint8Array;
}

export interface LandedTransaction extends Landing {
  /** JSON, as in the response of getTransaction. */
  readonly meta: string;
}

/** `sequence` counts the chain's transactions from 1, in the order of execution. */
export interface RecordedLanding extends Landing {
  readonly sequence: number;
}

export interface RecordedTransaction extends LandedTransaction, RecordedLanding {}

/** Accounts of one owner (a program) or, for token accounts, of one mint or of one owner (a wallet). */
export interface AccountsBy {
  readonly column: 'owner' | 'token_mint' | 'token_owner';
  readonly value: Uint8Array;
}

/**
 * Index of an account in the order of last writes. A rewritten account moves to the end, so a slow reader in this order
 * still reads every remaining account.
 */
export interface WritePlace {
  /** Slot of the last write. */
  readonly writtenIn: number;
  readonly address: Uint8Array;
}

export interface WrittenAccount extends StoredAccount, WritePlace {}

export interface Genesis {
  readonly hash: Uint8Array;
  readonly faucetSeed: Uint8Array;
}

/** File name in the folder of a chain. */
export const LEDGER_FILE = 'chain.db';

/** Thrown if another process has the file open. */
export class LedgerInUse extends Error {}

const SLOT_RATE_COLUMNS = 'first_slot, first_height, started_at, slot_milliseconds';
const ACCOUNT_COLUMNS = 'address, lamports, owner, executable, data';
const STORED_COLUMNS = 'lamports, owner, executable, data, token_mint, token_owner, written_in';
const LANDING_COLUMNS = 'sequence, signature, slot, block_time, error, wire';
const TRANSACTION_COLUMNS = `${LANDING_COLUMNS}, meta`;

/** Compression level; higher levels shrink meta data hardly further, and take much longer. */
const FAST_COMPRESSION = 1;

type AccountRow = [Buffer, string, Buffer, number, Buffer];
type LandingRow = [number, Buffer, number, number, string | null, Buffer];
/** Row with compressed meta data. */
type TransactionRow = [...LandingRow, Buffer];
type Value = Uint8Array | string | number | null;

export class Ledger {
  readonly genesis: Genesis;
  /** Slot rates when the ledger was opened. */
  readonly slotRates: SlotRates;
  readonly #path: string;
  readonly #database: Database.Database;
  readonly #queries = new Map<string, ReturnType<Database.Database['prepare']>>();
  #lastSequence: number;
  #commit: Promise<void> | undefined;
  #inTransaction = false;
  /** Last slot up to which replaced states are deleted. */
  #finalSlot = -1;
  /** Slots with readers, one entry per reader. */
  readonly #heldSlots: number[] = [];

  /**
   * Opens the file; creates a missing one, with a new genesis.
   * @throws LedgerInUse
   */
  constructor(path: string, slotMilliseconds: number, now: number) {
    this.#path = path;
    this.#database = open(path);
    createTables(this.#database, path, () => {
      this.#run('INSERT INTO genesis VALUES (1, ?, ?)', randomBytes(32), randomBytes(32));
      // Slot 0 is the genesis: no transaction lands in it, and its state is final from the start.
      const startedAt = now - slotMilliseconds;
      this.#insertSlotRate({ firstSlot: 0, firstHeight: 0, startedAt, slotMilliseconds });
    });
    const [genesis] = this.#all<[Buffer, Buffer]>('SELECT hash, faucet_seed FROM genesis');
    if (genesis === undefined) throw new Error(`the chain in ${path} has no genesis; use another folder`);
    this.genesis = { hash: genesis[0], faucetSeed: genesis[1] };
    this.#lastSequence = this.#all<[number | null]>('SELECT max(sequence) FROM transactions')[0]?.[0] ?? 0;
    this.slotRates = this.#continueSlots(slotMilliseconds, now);
  }

  /** Number of transactions up to and including a slot. */
  transactionCount(slot: number): number {
    return (
      this.#all<[number]>(
        'SELECT sequence FROM transactions WHERE slot <= ? ORDER BY slot DESC, sequence DESC LIMIT 1',
        slot,
      )[0]?.[0] ?? 0
    );
  }

  get isEmpty(): boolean {
    return this.#lastSequence === 0;
  }

  /** Slot of the latest transaction; 0 without transactions. */
  get newestSlot(): number {
    return this.#all<[number | null]>('SELECT max(slot) FROM transactions')[0]?.[0] ?? 0;
  }

  /**
   * Writes a transaction and the accounts that it changed into the open commit. An account without lamports is deleted.
   * Reads return the writes immediately. The writes are on disk when `durable` resolves. The earlier states of the accounts
   * are retained until the transaction's slot is final. `finalSlot` is the latest final slot at the time of the transaction.
   * @throws LedgerBehind if the write fails, because memory is then ahead of the disk.
   */
  record(
    transaction: LandedTransaction,
    addresses: Iterable<Uint8Array>,
    accounts: readonly StoredAccount[],
    finalSlot: number,
  ): void {
    try {
      this.#begin();
      this.#forgetUpTo(finalSlot);
      const sequence = this.#lastSequence + 1;
      this.#run(
        `INSERT INTO transactions (${TRANSACTION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
        sequence,
        transaction.signature,
        transaction.slot,
        transaction.blockTime,
        transaction.error,
        transaction.wire,
        deflateRawSync(transaction.meta, { level: FAST_COMPRESSION }),
      );
      this.#lastSequence = sequence;
      for (const address of addresses) {
        this.#run('INSERT INTO address_transactions VALUES (?, ?)', address, sequence);
      }
      for (const account of accounts) {
        this.#keepEarlier(account.address, transaction.slot);
        this.#store(account, transaction.slot);
      }
    } catch (error) {
      throw new LedgerBehind(error);
    }
  }

  /** Writes accounts that no transaction created, as at genesis. They count as written in slot 0. */
  seed(accounts: readonly StoredAccount[]): void {
    this.#begin();
    for (const account of accounts) this.#store(account, 0);
  }

  /** Filters the addresses that no earlier file named. */
  notNamedByFiles(addresses: readonly Uint8Array[]): Uint8Array[] {
    return addresses.filter(
      (address) => this.#all('SELECT 1 FROM named_by_files WHERE address = ?', address).length === 0,
    );
  }

  /** Writes accounts from files, and all addresses in those files, in one commit. */
  load(accounts: readonly StoredAccount[], named: readonly Uint8Array[]): void {
    this.seed(accounts);
    for (const address of named) this.#run('INSERT INTO named_by_files VALUES (?)', address);
  }

  /** Adds a rate, which applies from its first slot on. */
  addSlotRate(rate: SlotRate): void {
    this.#begin();
    this.#insertSlotRate(rate);
  }

  /** Resolves when all writes so far are on disk. */
  durable(): Promise<void> {
    return this.#commit ?? Promise.resolve();
  }

  /** Reads a page in the order of rows, for restoring; `after` is the last row of the previous page. */
  accountsAfter(after: number, limit: number): { readonly row: number; readonly account: StoredAccount }[] {
    return this.#all<[number, ...AccountRow]>(
      `SELECT rowid, ${ACCOUNT_COLUMNS} FROM accounts WHERE rowid > ? ORDER BY rowid LIMIT ?`,
      after,
      limit,
    ).map(([row, ...columns]) => ({ row, account: accountOf(columns) }));
  }

  /** State of an account at the end of a slot, if it has changed since; without lamports if it did not exist. */
  earlierAccount(address: Uint8Array, slot: number): StoredAccount | undefined {
    return this.#all<AccountRow>(
      `SELECT ${ACCOUNT_COLUMNS} FROM earlier_accounts WHERE address = ? AND replaced_in > ?
       ORDER BY replaced_in LIMIT 1`,
      address,
      slot,
    ).map(accountOf)[0];
  }

  /**
   * Reads the next accounts in the order of last writes, as of the end of a slot that is final, later or held. Fewer
   * than `limit` accounts mean the end.
   */
  accountsAfterPlace(by: AccountsBy, slot: number, after: WritePlace, limit: number): WrittenAccount[] {
    const { column, value } = by;
    // A current account is valid for the slot unless it was written later; then its earlier version is.
    return this.#all<[number, ...AccountRow]>(
      `SELECT written_in, ${ACCOUNT_COLUMNS} FROM accounts
       WHERE ${column} = ? AND written_in <= ? AND (written_in, address) > (?, ?)
       UNION ALL
       SELECT written_in, ${ACCOUNT_COLUMNS} FROM earlier_accounts
       WHERE ${column} = ? AND written_in <= ? AND (written_in, address) > (?, ?)
         AND replaced_in > ? AND lamports <> '0'
       ORDER BY written_in, address LIMIT ?`,
      ...[value, slot, after.writtenIn, after.address],
      ...[value, slot, after.writtenIn, after.address, slot],
      limit,
    ).map(([writtenIn, address, lamports, owner, executable, data]) => ({
      writtenIn,
      address,
      lamports: BigInt(lamports),
      owner,
      executable: executable === 1,
      data,
    }));
  }

  /** Accounts written after a slot, with their current state; undefined if they are deleted. */
  writtenAfter(
    slot: number,
  ): { readonly address: Uint8Array; readonly account: WrittenAccount | undefined }[] {
    return this.#all<[Buffer, number | null, ...AccountRow]>(
      `SELECT changed.address, written_in, ${ACCOUNT_COLUMNS.replace('address', 'accounts.address')}
       FROM (SELECT DISTINCT address FROM earlier_accounts WHERE replaced_in > ?) AS changed
       LEFT JOIN accounts ON accounts.address = changed.address`,
      slot,
    ).map(([address, writtenIn, ...columns]) => ({
      address,
      account: writtenIn === null ? undefined : { writtenIn, ...accountOf(columns) },
    }));
  }

  /** Retains the account states of a slot, which is final or later now, until the returned function is called. */
  hold(slot: number): () => void {
    this.#heldSlots.push(slot);
    return () => {
      this.#heldSlots.splice(this.#heldSlots.indexOf(slot), 1);
    };
  }

  landing(signature: Uint8Array): RecordedLanding | undefined {
    return this.#landings('WHERE signature = ?', signature)[0];
  }

  transaction(signature: Uint8Array): RecordedTransaction | undefined {
    return this.#transactions('WHERE signature = ?', signature)[0];
  }

  /** Transactions of a slot, in the order of execution. */
  landingsInSlot(slot: number): RecordedLanding[] {
    return this.#landings('WHERE slot = ? ORDER BY sequence', slot);
  }

  /** Wire bytes of the transactions that landed since a slot. */
  wireSince(slot: number): { readonly slot: number; readonly wire: Uint8Array }[] {
    return this.#all<[number, Buffer]>('SELECT slot, wire FROM transactions WHERE slot >= ?', slot).map(
      ([landed, wire]) => ({ slot: landed, wire }),
    );
  }

  /** Transactions of an address, newest first; `before` and `after` are sequences, exclusive. */
  landingsOf(
    address: Uint8Array,
    range: {
      readonly before: number;
      readonly after: number;
      readonly upToSlot: number;
      readonly limit: number;
    },
  ): RecordedLanding[] {
    return this.#landings(
      `JOIN address_transactions USING (sequence)
       WHERE address = ? AND sequence < ? AND sequence > ? AND slot <= ? ORDER BY sequence DESC LIMIT ?`,
      address,
      range.before,
      range.after,
      range.upToSlot,
      range.limit,
    );
  }

  /** Copies all writes so far into a new file. The copy is synchronous, so nothing is written during it. */
  copyTo(target: string): void {
    this.#mergeIntoFile();
    copyFile(this.#path, target);
  }

  /** Commits open writes, merges the write-ahead log into the file and closes it. */
  close(): void {
    this.#mergeIntoFile();
    this.#database.close();
  }

  #mergeIntoFile(): void {
    if (this.#inTransaction) this.#database.exec('COMMIT');
    this.#inTransaction = false;
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
  }

  #begin(): void {
    if (this.#inTransaction) return;
    this.#database.exec('BEGIN IMMEDIATE');
    this.#inTransaction = true;
    this.#commit = new Promise((resolve) => {
      setImmediate(() => {
        // An error here is not caught and ends the process: memory would otherwise be ahead of the disk.
        if (this.#inTransaction) this.#database.exec('COMMIT');
        this.#inTransaction = false;
        this.#commit = undefined;
        resolve();
      });
    });
  }

  /** Loads the slot rates. If the slot length changed, the chain continues with the new length from its current slot. */
  #continueSlots(slotMilliseconds: number, now: number): SlotRates {
    const rates = this.#all<[number, number, number, number]>(
      `SELECT ${SLOT_RATE_COLUMNS} FROM slot_rates ORDER BY first_slot`,
    ).map(([firstSlot, firstHeight, startedAt, length]) => ({
      firstSlot,
      firstHeight,
      startedAt,
      slotMilliseconds: length,
    }));
    if (rates.at(-1)?.slotMilliseconds === slotMilliseconds) return rates;
    const reached = Math.max(slotAt(rates, now), this.newestSlot);
    const rate = { ...rateAfterSkipping(rates, reached, reached + 1, now), slotMilliseconds };
    this.#insertSlotRate(rate);
    return [...rates, rate];
  }

  #insertSlotRate({ firstSlot, firstHeight, startedAt, slotMilliseconds }: SlotRate): void {
    this.#run(
      `INSERT INTO slot_rates (${SLOT_RATE_COLUMNS}) VALUES (?, ?, ?, ?)`,
      firstSlot,
      firstHeight,
      startedAt,
      slotMilliseconds,
    );
  }

  #store(account: StoredAccount, slot: number): void {
    if (account.lamports === 0n) {
      this.#run('DELETE FROM accounts WHERE address = ?', account.address);
      return;
    }
    this.#run(
      `INSERT INTO accounts (${ACCOUNT_COLUMNS}, token_mint, token_owner, written_in) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (address) DO UPDATE SET lamports = excluded.lamports, owner = excluded.owner,
         executable = excluded.executable, data = excluded.data, token_mint = excluded.token_mint,
         token_owner = excluded.token_owner, written_in = excluded.written_in`,
      account.address,
      String(account.lamports),
      account.owner,
      account.executable ? 1 : 0,
      account.data,
      account.token?.mint ?? null,
      account.token?.owner ?? null,
      slot,
    );
  }

  /** Retains only the first state in a slot, because reads are as of the end of a slot. */
  #keepEarlier(address: Uint8Array, slot: number): void {
    this.#run(
      `INSERT OR IGNORE INTO earlier_accounts (address, replaced_in, ${STORED_COLUMNS})
       SELECT ?, ?, ifnull(lamports, '0'), ifnull(owner, zeroblob(32)), ifnull(executable, 0),
         ifnull(data, x''), token_mint, token_owner, ifnull(written_in, 0)
       FROM (SELECT 1) LEFT JOIN accounts ON address = ?`,
      address,
      slot,
      address,
    );
  }

  #forgetUpTo(finalSlot: number): void {
    const unread = Math.min(finalSlot, ...this.#heldSlots);
    if (unread <= this.#finalSlot) return;
    this.#run('DELETE FROM earlier_accounts WHERE replaced_in <= ?', unread);
    this.#finalSlot = unread;
  }

  #landings(condition: string, ...values: readonly Value[]): RecordedLanding[] {
    return this.#all<LandingRow>(`SELECT ${LANDING_COLUMNS} FROM transactions ${condition}`, ...values).map(
      landingOf,
    );
  }

  #transactions(condition: string, ...values: readonly Value[]): RecordedTransaction[] {
    return this.#all<TransactionRow>(
      `SELECT ${TRANSACTION_COLUMNS} FROM transactions ${condition}`,
      ...values,
    ).map(([sequence, signature, slot, blockTime, error, wire, meta]) => ({
      ...landingOf([sequence, signature, slot, blockTime, error, wire]),
      meta: inflateRawSync(meta).toString(),
    }));
  }

  // Values are passed as one array: libsql aborts the process if the only argument is an object, such as a Buffer.
  #run(sql: string, ...values: readonly Value[]): void {
    this.#query(sql, false).run([...values]);
  }

  // Raw rows, because only these contain a BLOB as a Buffer.
  #all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    return this.#query(sql, true).all([...values]) as Row[];
  }

  #query(sql: string, rows: boolean) {
    const known = this.#queries.get(sql);
    if (known !== undefined) return known;
    const prepared = this.#database.prepare(sql);
    if (rows) prepared.raw();
    this.#queries.set(sql, prepared);
    return prepared;
  }
}

/**
 * Copies a ledger that no process has open.
 * @throws LedgerInUse
 */
export function copyLedger(path: string, target: string): void {
  const database = open(path);
  try {
    database.pragma('wal_checkpoint(TRUNCATE)');
    copyFile(path, target);
  } finally {
    database.close();
  }
}

function copyFile(path: string, target: string): void {
  copyFileSync(path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

function landingOf([sequence, signature, slot, blockTime, error, wire]: LandingRow): RecordedLanding {
  return { sequence, signature, slot, blockTime, error, wire };
}

function accountOf([address, lamports, owner, executable, data]: AccountRow): StoredAccount {
  return { address, lamports: BigInt(lamports), owner, executable: executable === 1, data };
}

function open(path: string): Database.Database {
  const database = new Database(path);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    // The first write takes the exclusive lock, which is then held.
    database.exec('BEGIN IMMEDIATE; COMMIT');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) {
      throw new LedgerInUse(`${path} is open in another process`);
    }
    throw error;
  }
}
