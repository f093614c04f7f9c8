/** Checks the data folder that the environment names: what keeps a service from starting in it, or a backup. */

import { checkStart, reportOn, type StartReport } from '../app/check-start.ts';
import { isBackup } from '../app/data-folder.ts';
import { surveyConfiguration } from '../operations/config/configuration.ts';
import { checkBackup, leftOut } from './backup-folder.ts';

export interface FolderReport extends StartReport {
  /** No service starts in a backup: its files were checked. */
  readonly isBackup?: true;
}

/** Changes nothing. */
export async function checkDataFolder(...given: Parameters<typeof checkStart>): Promise<FolderReport> {
  const { dataDirectory: folder } = surveyConfiguration(given[0]).values;
  if (folder === undefined || !isBackup(folder)) return checkStart(...given);
  const part = await reportOn('backup', async ({ obstacle, remark }) => {
    const { info, files, faults, missingLedgers } = await checkBackup(folder);
    remark(`${info.events} events and ${files} files, as of ${info.takenAt}`);
    for (const fault of faults) obstacle(fault);
    for (const file of info.damaged) obstacle(leftOut(file));
    for (const sha256 of missingLedgers)
      obstacle(`the ledger file ${sha256}, which the log names, is missing`);
  });
  return { parts: [part], holds: part.outcome === 'holds', isBackup: true };
}
