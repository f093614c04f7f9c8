/** `levy partners`: creates, lists, rotates and ends the partners of a running service. */
import type { Static } from '@sinclair/typebox';
import { type Command, Option } from 'commander';
import { quotas } from '../operations/config/quotas.ts';
import { address, duration, type ValueKind, wholeNumber } from '../operations/config/value-kinds.ts';
import { type Quotas, quotasView } from '../server/http/rate-limit/policies.ts';
import type { PartnerView } from '../views/partner-view.ts';
import { argumentOf, LevyCommand } from './levy-command.ts';
import { withService } from './log-location.ts';
import { askForJson, runningServiceAt } from './service-client.ts';
import type { Terminal } from './terminal.ts';

interface Place {
  readonly service: string;
  readonly operatorKeyFile?: string;
}

interface Share {
  readonly wallet: string;
  readonly basisPoints: number;
}

const developerShare: ValueKind<Share> = {
  allowed: 'an address, `=` and a whole number of basis points from 1 to 10000',
  parse(text) {
    const [wallet = '', basisPoints = ''] = text.split('=');
    return { wallet: address.parse(wallet), basisPoints: wholeNumber(1, 10_000).parse(basisPoints) };
  },
};

export function partnersCommand(terminal: Terminal): Command {
  const command = new LevyCommand('partners')
    .summary('create, list, rotate and end the keys of partners')
    .description(
      `Partners are launchpads whose calls are counted by their key instead of by address. A new key is printed once, on standard output; the
log contains its hash. The key is valid immediately in every process that reads the same log. Needs a running service and an operator's key; keys of
PARTNER_KEYS are listed, but managed in that variable.`,
    )
    .examples(`
  $ levy partners add acme --service http://127.0.0.1:3000 --operator-key-file ~/operator.key > acme.key
  $ levy partners rotate acme --overlap 1h --service http://127.0.0.1:3000 --operator-key-file ~/operator.key`);
  const add = (name: string, summary: string) => {
    const part = command.command(name).summary(summary).description(`${summary}.`);
    return withService(part, 'the running service', true);
  };
  add('list', 'List partners, their quotas and keys').action(async (place: Place) => {
    const answer = (await ask(place, 'GET')) as { readonly partners: readonly Static<typeof PartnerView>[] };
    await terminal.result(answer, answer.partners.map(lineOf));
  });
  add('add <name>', 'Create a partner, and print its key')
    .option(
      '--quotas <quotas>',
      'quotas in the form of RATE_LIMITS: general=10000/15m,featured=200/h',
      argumentOf(quotas),
    )
    .option(
      '--share <wallet=basis-points>',
      "share of the developer's part of each token created with the key: <address>=2500 is a quarter",
      argumentOf(developerShare),
    )
    .action(
      async (partner: string, { quotas, share, ...place }: Place & { quotas?: Quotas; share?: Share }) => {
        const body = {
          partner,
          ...(quotas && { quotas: quotasView(quotas) }),
          ...(share && { developerShare: share }),
        };
        await printKey(terminal, await ask(place, 'POST', '', body));
      },
    );
  add('rotate <name>', "Replace a partner's key, and print the new one")
    .addOption(
      new Option('--overlap <duration>', 'time for which the previous key stays valid')
        .argParser(argumentOf(duration('0s', '720h')))
        .default(86_400_000, '24h'),
    )
    .action(async (partner: string, options: Place & { readonly overlap: number }) => {
      const overlapSeconds = Math.round(options.overlap / 1_000);
      await printKey(
        terminal,
        await ask(options, 'POST', `/${encodeURIComponent(partner)}/rotate`, { overlapSeconds }),
      );
    });
  add('end <name>', 'End a partner, and revoke all its keys')
    .requiredOption('--reason <text>', 'recorded permanently, for operators')
    .action(async (partner: string, { reason, ...place }: Place & { readonly reason: string }) => {
      const ended = await ask(place, 'POST', `/${encodeURIComponent(partner)}/end`, { reason });
      await terminal.result(ended, `${partner} has ended`);
    });
  return command;
}

async function ask(place: Place, method: string, path = '', body?: object): Promise<unknown> {
  const service = await runningServiceAt(place.service, place.operatorKeyFile);
  return askForJson(service, `operator/partners${path}`, {
    method,
    ...(body && { body }),
  });
}

function lineOf({ partner, source, quotas, developerShare, keys, end }: Static<typeof PartnerView>): string {
  const own = quotas.map(({ policy, calls, windowSeconds }) => `${policy}=${calls}/${windowSeconds}s`);
  const [latest, former] = keys;
  const until = former?.endsAt == null ? '' : `, the previous key until ${former.endsAt}`;
  const state =
    source === 'environment'
      ? 'by PARTNER_KEYS'
      : end === null
        ? `key of ${latest?.madeAt} by ${latest?.madeBy}${until}`
        : `ended ${end.at} by ${end.by}: ${end.reason}`;
  const shared =
    developerShare === null ? [] : [`${developerShare.basisPoints} basis points to ${developerShare.wallet}`];
  return [partner, state, own.length === 0 ? 'default quotas' : own.join(','), ...shared].join('  ');
}

/** Prints only the key to standard output, so that it can be written to a file. */
async function printKey(terminal: Terminal, answer: unknown): Promise<void> {
  const { partner, key } = answer as Readonly<Record<'partner' | 'key', string>>;
  await terminal.result(answer, key, [`the key of ${partner}, for X-Partner-Key; it is not shown again`]);
}
