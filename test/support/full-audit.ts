/** Audits a running service as `levy audit --service` does: its log, its transparency log, its ledgers, and its chain. */

import { createNodeChain } from '../../src/adapters/solana-rpc/chain.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { openAuditedFiles } from '../../src/levy/audit-command.ts';
import { baseOf, openServiceLog } from '../../src/levy/service-client.ts';
import { audit } from '../../src/proof/audit/audit.ts';
import { createAuditNode } from '../../src/proof/audit/chain/audit-node.ts';
import { CHECKS } from '../../src/proof/audit/checks.ts';
import { auditPublishedLog } from '../../src/proof/audit/published/audit-published-log.ts';
import type { AuditReport } from '../../src/proof/audit/report.ts';
import { streams } from '../../src/streams/index.ts';
import { OPERATOR_KEY } from './operator.ts';

async function fullAudit({
  url,
  chainUrl,
}: {
  readonly url: string;
  readonly chainUrl: string;
}): Promise<AuditReport> {
  const log = await openServiceLog({ base: baseOf(url), operatorKey: OPERATOR_KEY });
  try {
    // A running service's files need no closing.
    const files = await openAuditedFiles(url, {}, () => undefined);
    return await audit(
      {
        log,
        node: createAuditNode(chainUrl, createNodeChain({ url: chainUrl })),
        file: files.ledger,
        further: [
          {
            ...CHECKS.transparency,
            async run(notes) {
              const opened = await files.publishedLog();
              if (opened !== undefined) await auditPublishedLog({ log, ...opened }, notes);
            },
          },
        ],
      },
      { codec: createEventCodec(streams), streams },
    );
  } finally {
    await log.close();
  }
}

/** Findings of an audit of a log that lacks later changes of the chain. */
export const UNRECORDED_LINK = 'the wallet signs only recorded links and collections of tax';

/** Findings that an audit of an honest history never has. */
export async function findingsIn(service: {
  readonly url: string;
  readonly chainUrl: string;
}): Promise<AuditReport['findings']> {
  return (await fullAudit(service)).findings;
}
