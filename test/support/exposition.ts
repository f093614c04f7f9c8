/** Reads Prometheus' text format, and refuses what Prometheus would refuse. */

interface Sample {
  readonly name: string;
  readonly labels: { readonly [label: string]: string };
  readonly value: number;
}

export interface Exposition {
  /** Type and help of each metric, by name. */
  readonly families: ReadonlyMap<string, { readonly kind: string; readonly help: string }>;
  readonly samples: readonly Sample[];
  /** Value of the only sample with this name and these labels; undefined if there is none. Throws if there are several. */
  value(name: string, labels?: { readonly [label: string]: string }): number | undefined;
}

const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;

export function readExposition(text: string): Exposition {
  const families = new Map<string, { kind: string; help: string }>();
  const samples: Sample[] = [];
  const seen = new Set<string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === 'HELP') {
      if (families.has(name)) throw new Error(`${name} is described twice`);
      families.set(name, { kind: '', help: rest });
      continue;
    }
    if (word === 'TYPE') {
      const family = families.get(name);
      if (family === undefined || family.kind !== '') throw new Error(`${name} has its type out of order`);
      family.kind = rest;
      continue;
    }
    const [, sample = '', labels = '', text = ''] = SAMPLE.exec(line) ?? [];
    const value = numberOf(text);
    if (sample === '' || value === undefined) throw new Error(`no sample: ${line}`);
    const family = sample.replace(/_(bucket|sum|count)$/, '');
    if (!families.has(sample) && families.get(family)?.kind !== 'histogram')
      throw new Error(`${sample} is not described`);
    const found = [...labels.matchAll(LABEL)];
    if (found.map(([all]) => all).join('') !== labels) throw new Error(`no labels: ${labels}`);
    const key = `${sample} ${found
      .map(([all]) => all.replace(/,$/, ''))
      .sort()
      .join()}`;
    if (seen.has(key)) throw new Error(`${key} is there twice`);
    seen.add(key);
    samples.push({
      name: sample,
      labels: Object.fromEntries(found.map(([, label = '', text = '']) => [label, text])),
      value,
    });
  }
  return {
    families,
    samples,
    value(name, labels = {}) {
      const fitting = samples.filter(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
      );
      if (fitting.length > 1) throw new Error(`there are ${fitting.length} samples ${name}`);
      return fitting[0]?.value;
    },
  };
}

function numberOf(text: string): number | undefined {
  if (text.toLowerCase() === 'nan') return Number.NaN;
  const value = Number(text.replace('Inf', 'Infinity'));
  return Number.isNaN(value) ? undefined : value;
}
