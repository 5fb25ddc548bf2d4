// Sizes in a form: people write "20 GB", and the setting is in bytes.

const units: readonly (readonly [string, number])[] = [
  ["TB", 1e12],
  ["GB", 1e9],
  ["MB", 1e6],
  ["KB", 1e3],
];

/** In the largest unit that says it exactly. */
export function toSizeText(bytes: number): string {
  for (const [unit, size] of units)
    if (bytes >= size && Number.isInteger((bytes / size) * 1_000)) return `${bytes / size} ${unit}`;
  return `${bytes} bytes`;
}

/** In bytes. Undefined: not a size. */
export function readSize(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d{1,16}(?:\.\d{1,3})?) ?([kmgt]i?b|b|bytes)?$/i.exec(text.trim()) ?? [];
  if (number === "") return undefined;
  const [, size = 1] = units.find(([name]) => name[0] === unit[0]?.toUpperCase()) ?? [];
  const isBinary = unit.length === 3;
  return Math.round(Number(number) * (isBinary ? 1_024 ** Math.round(Math.log10(size) / 3) : size));
}
