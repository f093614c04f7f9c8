// Alerts and dashboards against what the service really measures, and against where it is asked for it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { STEP_LIMITS, TROUBLE_LIMIT } from '../../src/distribution/waiting/step-limits.ts';
import { createMetrics } from '../../src/operations/metrics/metrics.ts';
import { readExposition } from '../support/exposition.ts';
import { filesBelow, textOf } from '../unit/guards/source-files.ts';
import { composeFiles, exampleVariables, INFRA } from './operators-choices.ts';
import { askedBy, groupingsOf } from './queries.ts';

const read = (file: string): unknown => parse(readFileSync(join(INFRA, file), 'utf8'));

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}
interface Scraping {
  readonly global: { readonly external_labels: object };
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly [
    {
      readonly static_configs: readonly [{ readonly targets: readonly string[] }];
      readonly dns_sd_configs: readonly [{ readonly names: readonly string[]; readonly port: number }];
    },
  ];
}

const { groups } = read('prometheus/alerts.yml') as { groups: { rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);
const dashboard = read('grafana/dashboards/levy.json') as Dashboard;
const scraping = read('prometheus/prometheus.yml') as Scraping;
const targets = dashboard.panels.flatMap(({ title, targets: found = [] }) =>
  found.map((target) => ({ ...target, title })),
);
const ofThePrometheus = ['instance', 'job'];

/** Labels by name of metric, as Prometheus knows them: a histogram is three. */
async function measured(): Promise<ReadonlyMap<string, readonly string[]>> {
  const ours = createMetrics({ version: '0' })
    .definitions()
    .flatMap(({ name, kind, labels }) =>
      kind === 'histogram'
        ? [
            [`${name}_bucket`, [...labels, 'le']] as const,
            [`${name}_sum`, labels] as const,
            [`${name}_count`, labels] as const,
          ]
        : [[name, labels] as const],
    );
  const { body } = await createMetrics({ version: '0' }).text();
  const ofTheProcess = [...readExposition(body).families].flatMap(([name, { kind }]) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  const others = ofTheProcess.filter((name) => !name.startsWith('levy_')).map((name) => [name, []] as const);
  return new Map<string, readonly string[]>([...ours, ...others, ['up', []]]);
}

describe.each([
  ...alerts.map(({ alert, expr, annotations }) => ({ name: alert, expr, text: annotations.summary })),
  ...targets.map(({ title, expr, legendFormat }) => ({ name: title, expr, text: legendFormat })),
])('$name: $expr', ({ expr, text }) => {
  test('asks for what the service measures, by labels that it has', async () => {
    const known = await measured();
    const asked = askedBy(expr);
    expect(asked).not.toEqual([]);
    for (const { metric, labels } of asked) {
      expect([...known.keys()]).toContain(metric);
      for (const label of labels) expect([...ofThePrometheus, ...(known.get(metric) ?? [])]).toContain(label);
    }
  });

  test('groups by and shows labels that are there', async () => {
    const known = await measured();
    const shown = [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label);
    const there = [...ofThePrometheus, ...askedBy(expr).flatMap(({ metric }) => known.get(metric) ?? [])];
    const grouped = groupingsOf(expr);
    for (const label of [...grouped, ...shown]) expect(there).toContain(label);
    const isSummed = /^\s*(?:\S+\()?(?:sum|max|min|count|topk\(\d+, histogram_quantile\([\d.]+, sum)\b/.test(
      expr,
    );
    if (isSummed) expect(shown.filter((label) => !grouped.includes(label))).toEqual([]);
  });
});

const MONITOR = 'docs/how-to/operate/monitor.md';
/** An operator sets it; without it, the alert names the path in the repository. */
const BASE = '{{ $externalLabels.docs }}';

describe.each(alerts)('$alert', ({ alert, labels, annotations }) => {
  test('pages somebody or is a ticket', () => {
    expect(['page', 'ticket']).toContain(labels.severity);
  });

  test('has a heading of its own, to which it leads, and a text that says what to do', () => {
    expect(annotations.runbook_url).toBe(`${BASE}${MONITOR}#${alert.toLowerCase()}`);
    const [, text = ''] = textOf(MONITOR).split(`#### ${alert}\n`);
    const told = text.split(/^#/m)[0] ?? '';
    expect(told.trim().split(/\s+/).length).toBeGreaterThan(12);
  });
});

test('the docs name no alert that is none', () => {
  const names = alerts.map(({ alert }) => alert);
  const told = filesBelow('docs', '.md').flatMap((page) =>
    [...textOf(page).matchAll(/\bLevy[A-Z]\w+/g)].map(([name]) => ({ page, name })),
  );
  expect(told.length).toBeGreaterThan(names.length);
  expect(told.filter(({ name }) => !names.includes(name))).toEqual([]);
});

test('runs are told as stuck by the thresholds of the service, step by step', () => {
  const exprOf = (name: string) => alerts.find(({ alert }) => alert === name)?.expr ?? '';
  const told = [...exprOf('LevyRunStuck').matchAll(/step="(\w+)"\}\) > (\d+)/g)];
  expect(Object.fromEntries(told.map(([, step, seconds]) => [step, Number(seconds)]))).toEqual(STEP_LIMITS);
  expect(exprOf('LevyRunTrouble')).toContain(`kind="trouble"}) > ${TROUBLE_LIMIT}`);
  expect(exprOf('LevyRunFault')).toContain('kind="fault"}) >= 0');
});

test('every metric of the service is on the dashboard', () => {
  const shown = targets.flatMap(({ expr }) =>
    askedBy(expr).map(({ metric }) => metric.replace(/_(?:bucket|sum|count)$/, '')),
  );
  const missing = createMetrics({ version: '0' })
    .definitions()
    .filter(({ name }) => !shown.includes(name));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

describe.each(composeFiles)('in $name', ({ compose }) => {
  test('an operator sets where the docs are that alerts lead to', () => {
    expect(scraping.global.external_labels).toEqual({ docs: expect.stringMatching(/^\$\{DOCS_URL\}$/) });
    expect(Object.keys(compose.services.prometheus?.environment ?? {})).toEqual(['DOCS_URL']);
    expect(exampleVariables).toHaveProperty('DOCS_URL');
  });

  test('Prometheus reads every process where it tells its metrics, one that need not be there by its name', () => {
    const [{ static_configs, dns_sd_configs }] = scraping.scrape_configs;
    const named = dns_sd_configs[0].names.map((name) => `${name}:${dns_sd_configs[0].port}`);
    const processes = Object.entries(compose.services).filter(
      ([, { environment }]) => 'ROLES' in environment,
    );
    const listening = processes.map(
      ([name, { environment }]) => `${name}:${String(environment.METRICS_PORT).split(':').at(-1)}`,
    );
    expect([...static_configs[0].targets, ...named].toSorted()).toEqual(listening.toSorted());
    const optional = processes.filter(([, { profiles }]) => profiles.length > 0);
    for (const [name] of optional) expect(dns_sd_configs[0].names).toContain(name);
    expect(scraping.rule_files).toEqual(['alerts.yml']);
  });

  test('the dashboards are reached where they are published', () => {
    const { grafana, prometheus } = compose.services;
    expect(grafana?.ports).toEqual(['127.0.0.1:3001:3000']);
    expect(prometheus?.healthcheck?.test.at(-1)).toBe('http://127.0.0.1:9090/-/healthy');
  });
});
