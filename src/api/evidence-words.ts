// What a finding rests on, as it was recorded: one line a value, each with its name in words.

export type EvidenceRow = { readonly name: string; readonly value: string };

/** How the reader is told them. */
export type Told = { readonly duration: (ms: number) => string; readonly moment: (time: string) => string };

const firstTime = Date.UTC(1980);

export function toEvidenceRows(evidence: Readonly<Record<string, unknown>>, told: Told): EvidenceRow[] {
  return toRows(evidence, "", told);
}

function toRows(value: unknown, name: string, told: Told): EvidenceRow[] {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== "object"))
      return value.length === 0 ? [] : [{ name: toWords(name), value: value.map(String).join("\n") }];
    return value.flatMap((one, index) => toRows(one, `${name} ${index + 1}`, told));
  }
  if (typeof value === "object")
    return Object.entries(value).flatMap(([key, one]) =>
      toRows(one, name === "" ? key : `${name} ${key}`, told),
    );
  return [{ name: toWords(name), value: toText(value, name, told) }];
}

/** Times and durations are milliseconds there, and their names say so. */
function toText(value: unknown, name: string, { duration, moment }: Told): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return String(value);
  if (/(Ms|_ms)$/.test(name)) return duration(value);
  if (/(^|[ _])at$|At$/.test(name) && value > firstTime) return moment(new Date(value).toISOString());
  return String(value);
}

/** `fromDomain` and `body_bytes` as words. */
function toWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
    .replace(/ ms$/, "");
}
