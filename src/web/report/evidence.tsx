// What a finding rests on, as it was recorded. Everything here may come from a stranger: it is text and nothing else.

import { toDuration, toMoment } from "../client/words.ts";

type Row = { readonly name: string; readonly value: string };

const most = 40;
const firstTime = Date.UTC(1980);

export function Evidence({ evidence }: { readonly evidence: Readonly<Record<string, unknown>> }) {
  const rows = toRows(evidence, "");
  if (rows.length === 0) return <p class="muted small">It follows from what is not there.</p>;
  return (
    <div class="quote">
      <table class="rec">
        <tbody>
          {rows.slice(0, most).map(({ name, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && <p class="muted small">And {rows.length - most} more lines.</p>}
    </div>
  );
}

function toRows(value: unknown, name: string): Row[] {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== "object"))
      return value.length === 0 ? [] : [{ name: toWords(name), value: value.map(String).join("\n") }];
    return value.flatMap((one, index) => toRows(one, `${name} ${index + 1}`));
  }
  if (typeof value === "object")
    return Object.entries(value).flatMap(([key, one]) => toRows(one, name === "" ? key : `${name} ${key}`));
  return [{ name: toWords(name), value: toText(value, name) }];
}

/** Times and durations are milliseconds there, and their names say so. */
function toText(value: unknown, name: string): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return String(value);
  if (/(Ms|_ms)$/.test(name)) return toDuration(value);
  if (/(^|[ _])at$|At$/.test(name) && value > firstTime) return toMoment(new Date(value).toISOString());
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
