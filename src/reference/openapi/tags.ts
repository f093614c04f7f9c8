/** The groups in which routes are described, by how their paths begin; the first that fits counts. */

export interface Tag {
  readonly name: string;
  readonly description: string;
  readonly prefixes: readonly string[];
}

/** For what fits nowhere; a test refuses it. */
export const NO_TAG = 'Other';

export const TAGS: readonly Tag[] = [
  {
    name: 'Sign-in',
    description: 'A wallet signs a challenge and gets an access token.',
    prefixes: ['/auth/', '/.well-known/'],
  },
  {
    name: 'Tokens',
    description: 'Creation in four steps, changes of the tax rate, and lists.',
    prefixes: ['/tokens'],
  },
  {
    name: 'Transactions',
    description: 'What became of what was submitted.',
    prefixes: ['/transactions/'],
  },
  {
    name: 'Distribution',
    description: "A token's distribution settings, for its creator alone.",
    prefixes: ['/distribution/'],
  },
  {
    name: 'Featured',
    description: 'Promotions: which run, and how to buy one.',
    prefixes: ['/featured'],
  },
  {
    name: 'Launchpad',
    description: 'Bonding-curve launches.',
    prefixes: ['/launchpad/'],
  },
  {
    name: 'Files',
    description: 'What tokens point at: images and metadata, for pages of any origin.',
    prefixes: ['/images/', '/metadata/'],
  },
  {
    name: 'Events',
    description: 'What happened, as it happens.',
    prefixes: ['/events', '/asyncapi.json'],
  },
  {
    name: 'Operators',
    description: "For who runs the service, with an operator's key.",
    prefixes: ['/operator/', '/metrics'],
  },
  {
    name: 'Service',
    description: 'Whether it works, and how it is described.',
    prefixes: ['/health', '/ready', '/openapi.json'],
  },
];

export function tagOf(url: string): string {
  return TAGS.find(({ prefixes }) => prefixes.some((prefix) => url.startsWith(prefix)))?.name ?? NO_TAG;
}
