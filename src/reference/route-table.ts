/** The table of routes, made from the registries of commands and queries, in the order of the API's description. */
import { commands } from '../commands/index.ts';
import type { Route } from '../kernel/runtime/define-route.ts';
import { queries } from '../queries/index.ts';
import { codeList, markdownTable } from './markdown.ts';
import type { Described } from './openapi/operation.ts';
import { takesIdempotencyKey } from './openapi/route-codes.ts';
import { TAGS, tagOf } from './openapi/tags.ts';

const CALLERS: { readonly [auth in Route['auth']]: string } = {
  none: 'everybody',
  optional: 'everybody; signed-in callers may see more',
  wallet: 'signed-in wallets',
  partner: 'partners, with their key',
  operator: 'operators',
};

/** Markdown, ending with a line end: a section for each group of routes. */
export function routeTables(): string {
  const routes: readonly Described[] = [...commands, ...queries];
  return TAGS.map(({ name, description }) => {
    const rows = routes
      .filter(({ route }) => tagOf(route.url) === name)
      .toSorted((one, other) => pathOf(one).localeCompare(pathOf(other)))
      .map(rowOf);
    const head = ['Route', 'What it does', 'Callers', 'Rate limit', '`Idempotency-Key`', 'Codes'];
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
