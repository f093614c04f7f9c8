/** Web origins whose pages may call the service and ask users to sign in. */
import { isSignInDomain, isSignInUri } from './sign-in-message.ts';

const WILDCARD = /^(https?:\/\/)\*(\..+)$/;
/** One or more host labels, as browsers send them. */
const SUBDOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

export type IsAllowedOrigin = (origin: string) => boolean;

/** `origins`: exact origins, or `https://*.example.com` for every subdomain of example.com. */
export function createAllowedOrigins(origins: readonly string[]): IsAllowedOrigin {
  const exact = new Set(origins);
  const wildcards = origins.flatMap((origin) => {
    const [, scheme, suffix] = WILDCARD.exec(origin) ?? [];
    return scheme === undefined || suffix === undefined ? [] : [{ scheme, suffix }];
  });
  return (origin) =>
    (exact.has(origin) && !origin.includes('*')) ||
    wildcards.some(
      ({ scheme, suffix }) =>
        origin.startsWith(scheme) &&
        origin.endsWith(suffix) &&
        SUBDOMAIN.test(origin.slice(scheme.length, -suffix.length)),
    );
}

/** Returns why the text is not a valid origin; undefined if it is valid. */
export function problemWithOrigin(text: string): string | undefined {
  const example = text.replace(WILDCARD, '$1any$2');
  if (example.includes('*'))
    return '`*` is allowed only as the first label of the host, as in `https://*.example.com`';
  if (!/^https?:\/\//.test(example) || !URL.canParse(example)) return 'it must be an http or https URL';
  const { origin, host } = new URL(example);
  if (origin !== example) {
    return 'write the scheme and the host in lower case, without default port, path or trailing slash';
  }
  if (!isSignInDomain(host) || !isSignInUri(origin)) return 'wallets reject this host in a sign-in message';
  return undefined;
}
