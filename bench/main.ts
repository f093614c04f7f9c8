/** Runs the named benchmarks, or all, and prints the results as a table. */
import { type Comparison, isReached, type Line, written } from './measuring/line.ts';
import { describeMachine } from './measuring/machine.ts';

/** Loaded on demand: some import libraries that must not share a process with the others. */
const LINES: ReadonlyMap<string, () => Promise<Line>> = new Map([
  ['append', async () => (await import('./lines/append.ts')).append],
  ['post', async () => (await import('./lines/post.ts')).post],
  ['pages', async () => (await import('./lines/pages.ts')).pages],
  ['sorts', async () => (await import('./lines/sorts.ts')).sorts],
  ['express', async () => (await import('./lines/express.ts')).express],
  ['transactions', async () => (await import('./lines/transactions.ts')).transactions],
  ['reads', async () => (await import('./lines/reads.ts')).reads],
  ['routes', async () => (await import('./lines/routes.ts')).routes],
  ['events', async () => (await import('./lines/events.ts')).events],
  ['publishing', async () => (await import('./lines/publishing.ts')).publishing],
  ['event-store', async () => (await import('./lines/event-store.ts')).eventStore],
  ['audit', async () => (await import('./lines/audit.ts')).audit],
  ['rebuild', async () => (await import('./lines/rebuild.ts')).rebuild],
  ['backup', async () => (await import('./lines/backup.ts')).backup],
  ['replay', async () => (await import('./lines/replay.ts')).replay],
  ['long-streams', async () => (await import('./lines/long-streams.ts')).longStreams],
  ['stream-cache', async () => (await import('./lines/stream-cache.ts')).streamCache],
  ['rate-limits', async () => (await import('./lines/rate-limits.ts')).rateLimits],
  ['scan', async () => (await import('./lines/scan.ts')).scan],
  ['due-tokens', async () => (await import('./lines/due-tokens.ts')).dueTokens],
  ['flows', async () => (await import('./lines/flows.ts')).flows],
  ['chain-calls', async () => (await import('./lines/chain-calls.ts')).chainCalls],
  ['payouts', async () => (await import('./lines/payouts.ts')).payouts],
  ['whole-runs', async () => (await import('./lines/whole-runs.ts')).wholeRuns],
  ['wire', async () => (await import('./lines/wire.ts')).wireBytes],
  ['encoder', async () => (await import('./lines/encoder.ts')).encoder],
  ['holders', async () => (await import('./lines/holders.ts')).holders],
  ['large-runs', async () => (await import('./lines/large-runs.ts')).largeRuns],
  ['ledgers', async () => (await import('./lines/ledgers.ts')).ledgers],
  ['wallet-shares', async () => (await import('./lines/wallet-shares.ts')).walletSharesLine],
  ['mongodb', async () => (await import('./lines/mongodb.ts')).mongodb],
  ['mongodb-pages', async () => (await import('./lines/mongodb.ts')).mongodbPages],
  ['notary', async () => (await import('./lines/notary.ts')).notary],
  ['processes', async () => (await import('./lines/processes.ts')).processes],
]);

async function main(names: readonly string[]): Promise<void> {
  const all = [...LINES.keys()];
  const unknown = names.filter((name) => !LINES.has(name));
  if (unknown.length > 0) {
    process.stderr.write(`no such benchmark: ${unknown.join(', ')}; there are ${all.join(', ')}\n`);
    process.exitCode = 1;
    return;
  }
  const rows = ['| benchmark | what | ratio | target | figures |', '|---|---|---:|---:|---|'];
  for (const [name, load] of LINES) {
    if (names.length > 0 && !names.includes(name)) continue;
    process.stderr.write(`${name} … `);
    const start = performance.now();
    const found = await (await load())();
    if ('leftOut' in found) {
      process.stderr.write(`left out: ${found.leftOut}\n`);
      continue;
    }
    process.stderr.write(`${Math.round((performance.now() - start) / 1_000)} s\n`);
    rows.push(...found.map((comparison) => rowOf(name, comparison)));
  }
  process.stdout.write(`\n${describeMachine()}\n\n${rows.join('\n')}\n`);
}

function rowOf(name: string, comparison: Comparison): string {
  const { what, ratio, target, figures } = comparison;
  const goal = target && ('atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`);
  const missed = isReached(comparison) === false ? ', missed' : '';
  const quoted = ratio === undefined ? '' : written(ratio);
  return `| ${name} | ${what} | ${quoted} | ${goal ?? ''}${missed} | ${figures} |`;
}

// The default handler would end the process without its exit hooks, which remove servers and files.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

await main(process.argv.slice(2));
