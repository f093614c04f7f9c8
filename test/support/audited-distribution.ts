/** Audits a token's distribution as an outsider would: by what the service answers to everybody, and by the chain. */
import { addressOf, decodeTransaction } from 'levy-solana-wire';
import { expect } from 'vitest';
import { createNodeChain } from '../../src/adapters/solana-rpc/chain.ts';
import { markerOf } from '../../src/distribution/once/till-chain.ts';
import { auditToken } from '../../src/proof/audit/audit-token.ts';
import type { AuditedChain } from '../../src/proof/audit/chain-history.ts';
import { type PublicRun, readPublicBooks } from '../../src/proof/audit/read-public-books.ts';
import type { ReadRun, TokenBooks } from '../../src/proof/audit/run-books.ts';
import type { Client } from './client.ts';

/** A token on a service that runs. */
export interface AuditedDistribution {
  readonly tokenId: string;
  readonly mint: string;
  client(): Client;
  chainUrl(): string;
}

/** Every run of the token must be closed. */
export async function publicBooksOf(audited: AuditedDistribution): Promise<TokenBooks<ReadRun>> {
  const { tokenId, mint } = audited;
  const client = audited.client();
  const { runs } = await client.ask<{ runs: readonly { runId: string; status: string }[] }>(
    'GET',
    `/distribution/${tokenId}/runs?limit=100`,
  );
  const { token } = await client.ask<{ token: { distributionWallet: string } }>('GET', `/tokens/${mint}`);
  const pages: PublicRun[] = [];
  for (const { runId } of runs.toReversed())
    pages.push((await client.ask<{ run: PublicRun }>('GET', `/distribution/${tokenId}/runs/${runId}`)).run);
  return readPublicBooks({
    mint,
    wallet: token.distributionWallet,
    distributor: await distributorOf(client),
    markerOf,
    runs: pages,
    async file(sha256) {
      const { status, bytes } = await client.call('GET', `/files/${sha256}`);
      return status === 200 ? bytes : undefined;
    },
    chain: auditedChain(audited.chainUrl()),
  });
}

/** Finds nothing wrong with the books, by the chain as it is now. `books` may be older than what the service answers now. */
export async function expectAudited(
  audited: AuditedDistribution,
  books?: TokenBooks<ReadRun>,
): Promise<TokenBooks<ReadRun>> {
  const audit = books ?? (await publicBooksOf(audited));
  expect(await auditToken(audit, auditedChain(audited.chainUrl()))).toEqual([]);
  return audit;
}

async function distributorOf(client: Client): Promise<string> {
  const { body } = await client.call<{ checks: readonly { name: string; address?: string }[] }>(
    'GET',
    '/ready',
  );
  const address = body.checks.find(({ name }) => name === 'distributor')?.address;
  if (address === undefined) throw new Error(`/ready names no distributor: ${JSON.stringify(body)}`);
  return address;
}

/** The node, asked for balances as well: a port of the service does not tell them. */
function auditedChain(url: string): AuditedChain {
  const chain = createNodeChain({ url });
  return {
    accounts: chain.accounts,
    accountsAt: chain.accountsAt,
    signaturesOf: chain.signaturesOf,
    transaction: chain.transaction,
    async balancesAfter(signature) {
      const landed = await transactionOf(url, signature);
      if (landed === null) return undefined;
      const decoded = decodeTransaction(Buffer.from(landed.transaction[0], 'base64'));
      if (!decoded.ok) throw new Error(`the node shows no transaction as ${signature}`);
      const { accountKeys } = decoded.transaction.message;
      return new Map(
        landed.meta.postTokenBalances.flatMap(({ accountIndex, uiTokenAmount }) => {
          const key = accountKeys[accountIndex];
          return key === undefined ? [] : [[addressOf(key), BigInt(uiTokenAmount.amount)]];
        }),
      );
    },
  };
}

interface LandedTransaction {
  readonly transaction: readonly [string, string];
  readonly meta: {
    readonly postTokenBalances: readonly {
      readonly accountIndex: number;
      readonly uiTokenAmount: { readonly amount: string };
    }[];
  };
}

async function transactionOf(url: string, signature: string): Promise<LandedTransaction | null> {
  const how = { encoding: 'base64', commitment: 'finalized', maxSupportedTransactionVersion: 1 };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [signature, how] }),
  });
  return ((await response.json()) as { readonly result: LandedTransaction | null }).result;
}
