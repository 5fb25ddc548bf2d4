// Counts in words, as in "1,024 messages".

const grouped = new Intl.NumberFormat("en-US");

export function toNumber(count: number): string {
  return grouped.format(count);
}

export function toPlural(count: number, one: string, several: string): string {
  return `${toNumber(count)} ${count === 1 ? one : several}`;
}
