/** Groups of routes, by the beginning of their paths; the first match is used. */

interface Tag {
  readonly name: string;
  readonly description: string;
  readonly prefixes: readonly string[];
}

/** Tag of routes without a group; a test refuses it. */
const NO_TAG = 'Other';

export const TAGS: readonly Tag[] = [
  {
    name: 'Sign-in',
    description: 'A wallet signs a challenge and gets an access token.',
    prefixes: ['/auth/', '/.well-known/'],
  },
  {
    name: 'Embedded chain',
    description: 'Test funds and test transfers, on the embedded chain only.',
    prefixes: ['/faucet'],
  },
  {
    name: 'Tokens',
    description: 'Creation in four steps, changes of the tax rate, and lists.',
    prefixes: ['/tokens'],
  },
  {
    name: 'Transactions',
    description: "A creator's own drafts and submissions, with their outcomes.",
    prefixes: ['/transactions'],
  },
  {
    name: 'Distribution',
    description:
      "A token's distribution settings (for its creator only), and its runs and payments (public).",
    prefixes: ['/distribution/', '/wallets/'],
  },
  {
    name: 'Totals',
    description: 'Payments of all tokens together.',
    prefixes: ['/totals'],
  },
  {
    name: 'Featured',
    description: 'The featured list, and paid promotions.',
    prefixes: ['/featured'],
  },
  {
    name: 'Launchpad',
    description:
      'Launches: a token is sold from a pool of Meteora DAMM v2, whose liquidity is locked permanently. `bondingCurveId` is its address.',
    prefixes: ['/launchpad/'],
  },
  {
    name: 'Files',
    description:
      'Images and metadata of tokens, and the files of distribution runs, readable by web pages of any origin.',
    prefixes: ['/images/', '/metadata/', '/files/'],
  },
  {
    name: 'Log',
    description: 'Transparency log of all events: anybody can check that recorded events were not changed.',
    prefixes: ['/log/'],
  },
  {
    name: 'Events',
    description: 'Live feed of outcomes.',
    prefixes: ['/events', '/asyncapi.json'],
  },
  {
    name: 'Partners',
    description: 'Tokens and usage of a launchpad, with its partner key.',
    prefixes: ['/partner/'],
  },
  {
    name: 'Operators',
    description: 'Routes for operators, with an operator key.',
    prefixes: ['/operator/', '/metrics'],
  },
  {
    name: 'Service',
    description: "The operator's limits, health, readiness, and the description of the API.",
    prefixes: ['/config', '/health', '/ready', '/openapi.json'],
  },
];

export function tagOf(url: string): string {
  return TAGS.find(({ prefixes }) => prefixes.some((prefix) => url.startsWith(prefix)))?.name ?? NO_TAG;
}
