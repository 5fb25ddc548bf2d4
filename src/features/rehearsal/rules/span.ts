const units = [
  { name: "day", ms: 86_400_000 },
  { name: "hour", ms: 3_600_000 },
  { name: "minute", ms: 60_000 },
  { name: "second", ms: 1_000 },
] as const;

/** A duration in its two largest units: "1 hour 10 minutes". */
export function toSpan(ms: number): string {
  if (ms < 1_000) return "less than a second";
  const first = units.findIndex((unit) => ms >= unit.ms);
  let left = ms;
  const parts = units.slice(first, first + 2).map((unit) => {
    const count = Math.floor(left / unit.ms);
    left -= count * unit.ms;
    return { count, name: unit.name };
  });
  return parts
    .filter(({ count }) => count > 0)
    .map(({ count, name }) => `${count} ${name}${count === 1 ? "" : "s"}`)
    .join(" ");
}
