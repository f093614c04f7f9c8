/** Tables of docs/reference, generated from the service's own lists. Markdown, ending with a line end. */
import { commands } from '../commands/index.ts';
import type { Route } from '../kernel/runtime/define-route.ts';
import { groups, type Variable } from '../operations/config/variables.ts';
import { createMetrics } from '../operations/metrics/metrics.ts';
import { cloudEventType } from '../outcomes/cloud-event.ts';
import { outcomes } from '../outcomes/index.ts';
import { queries } from '../queries/index.ts';
import {
  RATE_LIMIT_POLICIES,
  type RateLimitPolicy,
  type RateLimitPolicyName,
} from '../server/http/rate-limit/policies.ts';
import { streams } from '../streams/index.ts';
import { codeList, markdownTable } from './markdown.ts';
import type { Described } from './openapi/operation.ts';
import { takesIdempotencyKey } from './openapi/route-codes.ts';
import { TAGS, tagOf } from './openapi/tags.ts';

const isFirst = ({ changedWhen }: Variable) => changedWhen === undefined;

/** Variables that every operator reads. */
export function firstVariables(): string {
  return tableOf(groups.flatMap(({ variables }) => variables).filter(isFirst));
}

/** Advanced variables by group, with the reason to change each. */
export function advancedVariables(): string {
  return groups
    .map(({ title, variables }) => ({ title, rest: variables.filter((each) => !isFirst(each)) }))
    .map(({ title, rest }) => `### ${title}\n\n${tableOf(rest)}`)
    .join('\n');
}

function tableOf(variables: readonly Variable[]): string {
  const isAdvanced = variables.some((each) => !isFirst(each));
  const rows = variables.map((variable) => [
    `\`${variable.name}\``,
    'text' in variable.default ? `\`${variable.default.text}\`` : variable.default.shown,
    variable.kind.allowed,
    variable.kind.unit ?? '',
    variable.meaning,
    ...(isAdvanced ? [variable.changedWhen ?? ''] : []),
  ]);
  const head = ['Variable', 'Default', 'Allowed', 'Unit', 'Meaning'];
  return markdownTable(isAdvanced ? [...head, 'Changed when'] : head, rows);
}

/** Outcomes, public ones first. */
export function outcomeTable(): string {
  const rows = outcomes
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .toSorted((one, other) => Number(one.audience !== 'public') - Number(other.audience !== 'public'))
    .map((outcome) => [
      `\`${cloudEventType(outcome)}\``,
      outcome.audience,
      outcome.summary,
      codeList(Object.keys(outcome.data.properties)),
    ]);
  return markdownTable(['Type', 'Audience', 'Outcome', 'Data'], rows);
}

/** Stored events, sorted by stream category. */
export function storedEventTable(): string {
  const rows = streams
    .toSorted((one, other) => one.category.localeCompare(other.category))
    .flatMap(({ category, events }) =>
      Object.entries(events).map(([type, data]) => [
        `\`${category}\``,
        `\`${type}\``,
        codeList(Object.keys(data.properties)),
      ]),
    );
  return markdownTable(['Stream category', 'Event type', 'Data'], rows);
}

export function metricsTable(): string {
  return markdownTable(
    ['Metric', 'Kind', 'Labels', 'Meaning'],
    createMetrics({ version: '' })
      .definitions()
      .map(({ name, kind, labels, help }) => [`\`${name}\``, kind, codeList(labels), help]),
  );
}

const CALLS: { readonly [name in RateLimitPolicyName]: string } = {
  general: 'every route without its own policy, and every call with an invalid access token',
  'sign-in': '`/auth/*`',
  'generate-wallet': '`/tokens/generate-distribution-wallet`',
  'create-unsigned': 'drafts of tokens and of their tax',
  submit: 'submissions of every kind',
  upload: '`/tokens/upload-image`',
  settings: 'changes of distribution settings and of excluded and allow-listed owners',
  preview: '`/distribution/:tokenId/preview`',
  featured: 'drafts of promotions',
  launch: 'drafts of launches',
  faucet: '`/faucet` and all routes below, on the embedded chain',
  operator: 'wrong operator keys',
  partner: 'wrong partner keys',
  transactions: '`/transactions` and all routes below',
};

const COUNTED_BY: { readonly [key in RateLimitPolicy['countedBy']]: string } = {
  'wallet-and-ip': 'wallet and address; the one with fewer calls left decides',
  'wallet-or-ip':
    'wallet if signed in, with four times the calls for all wallets of an address; else address',
  ip: 'address',
};

export function rateLimitTable(): string {
  const policies = Object.entries(RATE_LIMIT_POLICIES) as [RateLimitPolicyName, RateLimitPolicy][];
  return markdownTable(
    ['Policy', 'Calls', 'Default', 'Counted by'],
    policies.map(([name, { quota, windowSeconds, countedBy }]) => [
      `\`${name}\``,
      CALLS[name],
      `\`${quota}/${periodOf(windowSeconds)}\``,
      COUNTED_BY[countedBy],
    ]),
  );
}

function periodOf(seconds: number): string {
  if (seconds % 3_600 === 0) return seconds === 3_600 ? 'h' : `${seconds / 3_600}h`;
  return seconds === 60 ? 'm' : `${seconds / 60}m`;
}

const CALLERS: { readonly [auth in Route['auth']]: string } = {
  none: 'everybody',
  optional: 'everybody; signed-in callers may see more',
  wallet: 'signed-in wallets',
  partner: 'partners, with their key',
  operator: 'operators',
};

/** One section for each group of routes. */
export function routeTables(): string {
  const routes: readonly Described[] = [...commands, ...queries];
  return TAGS.map(({ name, description }) => {
    const rows = routes
      .filter(({ route }) => tagOf(route.url) === name)
      .toSorted((one, other) => pathOf(one).localeCompare(pathOf(other)))
      .map(rowOf);
    const head = ['Route', 'Summary', 'Callers', 'Rate limit', '`Idempotency-Key`', 'Codes'];
    return `## ${name}\n\n${description}\n\n${markdownTable(head, rows)}`;
  }).join('\n');
}

function pathOf({ route: { url, method } }: Described): string {
  return `${url} ${method}`;
}

function rowOf(described: Described): readonly string[] {
  const { route, summary } = described;
  return [
    `\`${route.method} ${route.url}\``,
    summary,
    route.operatorsSeeMore ? 'everybody; operators see more' : CALLERS[route.auth],
    limitOf(route),
    takesIdempotencyKey(described) ? 'yes' : 'no',
    codeList(described.rejections),
  ];
}

function limitOf({ auth, limit = 'general' }: Route): string {
  if (auth === 'operator') return '`operator`';
  return limit === 'none' ? 'none' : `\`${limit}\``;
}
