/** The findings of one token by kind, each reported with its event, run and time. */
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import type { AuditNode } from '../chain/audit-node.ts';
import { CHECKS } from '../checks.ts';
import { type Finding, type Findings, findingsInto, type Place, recordedAt } from '../finding.ts';
import { createKeptByKind, kindOf } from '../kept-by-kind.ts';
import type { CheckNotes } from '../report.ts';
import type { StepsOf } from './recorded-runs.ts';

/** Findings of a kind; each is looked up in the log. */
const MOST_OF_A_TOKEN = 100;

export interface FindingsOfToken {
  readonly findings: Findings;
  isEmpty(): boolean;
  tell(placeOf: (finding: Finding) => Place | Promise<Place>): Promise<void>;
}

/** Keeps a bounded number of each kind; their places are looked up when they are reported. */
export function findingsOfToken(
  tokenId: string,
  payments: CheckNotes,
  node: Pick<AuditNode, 'transaction'>,
): FindingsOfToken {
  const found = createKeptByKind<Finding>(MOST_OF_A_TOKEN);
  return {
    findings: findingsInto((finding) =>
      found.add(finding, kindOf(CHECKS.payments, finding.what), runIn(finding) ?? ''),
    ),
    isEmpty: () => found.kept().length === 0,
    async tell(placeOf) {
      for (const finding of found.kept()) {
        const place = await placeOf(finding);
        payments.add({ ...place, ...finding, tokenId, ...(await blockTimeOf(finding, node)) });
      }
      for (const [kind, count] of found.notKept()) payments.more(kind, count);
    },
  };
}

/** The run that a rule names. */
function runIn({ what }: Pick<Finding, 'what'>): string | undefined {
  return /^run ([0-9a-f-]{36}): /.exec(what)?.[1];
}

/** The event that names the signature, else the account, else the allotment of the run that the rule names, else the last. */
export async function placeIn(
  ofToken: readonly Recorded[],
  stepsOf: StepsOf,
  { what, account, signature }: Pick<Finding, 'what' | 'account' | 'signature'>,
): Promise<Place> {
  const runId = runIn({ what });
  const own: readonly Recorded[] =
    runId === undefined
      ? ofToken
      : [...ofToken.filter(({ data }) => data.runId === runId), ...(await stepsOf(runId))];
  const naming = (text: string | undefined) =>
    text === undefined ? undefined : own.findLast(({ data }) => JSON.stringify(data).includes(text));
  const found =
    naming(signature) ??
    naming(account) ??
    own.findLast(({ type }) => type === 'RunAllotted' || type === 'RunClosed') ??
    own.at(-1);
  return { ...(found === undefined ? {} : recordedAt(found)), ...(runId === undefined ? {} : { runId }) };
}

async function blockTimeOf({ signature }: Finding, node: Pick<AuditNode, 'transaction'>): Promise<Place> {
  if (signature === undefined) return {};
  try {
    const time = (await node.transaction(signature))?.blockTime;
    return time === undefined ? {} : { time, timeOf: 'block' };
  } catch {
    // A finding with a signature that the node refuses is a finding all the same.
    return {};
  }
}
