/** List of all commands. */
import type { AnyCommand } from '../kernel/runtime/define-command.ts';
import type { UsedServices } from '../kernel/runtime/services.ts';
import { buyPromotion } from './buy-promotion.ts';
import { cancelTransaction } from './cancel-transaction.ts';
import { changeTransferFee } from './change-transfer-fee.ts';
import { concludeSubmission } from './conclude-submission.ts';
import { correctBooks } from './correct-books.ts';
import { createLaunch } from './create-launch.ts';
import { endPartner, makePartner, rotatePartnerKey } from './create-partner-key.ts';
import { createUnsigned } from './create-unsigned.ts';
import { endPromotion } from './end-promotion.ts';
import { generateDistributionWallet } from './generate-distribution-wallet.ts';
import { haltAllDistributions, resumeAllDistributions } from './halt-all-distributions.ts';
import { haltDistribution, resumeDistribution } from './halt-distribution.ts';
import { hideToken, showToken } from './hide-token.ts';
import { quarantineEvent } from './quarantine-event.ts';
import { requestRun } from './request-run.ts';
import { setOwners } from './set-owners.ts';
import { signOut } from './sign-out.ts';
import { submitLaunch } from './submit-launch.ts';
import { submitPromotion } from './submit-promotion.ts';
import { submit } from './submit-token.ts';
import { submitTransferFee } from './submit-transfer-fee.ts';
import { updateSettings } from './update-settings.ts';
import { uploadImage } from './upload-image.ts';
import { verifySignIn } from './verify-sign-in.ts';

const all = [
  buyPromotion,
  cancelTransaction,
  changeTransferFee,
  concludeSubmission,
  createLaunch,
  createUnsigned,
  endPromotion,
  makePartner,
  rotatePartnerKey,
  endPartner,
  generateDistributionWallet,
  haltAllDistributions,
  correctBooks,
  haltDistribution,
  hideToken,
  quarantineEvent,
  requestRun,
  resumeAllDistributions,
  resumeDistribution,
  setOwners,
  showToken,
  signOut,
  submit,
  submitLaunch,
  submitPromotion,
  submitTransferFee,
  updateSettings,
  uploadImage,
  verifySignIn,
] as const satisfies readonly AnyCommand<never>[];

/** Union of the services that the commands use. */
export type CommandServices = UsedServices<typeof all>;

export const commands: readonly AnyCommand<CommandServices>[] = all;
