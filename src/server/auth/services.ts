/** The services that sign-in commands and queries use. */
import type { AccessTokens } from './access-token.ts';
import type { Revocations } from './revocations.ts';
import type { SignIn, SignInOrigin } from './sign-in-challenge.ts';

export interface AuthServices {
  readonly signIn: SignIn;
  /** The origin that a sign-in message names for a request's Origin header. */
  readonly signInOriginOf: (origin: string | undefined) => SignInOrigin;
  readonly isSignInOrigin: (origin: SignInOrigin) => boolean;
  readonly accessTokens: AccessTokens;
  readonly revocations: Revocations;
}
