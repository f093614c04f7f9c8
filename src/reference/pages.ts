/** Pages of docs/reference, each generated completely from the service's own definitions. */
import { STEP_LIMITS, TROUBLE_LIMIT } from '../distribution/waiting/step-limits.ts';
import type { DeclaredCheck } from '../proof/audit/checks.ts';
import { CHECKS } from '../proof/audit/checks.ts';
import { IDLE_STEPS, RUN_STEPS } from '../streams/distribution-step.ts';
import { type DeclaredWait, WAITS } from '../streams/distribution-wait.ts';
import { markdownTable } from './markdown.ts';
import { rejectionTable } from './rejection-table.ts';
import {
  advancedVariables,
  firstVariables,
  metricsTable,
  outcomeTable,
  rateLimitTable,
  routeTables,
  storedEventTable,
} from './tables.ts';

interface ReferencePage {
  /** Path within docs/reference. */
  readonly file: string;
  /** Markdown, ending with a line end. */
  readonly text: string;
}

/** Deterministic: equal code gives equal pages. */
export function referencePages(): readonly ReferencePage[] {
  return [
    page(
      'audit-checks.md',
      'Checks of `levy audit`',
      `Each check by its name in the report, with the rules that it checks. A finding names the violated rule, the expected and the
found value, and the event, account and signature, if any. [Audit the event log](../how-to/operate/audit-the-event-log.md) describes the command.`,
      auditChecks(),
    ),
    ...configurationPages(),
    page(
      'error-codes.md',
      'Error codes',
      `Every refusal is \`application/problem+json\` (RFC 9457). Programs compare \`code\`, which never changes. \`detail\` is a
sentence for people, and its wording may change. [Handle errors and retries](../how-to/integrate/handle-errors.md) describes what to do.`,
      rejectionTable(),
      `\`CHAIN_UNAVAILABLE\` is 503 if the chain node does not respond, and 502 if its response is invalid.`,
    ),
    page(
      'events.md',
      'Events',
      `## Public outcomes

Messages to subscribers of [\`GET /events\`](../how-to/integrate/follow-events.md) and on
[NATS](../how-to/integrate/follow-events-on-nats.md), as CloudEvents 1.0. The meaning of a type never changes, and its data only gain
members. \`GET /asyncapi.json\` has the full schemas.`,
      outcomeTable(),
      `\`levy.checkpoint\` is sent on \`GET /events\` only and is not an event of the log. It confirms that everything up to its \`position\` was delivered.

## Stored events

The events of the log are internal: subscribers never receive them unchanged. A stream is named \`<category>-<id>\`. Each event
also has an id and metadata: the time, the command, its input's hash, the correlation and causation ids, the actor, and the version of
its schema.`,
      storedEventTable(),
    ),
    page(
      'metrics.md',
      'Metrics',
      `\`GET /metrics\` returns Prometheus' text format. It also includes metrics of the process itself (\`process_*\`,
\`nodejs_*\`). [Monitor the service](../how-to/operate/monitor.md) describes how to collect them.`,
      metricsTable(),
    ),
    page(
      'rate-limits.md',
      'Rate limits',
      `Each call is counted by one policy before any other work. A default is written as calls/time.
[Configure rate limits](../how-to/operate/configure-rate-limits.md) describes how to change it.`,
      rateLimitTable(),
      `An IPv6 address is counted by its /64, by its /56 with four times the calls, and by its /48 with sixteen times; all addresses that cannot be read share one count. \`/images\`, \`/metadata\`, \`/health\`, \`/ready\`, the signing keys and the descriptions of
the API are not counted. The response to a counted call has \`RateLimit\` and \`RateLimit-Policy\` (IETF draft), \`X-RateLimit-Limit\`,
\`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, and with 429 also \`Retry-After\`.`,
    ),
    page(
      'routes.md',
      'Routes',
      `\`GET /openapi.json\` describes each route in full: parameters, bodies, responses, every code, and examples. \`/docs\` shows
it in a browser. The last column has a route's own codes. Codes that every route of its kind can return, such as
\`VALIDATION_FAILED\` or \`RATE_LIMITED\`, are omitted.`,
      routeTables(),
    ),
    page(
      'steps-and-waits.md',
      'Steps and waits of distributions',
      STEPS,
      stepTable(),
      `## Waits

A \`usual\` wait ends without an operator, \`trouble\` may need one, and a \`fault\` does. The log reports a usual wait after its step's limit,
trouble after 15 seconds, and a fault immediately. A run is reported as stuck immediately with a fault, and after ${TROUBLE_LIMIT / 60} minutes with trouble.`,
      waitTable(),
    ),
  ];
}

const STEPS = `Steps and waits have the same names in the log, the metrics and the API. The API describes each in a sentence, and shows operators the
details as well. [Monitor the service](../how-to/operate/monitor.md#a-stuck-run) describes what to do.

## Steps of a run

The step is derived from the recorded events, so every process shows the same one, also after a restart. An unfinished transaction belongs to the step
that recorded it. Two actions do not change the step, because they are not recorded:

- A restarted process reads the holders again while the step is \`collect\` or \`allot\`.
- A run whose last recipients were refused stays in \`pay\` until the transactions that close its pots are recorded.

The table is in the order of execution. A run is reported as stuck if nothing was recorded in it for longer than the time in the last column.`;

function configurationPages(): readonly ReferencePage[] {
  return [
    page(
      'configuration.md',
      'Configuration',
      `Every setting is an environment variable. An empty variable counts as not set. On your own machine you need none.
[Configure the service](../how-to/operate/configure.md) describes the most important ones.

## Read these first`,
      firstVariables(),
      `## Advanced

The last column lists reasons to change a variable; otherwise use its default. Values that are equal in every
installation are constants, each with its reason: [\`constants.ts\`](../../src/operations/config/constants.ts).`,
      advancedVariables(),
    ),
  ];
}

function page(file: string, title: string, ...parts: readonly string[]): ReferencePage {
  const note = '<!-- Written by `npm run docs` from the code. Do not edit it by hand. -->';
  return {
    file,
    text: [`# ${title}`, note, ...parts.map((part) => part.trimEnd())].join('\n\n').concat('\n'),
  };
}

/** Every check of `levy audit` with its findings. */
function auditChecks(): string {
  return Object.values<DeclaredCheck>(CHECKS).map(sectionOf).join('\n');
}

function sectionOf({ group, check, proves, findings, remedy }: DeclaredCheck): string {
  const rows = Object.entries(findings);
  return [
    `## ${group}/${check}\n`,
    `Proves: ${proves}.\n`,
    `Remedy: ${remedy}.\n`,
    ...(rows.length === 0 ? [] : [markdownTable(['Violated rule', 'Meaning'], rows)]),
  ].join('\n');
}

/** Markdown, ending with a line end. */
function stepTable(): string {
  const limits: { readonly [step: string]: number } = STEP_LIMITS;
  const steps = Object.entries(RUN_STEPS).map(([step, meaning]) => [
    `\`${step}\``,
    meaning,
    limits[step] === undefined ? '' : `${limits[step] / 60} min`,
  ]);
  const others = Object.entries(IDLE_STEPS).map(([step, meaning]) => [`\`${step}\``, meaning, '']);
  return markdownTable(['Step', 'Meaning', 'Stuck after'], [...steps, ...others]);
}

/** Markdown, ending with a line end. */
function waitTable(): string {
  return markdownTable(
    ['Code', 'Kind', 'Sentence'],
    Object.entries<DeclaredWait>(WAITS).map(([code, { kind, sentence }]) => [`\`${code}\``, kind, sentence]),
  );
}
