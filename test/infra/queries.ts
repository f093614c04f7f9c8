/** Metric names and labels in the Prometheus queries of alerts and dashboards. */

export interface Asked {
  readonly metric: string;
  /** Labels that select series; those that group or display are in `labelsShown`. */
  readonly labels: readonly string[];
}

const WORDS = [
  'by',
  'without',
  'on',
  'ignoring',
  'and',
  'or',
  'unless',
  'bool',
  'offset',
  'group_left',
  'group_right',
];

/** Every metric that a query names, each with the labels that it selects by. */
export function askedBy(query: string): readonly Asked[] {
  const bare = query
    .replace(/"[^"]*"/g, '""')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, '');
  return [...bare.matchAll(/([a-z_][a-z0-9_]*)\b(?!\s*\()(?:\{([^}]*)\})?/g)]
    .filter(([, word = '']) => !WORDS.includes(word))
    .filter(({ index }) => !isWithinBraces(bare, index) && !/[0-9.$]/.test(bare[index - 1] ?? ''))
    .map(([, metric = '', selectors = '']) => ({
      metric,
      labels: [...selectors.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }));
}

/** The labels that a query groups by. */
export function groupingsOf(query: string): readonly string[] {
  return [...query.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );
}

function isWithinBraces(text: string, index: number): boolean {
  return text.lastIndexOf('{', index) > text.lastIndexOf('}', index);
}
