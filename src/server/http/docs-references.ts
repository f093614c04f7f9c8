/**
 * The script of the docs page that resolves references within the description. The page's own resolver works through the whole
 * description, for seconds, whenever a reader opens an operation; here references lead nowhere else, so that looking them up is enough.
 */

/** Runs before the page is made, because the page keeps its interface to itself. */
export const DOCS_REFERENCES = `(() => {
  const make = window.SwaggerUIBundle;
  const at = (document, path) => path.reduce((value, name) => value?.[name], document);
  const pathOf = (reference) => reference.slice(2).split('/').map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));

  function resolved(document, value, behind) {
    if (Array.isArray(value)) return value.map((each) => resolved(document, each, behind));
    if (typeof value !== 'object' || value === null) return value;
    const reference = value.$ref;
    if (typeof reference === 'string' && reference.startsWith('#/')) {
      // What refers to itself is shown once.
      return behind.includes(reference) ? {} : resolved(document, at(document, pathOf(reference)), [...behind, reference]);
    }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(document, each, behind)]));
  }

  const resolveSubtree = async (document, path) => ({ spec: resolved(document, at(document, path) ?? {}, []), errors: [] });
  const resolving = () => ({ fn: { resolveSubtree } });
  window.SwaggerUIBundle = Object.assign(
    (config) => make({ ...config, plugins: [...(config.plugins ?? []), resolving] }),
    make,
  );
})();
`;
