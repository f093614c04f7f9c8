/**
 * Reads the configuration from the environment, or reports everything that is wrong with it. Nothing else reads the environment. envalid
 * 8.2 has no defaults that refer to other variables, and its messages quote the given values, secrets included.
 */
import damerauLevenshtein from 'damerau-levenshtein';
import { nodeAddressesIn, schemeOf } from '../ports/technology.ts';
import { type Address, type ChainAddress, problemOnPublicChain } from './address-kinds.ts';
import type { Role } from './roles.ts';
import { NotAllowed } from './value-kinds.ts';
import { type Values, type Variable, variables } from './variables.ts';

export interface Configuration extends Values {
  /** Event store and chain are both embedded: only then may a first start generate secrets. */
  readonly embedded: boolean;
}

export interface ConfigurationProblem {
  readonly variable: string;
  /** The given text without secrets; undefined if nothing was given. */
  readonly given: string | undefined;
  /** What is wrong, if `allowed` does not say enough. */
  readonly reason: string | undefined;
  readonly allowed: string;
}

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const lines = problems.map((problem) => `- ${problemText(problem)}`);
    super(`invalid configuration:\n${lines.join('\n')}`);
    this.problems = problems;
  }
}

export function problemText({ variable, given, reason, allowed }: ConfigurationProblem): string {
  const what = given === undefined ? `${variable} is not set` : `${variable} is ${given}`;
  return `${what}${reason === undefined ? '' : `: ${reason}`}. Allowed: ${allowed}.`;
}

/**
 * An empty or blank variable counts as not set; blanks around a value are ignored, and so are unknown variables. Relative
 * paths resolve against the working directory. Throws `ConfigurationError` with all problems.
 */
export function readConfiguration(env: NodeJS.ProcessEnv): Configuration {
  const { values, problems } = surveyConfiguration(env);
  if (problems.length > 0) throw new ConfigurationError(problems);
  // Complete, since there are no problems.
  const found = values as Values;
  return { ...found, embedded: found.eventStore.isEmbedded && found.chain.isEmbedded };
}

/** As `readConfiguration`, but gives what is right beside what is wrong. */
export function surveyConfiguration(env: NodeJS.ProcessEnv): {
  /** Without the variables that are wrong by themselves, and those whose defaults refer to them. */
  readonly values: Partial<Values>;
  readonly problems: readonly ConfigurationProblem[];
} {
  const texts = new Map<string, string>();
  const values = new Map<string, unknown>();
  const problems: ConfigurationProblem[] = [];

  for (const [key, variable] of Object.entries<Variable>(variables)) {
    const given = env[variable.name]?.trim() ?? '';
    if (given === '' && 'value' in variable.default) {
      values.set(key, variable.default.value);
      continue;
    }
    const text = given === '' ? textOfDefault(variable, texts) : given;
    // If a default refers to a wrong value, only that value is reported.
    if (text === undefined) continue;
    try {
      values.set(key, variable.kind.parse(text));
      texts.set(variable.name, text);
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error;
      problems.push(problemOf(variable, text, error.message));
    }
  }

  const found = Object.fromEntries(values) as Partial<Values>;
  problems.push(...problemsBetween(found, (name) => texts.get(name)));
  return { values: found, problems };
}

