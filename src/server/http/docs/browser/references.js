/**
 * Resolves `$ref`s within the description. The renderer's own resolver processes the whole description, for seconds,
 * whenever an operation is opened; this one only looks up internal references.
 */

export async function resolveSubtree(document, path) {
  return { spec: resolved(document, at(document, path) ?? {}, []), errors: [] };
}

function resolved(document, value, behind) {
  if (Array.isArray(value)) return value.map((each) => resolved(document, each, behind));
  if (typeof value !== 'object' || value === null) return value;
  const reference = value.$ref;
  if (typeof reference === 'string' && reference.startsWith('#/')) {
    // A recursive schema is shown once.
    if (behind.includes(reference)) return {};
    return resolved(document, at(document, pathOf(reference)), [...behind, reference]);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, resolved(document, each, behind)]),
  );
}

function at(document, path) {
  return path.reduce((value, name) => value?.[name], document);
}

function pathOf(reference) {
  return reference
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}
