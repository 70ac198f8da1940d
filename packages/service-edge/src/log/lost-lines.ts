/** Number of log lines of this process that were lost, whatever they were written to. */
let lost = 0;

const LINE_END = "\n".charCodeAt(0);

/** Counts the lines that end in `data` as lost. */
export function countLostLines(data: Buffer): void {
  for (const octet of data) if (octet === LINE_END) lost += 1;
}

export const lostLines = (): number => lost;
