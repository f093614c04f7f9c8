/** Loads programs from files: each start reads the files again, and nothing is stored. */
import { parseAddress, sameBytes } from 'levy-solana-wire';
import { FileRefused, readGivenFile } from './given-file.ts';
import { programKeys } from './program-keys.ts';
import { MAXIMUM_ACCOUNT_SIZE, type Svm } from './svm.ts';

export interface ProgramFile {
  readonly programId: string;
  /** An ELF file, as `solana program dump` writes it. */
  readonly file: string;
}

const ELF_MAGIC = Buffer.from('\x7fELF', 'latin1');
/** Size of the header before the code, in the account with a program's code. */
const HEADER_SIZE = 45;

/**
 * `option` is the user's name for the list of programs.
 * @throws FileRefused
 */
export function loadPrograms(svm: Svm, programs: readonly ProgramFile[], option: string): void {
  for (const { programId, file } of programs) {
    const refuse = (reason: string) => new FileRefused(option, file, reason);
    const address = parseAddress(programId);
    if (address === undefined) throw refuse(`its program id ${programId} must be an address`);
    const there = svm.account(address);
    if (there !== undefined && !there.executable) {
      throw refuse(`the account at its program id ${programId} is not a program`);
    }
    if (there !== undefined && sameBytes(there.owner, programKeys.nativeLoader)) {
      throw refuse(`its program id ${programId} belongs to a program of the runtime`);
    }
    const elf = readGivenFile(option, file);
    if (!sameBytes(elf.subarray(0, ELF_MAGIC.length), ELF_MAGIC))
      throw refuse('the file must be an ELF file');
    if (elf.length > MAXIMUM_ACCOUNT_SIZE - HEADER_SIZE) throw refuse('the file is too large for an account');
    try {
      svm.addProgram(address, elf);
    } catch (error) {
      throw refuse(`the program is invalid (${error instanceof Error ? error.message : String(error)})`);
    }
  }
}
