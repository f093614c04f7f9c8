/** For how long a test's servers and folders are there. */
import { onTestFinished } from 'vitest';
import { afterTheFile, folderForTheFile } from './after-the-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface Lifetime {
  /** A new folder, removed at the end. */
  folder(): Promise<string>;
  /** Runs at the end; what was begun last ends first. */
  atTheEnd(cleanup: () => Promise<void>): void;
}

export const ofTheTest: Lifetime = {
  folder: temporaryFolder,
  atTheEnd: (cleanup) => onTestFinished(cleanup),
};

export const ofTheFile: Lifetime = { folder: folderForTheFile, atTheEnd: afterTheFile };
