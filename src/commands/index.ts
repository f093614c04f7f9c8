/** Every command of the service: one line each. */
import type { AnyCommand } from '../runtime/define-command.ts';
import type { Services } from '../services.ts';
import { createUnsigned } from './create-unsigned.ts';
import { generateDistributionWallet } from './generate-distribution-wallet.ts';
import { signOut } from './sign-out.ts';
import { submit } from './submit.ts';
import { uploadImage } from './upload-image.ts';
import { verifySignIn } from './verify-sign-in.ts';

export const commands: readonly AnyCommand<Services>[] = [
  createUnsigned,
  generateDistributionWallet,
  signOut,
  submit,
  uploadImage,
  verifySignIn,
];
