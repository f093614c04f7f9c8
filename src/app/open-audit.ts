/** Opens what an audit looks at beside the log: the chain's node, and the ledger files of a store or of a running service. */
import { join } from 'node:path';
import { openLocalChain } from 'levy-local-chain';
import { type AuditNode, createAuditNode } from '../audit/chain/audit-node.ts';
import { readConfiguration } from '../config/configuration.ts';
import { OperatorError } from '../ports/operator-error.ts';
import { openBlobs } from './open-blobs.ts';

export interface OpenedForAudit<Part> {
  readonly part: Part;
  close(): Promise<void>;
}

type LedgerFile = (sha256: string) => Promise<Uint8Array | undefined>;

const NOT_FOUND = 404;

/**
 * The node at the address, else the one that CHAIN_URL names. The embedded chain of a stopped service is started for as
 * long as the audit takes.
 */
export async function openAuditedChain(
  url: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<OpenedForAudit<AuditNode>> {
  if (url !== undefined) {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url))
      throw new OperatorError('--chain is the address of a Solana node: http://… or https://…');
    return { part: createAuditNode({ url }), async close() {} };
  }
  const { chain, dataDirectory, localChainPrograms: programs } = readConfiguration(env);
  if (!chain.isEmbedded) return { part: createAuditNode({ url: chain.url }), async close() {} };
  const local = await openLocalChain({ dataDir: join(dataDirectory, 'chain'), programs });
  return { part: createAuditNode({ url: local.url }), close: () => local.close() };
}

/** Of a running service where one is given, else of the store that LEDGER_STORE_URL and DATA_DIR name. */
export async function openAuditedFiles(
  service: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<OpenedForAudit<LedgerFile>> {
  if (service !== undefined) return { part: (sha256) => fetchFile(service, sha256), async close() {} };
  const { store: blobs } = await openBlobs(readConfiguration(env), {
    report: () => undefined,
    meter: { commanded() {}, withoutConnection() {}, watch: () => () => undefined },
  });
  return {
    async part(sha256) {
      const size = await blobs.size(sha256);
      return size === undefined ? undefined : blobs.read(sha256, 0, size);
    },
    close: () => blobs.close(),
  };
}

async function fetchFile(service: string, sha256: string): Promise<Uint8Array | undefined> {
  const response = await fetch(new URL(`/distribution/files/${sha256}`, service));
  if (response.status === NOT_FOUND) return undefined;
  if (!response.ok)
    throw new OperatorError(`${service} answered ${response.status} for the ledger file ${sha256}`);
  return new Uint8Array(await response.arrayBuffer());
}
