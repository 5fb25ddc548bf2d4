/** How many occurrences of one fault are told one by one; the rest is counted. */
export const maxTold = 10;

/** The first few as a person reads them, and how many more there are. */
export function toFew(values: readonly string[]): string[] {
  return values.length <= maxListed
    ? [...values]
    : [...values.slice(0, maxListed - 1), `${values.length - maxListed + 1} more`];
}

/** What a sentence lists in full (words.ts). */
const maxListed = 5;
