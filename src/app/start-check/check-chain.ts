/** Asks the chain which one it is; of an embedded one, looks at its file. Changes nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { base58 } from 'levy-solana-wire';
import pTimeout from 'p-timeout';
import type { Values } from '../../config/variables.ts';
import { adapterFor } from '../adapters.ts';
import { checkFile, type LogFacts } from './check-log.ts';
import type { Findings } from './obstacle.ts';

/** Milliseconds. */
const PATIENCE = 10_000;

export async function checkChain(
  values: Pick<Values, 'chain' | 'dataDirectory'> & Partial<Pick<Values, 'chainWitness'>>,
  log: LogFacts,
  findings: Findings,
): Promise<void> {
  const { chain, chainWitness, dataDirectory } = values;
  const genesis = chain.isEmbedded
    ? await embeddedGenesis(join(dataDirectory, 'chain', 'chain.db'), log, findings)
    : await findings.attempt(() => genesisAt(chain.url, 'the chain (CHAIN_URL)'));
  const begunOn = log.begunWith?.genesisHash;
  if (genesis === undefined) return;
  if (begunOn !== undefined && begunOn !== genesis) {
    findings.obstacle(
      `The chain (genesis ${genesis}) is not the one that this event log was begun on (genesis ${begunOn}). Correct CHAIN_URL, or start with an empty DATA_DIR.`,
    );
  } else findings.remark(`genesis ${genesis}`);
  if (chainWitness === undefined) return;
  const seen = await findings.attempt(() => genesisAt(chainWitness.url, 'the witness (CHAIN_WITNESS_URL)'));
  if (seen !== undefined && seen !== genesis)
    findings.obstacle(`the witness (CHAIN_WITNESS_URL) is a node of another chain: its genesis is ${seen}`);
}

async function genesisAt(url: string, name: string): Promise<string> {
  const chain = await adapterFor('chain', url).open({ url });
  try {
    return await pTimeout(chain.genesisHash(), { milliseconds: PATIENCE });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${name}: ${reason}. Correct the address, or wait for the node`);
  }
}

async function embeddedGenesis(path: string, log: LogFacts, findings: Findings): Promise<string | undefined> {
  if (!existsSync(path)) {
    if (log.isBegun === true)
      findings.obstacle(
        `the log was begun on an embedded chain whose file ${path} is missing: put it back from the backup of the log`,
      );
    else findings.remark(`an embedded chain: the first start begins it in ${path}`);
    return undefined;
  }
  if (!(await checkFile(path, findings, () => undefined))) return undefined;
  const { openSqliteDatabase } = await import('../../adapters/sqlite/database.ts');
  const database = openSqliteDatabase(path, { isReadOnly: true });
  try {
    const [hash] = database.statement<[Uint8Array]>('SELECT hash FROM genesis').row() ?? [];
    return hash && base58(hash);
  } finally {
    await database.close();
  }
}
