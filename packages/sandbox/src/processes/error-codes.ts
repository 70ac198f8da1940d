/** Whether an error of the file system says that the path does not exist. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT");
}

/** What stands for a file or folder that is not there, for `catch`; every other error is thrown on. */
export function ifMissing<T>(stand: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return stand;
    throw error;
  };
}

/** Whether an error of the operating system says that we may not. */
export function isForbidden(error: unknown): boolean {
  return hasCode(error, "EACCES") || hasCode(error, "EPERM");
}

const UNWRITABLE_CODES = ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"];

/** Whether an error of the operating system says that there is no room for what was to be written, or that we may not write it. */
export function isUnwritable(error: unknown): error is Error {
  return UNWRITABLE_CODES.some((code) => hasCode(error, code));
}

/** Whether an error carries this `code`, as those of the operating system and of module loading do. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
