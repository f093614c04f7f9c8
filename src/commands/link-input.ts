/** Parses the links of a token, which strangers follow: https to a public host by name, in the form of browsers. Pure. */
import { isIP } from 'node:net';
import { isOutsideName } from '../kernel/runtime/host-names.ts';
import { hiddenCharacter } from './hidden-characters.ts';

type ReadLink = { readonly link: string } | { readonly wrong: string };

/** Returns "" for no link. Ports are allowed. */
export function readLink(text: string, maximumLength: number): ReadLink {
  const written = text.trim();
  if (written === '') return { link: '' };
  const hidden = hiddenCharacter(written);
  if (hidden !== undefined) return { wrong: hidden };
  // A URL parser accepts an address without slashes; other readers may not.
  if (!/^https:\/\/[^\s\\]+$/i.test(written) || !URL.canParse(written)) {
    return { wrong: 'must be an https URL' };
  }
  const { href, hostname, username, password } = new URL(written);
  if (username !== '' || password !== '') return { wrong: 'must not contain a user name or password' };
  const wrong = hostProblem(hostname);
  if (wrong !== undefined) return { wrong };
  if (href.length > maximumLength) {
    return {
      wrong: `must have at most ${maximumLength} characters, and has ${href.length} after encoding`,
    };
  }
  return { link: href };
}

/** `hostname` as `URL` writes it: every spelling of an IPv4 address becomes four decimals, and IPv6 is in brackets. */
function hostProblem(hostname: string): string | undefined {
  if (isIP(hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')) !== 0) {
    return 'must name a host, not an IP address';
  }
  return isOutsideName(hostname) ? undefined : `must name a public host; ${hostname} is not public`;
}
