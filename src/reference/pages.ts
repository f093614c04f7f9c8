/** The pages of docs/reference, each made whole from what the service itself reads. */
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
  /** Inside docs/reference. */
  readonly file: string;
  /** Markdown, ending with a line end. */
  readonly text: string;
}

/** The same for the same code. */
export function referencePages(): readonly ReferencePage[] {
  return [
    page(
      'audit-checks.md',
      'Checks of `levy audit`',
      `Each check by its name in the report, with every finding that it can make. A finding says what was expected and what was
found, and names the event, account and signature where there are any. How to audit: [Audit the event log](../how-to/operate/audit-the-event-log.md).`,
      auditChecks(),
    ),
    ...configurationPages(),
    page(
      'error-codes.md',
      'Error codes',
      `Every refusal is \`application/problem+json\` (RFC 9457). Programs compare \`code\`, which never changes; \`detail\` is a
sentence for people, and its wording may change. What to do about each:
[Handle errors and retries](../how-to/integrate/handle-errors.md).`,
      rejectionTable(),
      `\`CHAIN_UNAVAILABLE\` is 503 when the chain node does not answer, and 502 when it answers something that makes no sense.`,
    ),
    page(
      'events.md',
      'Events',
      `## Public outcomes

Messages to subscribers of [\`GET /events\`](../how-to/integrate/follow-events.md) and on
[NATS](../how-to/integrate/follow-events-on-nats.md), as CloudEvents 1.0. Types keep their meaning, and their data only gain
members. \`GET /asyncapi.json\` has the full schemas.`,
      outcomeTable(),
      `\`levy.checkpoint\` is sent on \`GET /events\` only and is not an event of the log: everything up to its \`position\` was delivered.

## Stored events

What the log holds: the service's own record, never sent to subscribers as it is. A stream is named \`<category>-<id>\`. Each event
also has an id and metadata: when it occurred, the command, its input's hash, the correlation and causation ids, the actor, and the version of
its schema.`,
      storedEventTable(),
    ),
    page(
      'metrics.md',
      'Metrics',
      `\`GET /metrics\` answers in Prometheus' text format. Besides these there are figures of the process itself (\`process_*\`,
\`nodejs_*\`). How to collect them: [Monitor the service](../how-to/operate/monitor.md).`,
      metricsTable(),
    ),
    page(
      'rate-limits.md',
      'Rate limits',
      `Each call is counted by one policy before anything else is done for it. The default reads "calls / time". How to change it:
[Configure rate limits](../how-to/operate/configure-rate-limits.md).`,
      rateLimitTable(),
      `An IPv6 address is counted by its /64, by its /56 with four times the calls, and by its /48 with sixteen times; all addresses that cannot be read share one count. \`/images\`, \`/metadata\`, \`/health\`, \`/ready\`, the signing keys and the descriptions of
the API are not counted. An answer to a counted call has \`RateLimit\` and \`RateLimit-Policy\` (IETF draft), \`X-RateLimit-Limit\`,
\`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, and with 429 also \`Retry-After\`.`,
    ),
    page(
      'routes.md',
      'Routes',
      `\`GET /openapi.json\` describes each route in full: parameters, bodies, answers, every code, examples of all. \`/docs\` shows
it in a browser. The last column has the codes that a route declares; those that every route of its kind can answer, such as
\`VALIDATION_FAILED\` or \`RATE_LIMITED\`, are not repeated here.`,
      routeTables(),
    ),
    page(
      'steps-and-waits.md',
      'Steps and waits of distributions',
      STEPS,
      stepTable(),
      `## Waits

A \`usual\` wait ends by itself, \`trouble\` may need an operator, a \`fault\` needs one. The log reports a usual wait when it takes longer than
its step may, trouble after 15 seconds, a fault at once. A run is reported as stuck by a fault at once, by trouble after ${TROUBLE_LIMIT / 60} minutes.`,
      waitTable(),
    ),
  ];
}

const STEPS = `Steps and waits have the same names in the log, the metrics and the answers. Everybody is shown the
sentence; operators also the details. What to do: [Monitor the service](../how-to/operate/monitor.md).

## Steps of a run

The step follows from the recorded events, so every process shows the same one, also after a restart. An unfinished transaction belongs to the step
that recorded it. Two actions are not recorded, so the step does not show them: a restarted process reads the holders again while the
step is \`collect\` or \`allot\`; and a run whose last recipients were refused says \`pay\` until the transactions that close its pots are recorded.

In this order. A run is reported as stuck when nothing was recorded in it for longer than the time in the last column.`;

function configurationPages(): readonly ReferencePage[] {
  return [
    page(
      'configuration.md',
      'Configuration',
      `Every setting is an environment variable. An empty variable counts as not set. How to set them:
[Configure the service](../how-to/operate/configure.md). On your own machine none has to be set.

## Read these first`,
      firstVariables(),
      `## Advanced

The last column states when to change a variable; otherwise its default is right. Values that are the same for every
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

/** Every check of `levy audit` with its findings, for the reference. */
function auditChecks(): string {
  return Object.values<DeclaredCheck>(CHECKS).map(sectionOf).join('\n');
}

function sectionOf({ group, check, proves, findings, remedy }: DeclaredCheck): string {
  const rows = Object.entries(findings);
  return [
    `## ${group}/${check}\n`,
    `Proves: ${proves}.\n`,
    `What to do: ${remedy}.\n`,
    ...(rows.length === 0 ? [] : [markdownTable(['finding', 'what it means'], rows)]),
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
  return markdownTable(['Step', 'What it does', 'Stuck after'], [...steps, ...others]);
}

/** Markdown, ending with a line end. */
function waitTable(): string {
  return markdownTable(
    ['Code', 'Kind', 'Sentence'],
    Object.entries<DeclaredWait>(WAITS).map(([code, { kind, sentence }]) => [`\`${code}\``, kind, sentence]),
  );
}
