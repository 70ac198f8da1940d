/** Where a PSU reaches the bank: the target of a link, and what is read there. */
export interface BankContact {
  readonly href: string;
  readonly text: string;
}

/** A number of RFC 3966 with its visual separators, one address of RFC 6068, or a page. The text to show is in parentheses. */
const KINDS = [/^tel:(\+?\d+(?:-\d+)*)$/, /^mailto:([^\s?@]+@[^\s?@]+)$/, /^https:\/\/([^\s?#@]+?)\/?$/];

/** Reads a `tel:`, `mailto:` or `https:` URI that people can read. */
export function parseBankContact(href: string): BankContact {
  const read = KINDS.map((kind) => kind.exec(href)?.[1]).find((text) => text !== undefined);
  if (read === undefined || !URL.canParse(href))
    throw new Error(
      "must be like tel:+420-800-123-456, mailto:help@bank.example or https://bank.example/help",
    );
  return { href, text: href.startsWith("tel:") ? read.replaceAll("-", "\u00a0") : read };
}