/** Problems between variables. Variables that are wrong by themselves are missing from `values`. */
function problemsBetween(
  values: Partial<Values>,
  textOf: (name: string) => string | undefined,
): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  const { chain, nonceAccountsMin: min, nonceAccountsMax: max } = values;
  const { unusedImagesKeptMs: kept, claimLapseMs: lapse } = values;
  if (values.eventStore?.isEmbedded && values.roles !== undefined && !isWhole(values.roles)) {
    const reason =
      'an event store in SQLite belongs to one process, which then needs the roles `api` and `settler`';
    problems.push(problemOf(variables.roles, textOf('ROLES'), reason));
  } else if (values.eventStore?.isEmbedded && isWithoutProjector(values)) {
    const reason =
      'nobody else can write the read models of an event store in SQLite: this process needs the role `projector`';
    problems.push(problemOf(variables.roles, textOf('ROLES'), reason));
  } else if (isProjectorForNobody(values)) {
    const reason =
      'only the process that keeps read models in SQLite can read them, and this one has none of the roles `api`, `settler` and `distributor`';
    problems.push(problemOf(variables.roles, textOf('ROLES'), reason));
  } else if ('publisher' in values && isPublisherForNobody(values)) {
    const reason =
      'the only role of this process is `publisher` (`ROLES`), which needs a server to publish to';
    problems.push(problemOf(variables.publisher, textOf('PUBLISHER_URL'), reason));
  }
  if (chain !== undefined && !chain.isEmbedded && 'publicUrl' in values) {
    const reason = problemOnPublicChain(values.publicUrl);
    if (reason !== undefined) problems.push(problemOf(variables.publicUrl, textOf('PUBLIC_URL'), reason));
  }
  if (chain !== undefined && !chain.isEmbedded && 'deskMints' in values && 'deskBudget' in values) {
    // Anybody can collect tax on transfers of a worthless token.
    const reason = 'a desk on this chain needs both DESK_MINTS and DESK_BUDGET';
    if (values.deskMints !== undefined && values.deskBudget === undefined)
      problems.push(problemOf(variables.deskBudget, undefined, reason));
    if (values.deskBudget !== undefined && values.deskMints === undefined)
      problems.push(problemOf(variables.deskMints, undefined, reason));
  }
  if (kept !== undefined && lapse !== undefined && kept <= lapse) {
    const reason =
      'it must be longer than CLAIM_LAPSE, because a draft in the making needs its image that long';
    problems.push(problemOf(variables.unusedImagesKeptMs, textOf('UNUSED_IMAGES_KEPT'), reason));
  }
  const { chainWitness: witness } = values;
  if (chain !== undefined && witness !== undefined) {
    const reason = problemOfWitness(chain, witness);
    if (reason !== undefined)
      problems.push(problemOf(variables.chainWitness, textOf('CHAIN_WITNESS_URL'), reason));
  }
  if (
    chain?.isEmbedded &&
    values.localChainNonces === false &&
    values.draftLifetimeKind === 'durable-nonce'
  ) {
    const reason =
      'the embedded chain has no durable nonces (LOCAL_CHAIN_NONCES is off), so drafts need `recent-blockhash`';
    problems.push(
      problemOf(variables.draftLifetimeKind, textOf('DRAFT_LIFETIME_KIND') ?? 'durable-nonce', reason),
    );
  }
  problems.push(...problemsOfPorts(values, textOf));
  const { eventStore, eventStoreCredentialsFile: credentials } = values;
  if (eventStore?.lacksUser && credentials === undefined) {
    const reason =
      'with TLS, EventStoreDB requires a user and a password, before the host or in EVENT_STORE_CREDENTIALS_FILE';
    problems.push(problemOf(variables.eventStore, textOf('EVENT_STORE_URL'), reason));
  }
  if (min !== undefined && max !== undefined && min > max) {
    const reason = `it is greater than NONCE_ACCOUNTS_MAX, which is ${max}`;
    problems.push(problemOf(variables.nonceAccountsMin, textOf('NONCE_ACCOUNTS_MIN'), reason));
  }
  return problems;
}

interface Listener {
  readonly variable: Variable;
  readonly host: string;
  readonly port: number;
  /** What else stands above the variable's own port. */
  readonly above?: string;
}

/** Two listeners of one process cannot share a port. Port 0 takes a free one. */
function problemsOfPorts(
  { host, port, metricsHost, metricsPort, chain, localChainPort }: Partial<Values>,
  textOf: (name: string) => string | undefined,
): readonly ConfigurationProblem[] {
  const listeners: Listener[] = [];
  if (chain?.isEmbedded && localChainPort !== undefined) {
    const onLoopback = { variable: variables.localChainPort, host: '127.0.0.1' };
    listeners.push(
      { ...onLoopback, port: localChainPort },
      { ...onLoopback, port: localChainPort === 0 ? 0 : localChainPort + 1, above: 'for WebSockets' },
    );
  }
  if (host !== undefined && port !== undefined) listeners.push({ variable: variables.port, host, port });
  if (metricsHost !== undefined && metricsPort !== undefined)
    listeners.push({ variable: variables.metricsPort, host: metricsHost, port: metricsPort });
  return listeners.flatMap((listener, index) => {
    const taken = listeners.slice(0, index).find((other) => isSamePort(listener, other));
    if (taken === undefined || taken.variable === listener.variable) return [];
    const { variable, above } = taken;
    const whose =
      above === undefined ? variable.name : `${variable.name}, which also takes the port above it ${above}`;
    return [
      problemOf(
        listener.variable,
        textOf(listener.variable.name),
        `it is the port ${listener.port} of ${whose}, and two listeners cannot share a port`,
      ),
    ];
  });
}

