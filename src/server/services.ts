/** Services of this module for commands and queries. */
import type { AccessTokens } from './auth/access-token.ts';
import type { Revocations } from './auth/revocations.ts';
import type { SignIn, SignInOrigin } from './auth/sign-in-challenge.ts';
import type { EventFeed } from './delivery/feed/event-feed.ts';
import type { Partner } from './http/rate-limit/policies.ts';
import type { Images } from './images/images.ts';
import type { PartnerUsage } from './partner-usage.ts';

export interface AuthServices {
  readonly signIn: SignIn;
  /** Origin in the sign-in message for a request's Origin header. */
  readonly signInOriginOf: (origin: string | undefined) => SignInOrigin;
  readonly isSignInOrigin: (origin: SignInOrigin) => boolean;
  readonly accessTokens: AccessTokens;
  readonly revocations: Revocations;
}

export interface DeliveryServices {
  readonly eventFeed: EventFeed;
}

export interface PartnerServices {
  /** The entries of PARTNER_KEYS. */
  readonly partnersOfEnvironment: readonly Partner[];
  readonly partnerUsage: PartnerUsage;
}

export interface ImageServices {
  readonly images: Images;
  /** Public address of the service, without a trailing slash. */
  readonly publicUrl: () => string;
}
