/** Tables of the ledger file. */
import type Database from 'libsql';

/** Format number in the file. Other formats are refused, because a local chain can be created again at any time. */
const FORMAT = 1;

const TABLES = `
  CREATE TABLE genesis (only INTEGER PRIMARY KEY CHECK (only = 1), hash BLOB NOT NULL, faucet_seed BLOB NOT NULL);
  CREATE TABLE slot_rates (
    first_slot INTEGER PRIMARY KEY, started_at INTEGER NOT NULL, slot_milliseconds REAL NOT NULL,
    first_height INTEGER NOT NULL);
  CREATE TABLE accounts (
    address BLOB PRIMARY KEY, lamports TEXT NOT NULL, owner BLOB NOT NULL, executable INTEGER NOT NULL,
    data BLOB NOT NULL, token_mint BLOB, token_owner BLOB, written_in INTEGER NOT NULL);
  CREATE INDEX accounts_by_owner ON accounts (owner, written_in, address);
  CREATE INDEX accounts_by_token_mint ON accounts (token_mint, written_in, address) WHERE token_mint IS NOT NULL;
  CREATE INDEX accounts_by_token_owner ON accounts (token_owner, written_in, address) WHERE token_owner IS NOT NULL;
  CREATE TABLE named_by_files (address BLOB PRIMARY KEY) WITHOUT ROWID;
  -- An account that did not exist then has no lamports.
  CREATE TABLE earlier_accounts (
    address BLOB NOT NULL, replaced_in INTEGER NOT NULL, lamports TEXT NOT NULL, owner BLOB NOT NULL,
    executable INTEGER NOT NULL, data BLOB NOT NULL, token_mint BLOB, token_owner BLOB, written_in INTEGER NOT NULL,
    UNIQUE (address, replaced_in));
  CREATE INDEX earlier_accounts_by_slot ON earlier_accounts (replaced_in);
  CREATE INDEX earlier_accounts_by_owner ON earlier_accounts (owner, written_in, address);
  CREATE INDEX earlier_accounts_by_token_mint ON earlier_accounts (token_mint, written_in, address)
    WHERE token_mint IS NOT NULL;
  CREATE INDEX earlier_accounts_by_token_owner ON earlier_accounts (token_owner, written_in, address)
    WHERE token_owner IS NOT NULL;
  CREATE TABLE transactions (
    sequence INTEGER PRIMARY KEY, signature BLOB NOT NULL UNIQUE, slot INTEGER NOT NULL,
    block_time INTEGER NOT NULL, error TEXT, wire BLOB NOT NULL, meta BLOB NOT NULL);
  CREATE INDEX transactions_by_slot ON transactions (slot);
  CREATE TABLE address_transactions (
    address BLOB NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (address, sequence)) WITHOUT ROWID;`;

/**
 * Creates the tables of a new file, in one commit with the writes of `begin`.
 * @throws Error if the file has another format, which must not be changed.
 */
export function createTables(database: Database.Database, path: string, begin: () => void): void {
  const [[format = 0] = []] = database.prepare('PRAGMA user_version').raw().all() as number[][];
  if (format === FORMAT) return;
  if (format !== 0)
    throw new Error(
      `the chain in ${path} has format ${format}, but this program reads format ${FORMAT}; use another folder`,
    );
  database.exec('BEGIN IMMEDIATE');
  database.exec(TABLES);
  begin();
  database.exec(`PRAGMA user_version = ${FORMAT}`);
  database.exec('COMMIT');
}
