/** Asks the chain's node for its genesis hash; checks the file of an embedded chain. Changes nothing. */

import { existsSync } from 'node:fs';
import { base58 } from 'levy-solana-wire';
import pTimeout from 'p-timeout';
import type { Keyring } from '../../chain/keys.ts';
import { hasNonces, NO_NONCES } from '../../drafts/nonce-support.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import { nodeAddressesIn } from '../../kernel/ports/technology.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { constants } from '../../operations/config/constants.ts';
import type { Values } from '../../operations/config/variables.ts';
import { adapterFor } from '../adapters.ts';
import { otherChain } from '../claim-log.ts';
import { chainFileOf } from '../open-chain.ts';
import { needsNonces } from '../require-nonces.ts';
import { checkFile, type LogFacts } from './check-log.ts';
import type { Findings } from './obstacle.ts';

/** Milliseconds. */
const PATIENCE = 10_000;

type OpenNode = (
  url: string,
) => Promise<Pick<Chain, 'balance' | 'genesisHash' | 'rentExemption' | 'simulate' | 'slotLeader'>>;

export async function checkChain(
  values: Pick<Values, 'chain' | 'dataDirectory'> & Partial<Values>,
  { begunWith, keyring }: Pick<LogFacts, 'begunWith'> & { readonly keyring: Keyring | undefined },
  findings: Findings,
  open: OpenNode = (url) => adapterFor('chain', url).open({ url }),
): Promise<void> {
  const { chain, chainWitness, dataDirectory } = values;
  const genesis = chain.isEmbedded
    ? await embeddedGenesis(chainFileOf({ dataDirectory }), begunWith !== undefined, findings)
    : await genesisOfNodes(open, nodeAddressesIn(chain.url), findings);
  const begunOn = begunWith?.genesisHash;
  if (genesis === undefined) return;
  if (begunOn !== undefined && begunOn !== genesis) {
    findings.obstacle(otherChain(genesis, begunOn));
  } else findings.remark(`genesis ${genesis}`);
  if (!chain.isEmbedded && keyring !== undefined)
    await findings.attempt(async () => checkFunds(await open(chain.url), values, keyring, findings));
  if (needsNonces(values))
    await findings.attempt(async () => checkNonces(await open(chain.url), keyring, findings));
  if (chainWitness === undefined) return;
  const seen = await findings.attempt(() =>
    genesisAt(open, chainWitness.url, 'the witness (CHAIN_WITNESS_URL)'),
  );
  if (seen !== undefined && seen !== genesis)
    findings.obstacle(`the witness (CHAIN_WITNESS_URL) is a node of another chain: its genesis is ${seen}`);
}

/** Too little SOL keeps no service from starting: it goes on without what the SOL is for. */
async function checkFunds(
  chain: Pick<Chain, 'balance'>,
  { roles }: Partial<Values>,
  { feePayer, distributor }: Keyring,
  findings: Findings,
): Promise<void> {
  const payers = [
    {
      role: 'api',
      title: 'fee payer',
      floor: constants.feePayerFloor,
      key: feePayer,
      without: 'drafts are refused',
    },
    {
      role: 'distributor',
      title: 'distributor',
      floor: constants.distributorFloor,
      key: distributor,
      without: 'no run is opened',
    },
  ] as const;
  for (const { role, title, floor, key, without } of payers) {
    if (roles !== undefined && !roles.has(role)) continue;
    const balance = await pTimeout(chain.balance(key.address), { milliseconds: PATIENCE });
    findings.remark(
      balance < floor
        ? `the ${title} ${key.address} has ${balance} lamports: ${without} until it has ${floor}`
        : `the ${title} ${key.address} has ${balance} lamports`,
    );
  }
}

async function checkNonces(
  chain: Parameters<typeof hasNonces>[0],
  keyring: Keyring | undefined,
  findings: Findings,
): Promise<void> {
  const found = await pTimeout(hasNonces(chain, keyring?.feePayer.address), { milliseconds: PATIENCE });
  if (found === false) findings.obstacle(NO_NONCES);
  else if (found) findings.remark('it has durable nonces');
  else findings.remark('it does not tell whether it has durable nonces until the fee payer has SOL');
}

/** The genesis hash of the first node that answers. The service starts without the others, but not with a node of another chain. */
async function genesisOfNodes(
  open: OpenNode,
  urls: readonly string[],
  findings: Findings,
): Promise<string | undefined> {
  const found = await Promise.all(
    urls.map(async (url) => ({
      host: new URL(url).host,
      genesis: await findings.attempt(() => genesisAt(open, url, 'the chain (CHAIN_URL)')),
    })),
  );
  const known = found.flatMap(({ host, genesis }) => (genesis === undefined ? [] : [{ host, genesis }]));
  const [first] = known;
  const foreign = known.find(({ genesis }) => genesis !== first?.genesis);
  if (foreign !== undefined) {
    const each = known.map(({ host, genesis }) => `${host} (genesis ${genesis})`).join(', ');
    findings.obstacle(`CHAIN_URL names nodes of different chains: ${each}. Remove those of another chain.`);
  }
  return first?.genesis;
}

async function genesisAt(open: OpenNode, url: string, name: string): Promise<string> {
  const chain = await open(url);
  try {
    return await pTimeout(chain.genesisHash(), { milliseconds: PATIENCE });
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(`${name}: ${reason}. Correct the address, or wait for the node`);
  }
}

async function embeddedGenesis(
  path: string,
  isLogBegun: boolean,
  findings: Findings,
): Promise<string | undefined> {
  if (!existsSync(path)) {
    if (isLogBegun)
      findings.obstacle(
        `the log was begun on an embedded chain whose file ${path} is missing: put it back from the backup of the log`,
      );
    else findings.remark(`an embedded chain: the first start begins it in ${path}`);
    return undefined;
  }
  if (!(await checkFile(path, findings, () => undefined, { hasFormat: false }))) return undefined;
  const { openSqliteDatabase } = await import('../../adapters/sqlite/database.ts');
  const database = openSqliteDatabase(path, { isReadOnly: true, hasFormat: false });
  try {
    const [hash] = database.statement<[Uint8Array]>('SELECT hash FROM genesis').row() ?? [];
    return hash && base58(hash);
  } finally {
    await database.close();
  }
}
