/** Every command of the service: one line each. */
import type { AnyCommand } from '../runtime/define-command.ts';
import type { Services } from '../services.ts';
import { createUnsigned } from './create-unsigned.ts';
import { generateDistributionWallet } from './generate-distribution-wallet.ts';
import { hideToken } from './hide-token.ts';
import { showToken } from './show-token.ts';
import { signOut } from './sign-out.ts';
import { submit } from './submit.ts';
import { updateSettings } from './update-settings.ts';
import { uploadImage } from './upload-image.ts';
import { verifySignIn } from './verify-sign-in.ts';

export const commands: readonly AnyCommand<Services>[] = [
  createUnsigned,
  generateDistributionWallet,
  hideToken,
  showToken,
  signOut,
  submit,
  updateSettings,
  uploadImage,
  verifySignIn,
];