const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

function isSamePort(one: Listener, other: Listener): boolean {
  if (one.port === 0 || one.port !== other.port) return false;
  const hosts = [one.host, other.host];
  return (
    one.host === other.host ||
    hosts.some((host) => ALL_ADDRESSES.has(host)) ||
    hosts.every((host) => LOOPBACK.has(host))
  );
}

/** Variables of the environment that are none of the service's, but are spelled almost like one. */
export function likelyMisspelt(
  env: NodeJS.ProcessEnv,
): readonly { readonly given: string; readonly meant: string }[] {
  const names = Object.values<Variable>(variables).map(({ name }) => name);
  const unset = names.filter((name) => env[name] === undefined);
  return Object.keys(env).flatMap((given) => {
    if (names.includes(given) || !/^[A-Z][A-Z0-9_]*$/.test(given)) return [];
    const meant = unset.find((name) => damerauLevenshtein(given, name).steps <= tolerated(name));
    return meant === undefined ? [] : [{ given, meant }];
  });
}

/** Short names are near to many others: HOST to HOME, PORT to PATH. */
function tolerated(name: string): number {
  return name.length < 8 ? 1 : 2;
}

function isWhole(roles: ReadonlySet<Role>): boolean {
  return roles.has('api') && roles.has('settler');
}

/** The roles that read read models. */
const READERS = ['api', 'settler', 'distributor'] as const;

/** Several processes can read what one of them keeps on a server. */
function keepsReadModelsInFile({ readModel }: Partial<Values>): boolean {
  return readModel !== undefined && schemeOf(readModel.url) === 'sqlite';
}

function isProjectorForNobody(values: Partial<Values>): boolean {
  const { roles } = values;
  if (roles === undefined || !keepsReadModelsInFile(values)) return false;
  return roles.has('projector') && !READERS.some((role) => roles.has(role));
}

function isWithoutProjector(values: Partial<Values>): boolean {
  const { roles, readModel } = values;
  if (roles === undefined || readModel === undefined) return false;
  return !keepsReadModelsInFile(values) && !roles.has('projector');
}

/** Two addresses of one node would agree about anything. */
function problemOfWitness(chain: ChainAddress, witness: Address): string | undefined {
  if (chain.isEmbedded) return 'an embedded chain (CHAIN_URL) has one node, and no second to ask';
  const isOneOf = nodeAddressesIn(chain.url).some((url) => new URL(url).href === new URL(witness.url).href);
  return isOneOf ? 'it is the same as CHAIN_URL, and a node cannot be its own witness' : undefined;
}

function isPublisherForNobody({ roles, publisher }: Partial<Values>): boolean {
  return publisher === undefined && roles?.size === 1 && roles.has('publisher');
}

function problemOf(variable: Variable, text: string | undefined, reason: string): ConfigurationProblem {
  return {
    variable: variable.name,
    given: text === undefined ? undefined : shown(variable, text),
    reason: reason === '' ? undefined : reason,
    allowed: variable.kind.allowed,
  };
}

const LONGEST_SHOWN = 80;
const SHOWN_SCHEME = /^(https?|wss?|sqlite|file|(esdb|kurrentdb)(\+discover)?|mongodb(\+srv)?|nats|local):/i;

/** The text without secrets: only the scheme of a confidential one; of others everything but user and password. */
function shown(variable: Variable, text: string): string {
  if (variable.kind.confidential) return `${SHOWN_SCHEME.exec(text)?.[0] ?? ''}… (not shown)`;
  const bare = text.replace(/\/\/.*@/gs, '//…@');
  return JSON.stringify(bare.length > LONGEST_SHOWN ? `${bare.slice(0, LONGEST_SHOWN)}…` : bare);
}

function textOfDefault(variable: Variable, texts: ReadonlyMap<string, string>): string | undefined {
  if ('text' in variable.default) return withTexts(variable.default.text, texts);
  return 'textFrom' in variable.default ? withTexts(variable.default.textFrom(texts), texts) : undefined;
}

/** The default with every `<NAME>` filled in; undefined if one of these variables is wrong. */
function withTexts(template: string, texts: ReadonlyMap<string, string>): string | undefined {
  const names = [...template.matchAll(/<([A-Z_]+)>/g)].map(([, name = '']) => name);
  if (names.some((name) => !texts.has(name))) return undefined;
  return template.replace(/<([A-Z_]+)>/g, (_all, name: string) => texts.get(name) ?? '');
}
