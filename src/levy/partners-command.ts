/** `levy partners`: makes, lists, rotates and ends the partners of a running service. */
import type { Static } from '@sinclair/typebox';
import { Command } from 'commander';
import { OperatorError } from '../kernel/ports/errors.ts';
import { quotas as quotasKind } from '../operations/config/quotas.ts';
import { duration, NotAllowed } from '../operations/config/value-kinds.ts';
import { quotasShown } from '../server/http/rate-limit/policies.ts';
import type { PartnerView } from '../views/partner-view.ts';
import { OPERATOR_KEY_FILE } from './place.ts';
import type { RunningServicePlace } from './running-service.ts';
import type { Terminal } from './terminal.ts';

interface NewKey {
  readonly partner: string;
  readonly keyId: string;
  readonly key: string;
}

const overlap = duration('0s', '720h');

export function partnersCommand(terminal: Terminal): Command {
  const command = new Command('partners')
    .summary('make, list, rotate and end the keys of partners')
    .description(
      `Partners are launchpads whose calls are counted by their key instead of by address. A new key is printed once, on standard output; the
log holds its hash. It is valid at once in every process that reads the same log. Needs a running service and an operator's key; keys of
PARTNER_KEYS are listed, and changed there.`,
    )
    .addHelpText(
      'after',
      `
Examples:
  $ levy partners add acme --service http://127.0.0.1:3000 --operator-key-file ~/operator.key > acme.key
  $ levy partners rotate acme --overlap 1h --service http://127.0.0.1:3000 --operator-key-file ~/operator.key`,
    );
  const add = (name: string, summary: string) => {
    const sub = command.command(name).summary(summary).description(`${summary}.`);
    return sub.requiredOption('--service <url>', 'the running service').option(...OPERATOR_KEY_FILE);
  };
  add('list', 'List partners, their quotas and keys').action((options: RunningServicePlace) =>
    list(terminal, options),
  );
  add('add <name>', 'Make a partner, and print its key')
    .option('--quotas <quotas>', 'as in RATE_LIMITS: general=10000/15m,featured=200/h')
    .action(
      async (partner: string, { quotas, ...place }: RunningServicePlace & { readonly quotas?: string }) => {
        const body = { partner, ...(quotas === undefined ? {} : { quotas: quotasIn(quotas) }) };
        await tellKey(terminal, await ask(place, 'POST', 'operator/partners', body));
      },
    );
  add('rotate <name>', "Replace a partner's key, and print the new one")
    .option('--overlap <duration>', 'how long the key before it stays valid', '24h')
    .action(async (partner: string, options: RunningServicePlace & { readonly overlap: string }) => {
      const body = { overlapSeconds: secondsIn(options.overlap) };
      await tellKey(terminal, await ask(options, 'POST', `${pathOf(partner)}/rotate`, body));
    });
  add('end <name>', 'End a partner: none of its keys is valid any more')
    .requiredOption('--reason <text>', 'recorded for ever, for operators')
    .action(
      async (partner: string, { reason, ...place }: RunningServicePlace & { readonly reason: string }) => {
        const ended = await ask(place, 'POST', `${pathOf(partner)}/end`, { reason });
        await terminal.out(terminal.json ? JSON.stringify(ended) : `${partner} has ended`);
      },
    );
  return command;
}

async function ask(
  place: RunningServicePlace,
  ...call: readonly [method: string, path: string, body?: object]
): Promise<unknown> {
  // Not loaded for help.
  const { openOperatorCalls } = await import('./running-service.ts');
  return (await openOperatorCalls(place))(...call);
}

async function list(terminal: Terminal, place: RunningServicePlace): Promise<void> {
  const answer = (await ask(place, 'GET', 'operator/partners')) as {
    readonly partners: readonly Static<typeof PartnerView>[];
  };
  if (terminal.json) return terminal.out(JSON.stringify(answer));
  for (const partner of answer.partners) await terminal.out(lineOf(partner));
}

function lineOf({ partner, source, quotas, keys, ended }: Static<typeof PartnerView>): string {
  const shown = quotas.map(({ policy, calls, windowSeconds }) => `${policy}=${calls}/${windowSeconds}s`);
  return [
    partner,
    stateOf({ source, keys, ended }),
    shown.length === 0 ? "everybody's quotas" : shown.join(','),
  ].join('  ');
}

function stateOf({
  source,
  keys,
  ended,
}: Pick<Static<typeof PartnerView>, 'source' | 'keys' | 'ended'>): string {
  if (source === 'environment') return 'by PARTNER_KEYS';
  if (ended !== null) return `ended ${ended.at} by ${ended.by}: ${ended.reason}`;
  const [latest, former] = keys;
  const until = former?.endsAt == null ? '' : `, the key before it until ${former.endsAt}`;
  return `key of ${latest?.madeAt} by ${latest?.madeBy}${until}`;
}

/** The key alone goes to standard output, so that it can be written to a file. */
async function tellKey(terminal: Terminal, answer: unknown): Promise<void> {
  if (terminal.json) return terminal.out(JSON.stringify(answer));
  const { partner, key } = answer as NewKey;
  terminal.note(`the key of ${partner}, for X-Partner-Key; it is not shown again`);
  await terminal.out(key);
}

function pathOf(partner: string): string {
  return `operator/partners/${encodeURIComponent(partner)}`;
}

function quotasIn(text: string) {
  return quotasShown(parsed('--quotas', quotasKind, text));
}

function secondsIn(text: string): number {
  return Math.round(parsed('--overlap', overlap, text) / 1_000);
}

function parsed<Value>(
  option: string,
  kind: { readonly allowed: string; parse(text: string): Value },
  text: string,
): Value {
  try {
    return kind.parse(text);
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    throw new OperatorError(
      `${option} must be ${kind.allowed}${error.message === '' ? '' : `: ${error.message}`}`,
    );
  }
}
