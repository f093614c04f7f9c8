/** Reads the links of a token, which strangers follow: only https to a public host by its name, as browsers write it. Pure. */
import { isIP } from 'node:net';
import { isOutsideName } from '../kernel/runtime/host-names.ts';
import { hiddenCharacter } from './shown-text.ts';

type ReadLink = { readonly link: string } | { readonly wrong: string };

/** "" for no link. A port is taken, since sites have them. */
export function readLink(text: string, maximumLength: number): ReadLink {
  const written = text.trim();
  if (written === '') return { link: '' };
  const hidden = hiddenCharacter(written);
  if (hidden !== undefined) return { wrong: hidden };
  // A URL parser accepts an address without the slashes, but other readers may not.
  if (!/^https:\/\/[^\s\\]+$/i.test(written) || !URL.canParse(written)) {
    return { wrong: 'must be an https address' };
  }
  const { href, hostname, username, password } = new URL(written);
  if (username !== '' || password !== '') return { wrong: 'must not name a user or a password' };
  const wrong = wrongHost(hostname);
  if (wrong !== undefined) return { wrong };
  if (href.length > maximumLength) {
    return {
      wrong: `must have at most ${maximumLength} characters, and has ${href.length} as browsers write it`,
    };
  }
  return { link: href };
}

/** `hostname` as `URL` writes it: every spelling of an IPv4 address is four decimals there, and IPv6 is in brackets. */
function wrongHost(hostname: string): string | undefined {
  if (isIP(hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')) !== 0) {
    return 'must name a host, not an IP address';
  }
  return isOutsideName(hostname) ? undefined : `must name a public host, which ${hostname} is not`;
}
