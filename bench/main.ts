/** Runs the benchmarks that are named, or all, and prints what came of them as a table. */
import { append } from './lines/append.ts';
import { express } from './lines/express.ts';
import { flows } from './lines/flows.ts';
import { pages } from './lines/pages.ts';
import { post } from './lines/post.ts';
import { tokenCache } from './lines/token-cache.ts';
import { transactions } from './lines/transactions.ts';
import { isReached, type Line, written } from './measuring/line.ts';
import { describeMachine } from './measuring/machine.ts';

const LINES: readonly Line[] = [append, post, pages, express, transactions, tokenCache, flows];

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !LINES.some((line) => line.name === name));
  if (unknown.length > 0) {
    throw new Error(`no such benchmark: ${unknown.join(', ')}; there are ${LINES.map(nameOf).join(', ')}`);
  }
  const chosen = names.length === 0 ? LINES : LINES.filter(({ name }) => names.includes(name));
  const rows = ['| benchmark | what | ratio | target | figures |', '|---|---|---:|---:|---|'];
  for (const line of chosen) {
    const start = performance.now();
    process.stderr.write(`${line.name} … `);
    for (const comparison of await line.run()) {
      const { what, ratio, target, figures } = comparison;
      const goal = target && ('atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`);
      const missed = isReached(comparison) === false ? ' (missed)' : '';
      const quoted = ratio === undefined ? '' : written(ratio);
      rows.push(`| ${line.name} | ${what} | ${quoted} | ${goal ?? ''}${missed} | ${figures} |`);
    }
    process.stderr.write(`${Math.round((performance.now() - start) / 1_000)} s\n`);
  }
  process.stdout.write(`\n${describeMachine()}\n\n${rows.join('\n')}\n`);
}

function nameOf({ name }: Line): string {
  return name;
}

await main(process.argv.slice(2));
