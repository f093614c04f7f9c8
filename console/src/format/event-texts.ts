/** Titles and details for events of the feed. Details may contain untrusted text. */
import type { TokenEvent } from 'levy-client';
import { exactAmount, grouped, percentText, SOL_DECIMALS } from './amounts.ts';

type Data = TokenEvent['data'];

interface Kind {
  readonly title: string;
  readonly detail?: (data: Data) => string | undefined;
}

const KINDS: { readonly [name: string]: Kind } = {
  'tokens.created': { title: 'Token created', detail: ({ symbol }) => text(symbol) },
  'tokens.hidden': { title: 'Token hidden by an operator' },
  'tokens.shown': { title: 'Hidden token is public again' },
  'tokens.reverted': { title: 'Token creation reverted by a fork of the chain' },
  'tokens.transfer-fee-changed': {
    title: 'Tax changed',
    detail: ({ transferFeePercent: percent, pending }) =>
      typeof percent === 'number'
        ? `${percentText(percent)} of each transfer${pending ? ', changing soon' : ''}`
        : undefined,
  },
  'distributions.started': { title: 'Run started', detail: ({ number }) => runText(number) },
  'distributions.collected': { title: 'Tax collected' },
  'distributions.split': { title: 'Tax burned and sold' },
  'distributions.allotted': {
    title: 'Shares recorded',
    detail: ({ records }) => counted(records, 'wallet', 'wallets'),
  },
  'distributions.paid': { title: 'Payments made' },
  'distributions.completed': { title: 'Run completed', detail: paidText },
  'distributions.skipped': { title: 'Run skipped', detail: ({ detail }) => text(detail) },
  'distributions.halted': { title: 'Distribution halted', detail: ({ code }) => text(code) },
  'distributions.resumed': { title: 'Distribution resumed' },
  'distributions.configured': { title: 'Distribution settings changed' },
  'launches.started': {
    title: 'Launch started',
    detail: ({ targetMarketCap }) => solText('target', targetMarketCap),
  },
  'launches.completed': {
    title: 'Launch reached its target',
    detail: ({ solCollected }) => solText('collected', solCollected),
  },
  'promotions.started': { title: 'Promoted', detail: ({ price }) => solText('paid', price) },
  'promotions.ended': { title: 'Promotion ended by an operator' },
  'submissions.accepted': { title: 'Your transaction was accepted' },
  'submissions.confirmed': { title: 'Your transaction is confirmed' },
  'submissions.dropped': { title: 'A fork dropped your transaction. The service sends it again.' },
  'submissions.failed': { title: 'Your transaction failed', detail: ({ message }) => text(message) },
  'submissions.finalized': { title: 'Your transaction is final' },
  'submissions.overdue': { title: 'Your transaction is overdue. The service voids it.' },
};

export const KNOWN_EVENTS: readonly string[] = Object.keys(KINDS);

/** Event families that the feed can be filtered by. */
export const FAMILIES: { readonly [family: string]: string } = {
  tokens: 'Tokens',
  distributions: 'Runs and distribution',
  launches: 'Launches',
  promotions: 'Promotions',
  submissions: 'Your transactions',
};

/** Title and detail of an event. An unknown type is its own title; the detail may contain untrusted text. */
export function eventText({ type, data }: Pick<TokenEvent, 'type' | 'data'>): {
  readonly title: string;
  readonly detail: string | undefined;
} {
  const name = type.replace(/^levy\./, '');
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  return { title: kind?.title ?? name, detail: kind?.detail?.(data) };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? undefined : given.join(' · ');
}

function runText(number: unknown): string | undefined {
  return typeof number === 'number' ? `#${number}` : undefined;
}

function counted(count: unknown, one: string, many: string): string | undefined {
  return typeof count === 'number' ? `${grouped(count)} ${count === 1 ? one : many}` : undefined;
}

function solText(what: string, lamports: unknown): string | undefined {
  return isAmount(lamports) ? `${what}: ${exactAmount(lamports, SOL_DECIMALS)} SOL` : undefined;
}

/** Amounts are shown for SOL only: the event lacks the decimals of the token. */
function paidText({ number, asset, paidTo }: Data): string | undefined {
  const { holders, holdersPaid } = (paidTo ?? {}) as { holders?: unknown; holdersPaid?: unknown };
  const amount =
    asset === 'sol' && isAmount(holders) ? `${exactAmount(holders, SOL_DECIMALS)} SOL to` : undefined;
  return joined([
    runText(number),
    [amount, counted(holdersPaid, 'holder', 'holders')].filter(Boolean).join(' ') || undefined,
  ]);
}

function isAmount(value: unknown): value is string {
  return typeof value === 'string' && /^\d+$/.test(value);
}
