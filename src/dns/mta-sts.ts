// MTA-STS (RFC 8461): the record at `_mta-sts.<domain>`, and the text of the policy that it announces.

type MtaStsRecord = { readonly id: string };
type MtaStsRecordReading =
  | { readonly ok: true; readonly record: MtaStsRecord }
  | { readonly ok: false; readonly problem: string };

/** Whether a TXT record means to be one, be it misspelt. */
export function isMtaStsRecord(text: string): boolean {
  return /^[ \t]{0,100}v[ \t]{0,100}=[ \t]{0,100}sts/i.test(text);
}

/** §3.1: whatever begins otherwise is discarded. */
export function hasMtaStsVersion(text: string): boolean {
  return /^v=STSv1[ \t]{0,100};/.test(text);
}

/** §3.1. */
export function parseMtaStsRecord(text: string): MtaStsRecordReading {
  if (!/^v=STSv1[ \t]{0,100}(?:;|$)/.test(text)) return failed("it does not begin with v=STSv1;");
  const fields = parsePolicyFields(text);
  if (!fields.ok) return fields;
  const id = fields.get("id");
  if (id === undefined) return failed("it has no id=");
  if (!/^[A-Za-z0-9]{1,32}$/.test(id)) return failed("its id= is not 1 to 32 letters and digits");
  return { ok: true, record: { id } };
}

export type MtaStsMode = "enforce" | "testing" | "none";

export type MtaStsPolicy = {
  readonly mode: MtaStsMode;
  /** Host names; `*.` before one stands for a single label. */
  readonly mx: readonly string[];
  readonly maxAgeSeconds: number;
};

type MtaStsPolicyReading =
  | { readonly ok: true; readonly policy: MtaStsPolicy }
  | { readonly ok: false; readonly problem: string };

/** §3.2: about a year. */
const maxAgeLimit = 31_557_600;
const maxHosts = 1_000;

/** §3.2: one field a line; unknown ones are ignored, and of repeated ones, but for mx, all after the first. */
export function parseMtaStsPolicy(text: string): MtaStsPolicyReading {
  const fields = new Map<string, string>();
  const mx: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (trimBlanks(line) === "") continue;
    if (colon <= 0) return failed("a line is not name: value");
    const name = line.slice(0, colon);
    const value = trimBlanks(line.slice(colon + 1));
    if (name === "mx") mx.push(value);
    else if (!fields.has(name)) fields.set(name, value);
  }
  return toPolicy(fields, mx);
}

function toPolicy(fields: ReadonlyMap<string, string>, mx: readonly string[]): MtaStsPolicyReading {
  if (fields.get("version") !== "STSv1") return failed("it has no line version: STSv1");
  const mode = fields.get("mode");
  if (mode !== "enforce" && mode !== "testing" && mode !== "none")
    return failed("its mode is not enforce, testing or none");
  const maxAge = fields.get("max_age") ?? "";
  if (!/^\d{1,10}$/.test(maxAge) || Number(maxAge) > maxAgeLimit)
    return failed(`its max_age is not a number of seconds up to ${maxAgeLimit}`);
  if (mx.length === 0 && mode !== "none") return failed("it names no mx");
  if (mx.length > maxHosts) return failed(`it names more than ${maxHosts} mx`);
  if (!mx.every(isHostPattern)) return failed("one of its mx is no host name");
  return { ok: true, policy: { mode, mx, maxAgeSeconds: Number(maxAge) } };
}

function isHostPattern(text: string): boolean {
  const host = text.startsWith("*.") ? text.slice(2) : text;
  return (
    host.length <= 253 &&
    /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.|$))+$/i.test(host) &&
    !host.endsWith(".")
  );
}

/** §4.1: the wildcard stands for exactly one label. */
export function matchesMtaSts(host: string, pattern: string): boolean {
  const name = host.toLowerCase();
  const wanted = pattern.toLowerCase();
  if (!wanted.startsWith("*.")) return name === wanted;
  const dot = name.indexOf(".");
  return dot > 0 && name.slice(dot) === wanted.slice(1);
}

function failed(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

// The lists of fields that MTA-STS and TLS-RPT records are (RFC 8461 §3.1, RFC 8460 §3): like a tag list, but names may
// hold hyphens and dots, no white space stands around the equals sign, and of repeated fields the first counts.

type PolicyFields =
  | {
      readonly ok: true;
      readonly get: (name: string) => string | undefined;
      /** Names that stand more than once. */
      readonly repeated: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

const fieldName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;
/** Printable, and with blanks around commas alone: a list of URIs. The class leaves the comma out, so that one way leads through. */
const fieldValue = /^[!-+\--:<-~]+(?:[ \t]*,[ \t]*[!-+\--:<-~]+)*$/;

export function parsePolicyFields(record: string): PolicyFields {
  const fields = new Map<string, string>();
  const repeated = new Set<string>();
  const parts = record.split(";").map(trimBlanks);
  if (parts.at(-1) === "") parts.pop();
  for (const part of parts) {
    const equals = part.indexOf("=");
    const name = part.slice(0, Math.max(0, equals));
    const value = part.slice(equals + 1);
    if (part === "") return { ok: false, problem: "an empty field stands between two semicolons" };
    if (!fieldName.test(name)) return { ok: false, problem: "a field is not name=value" };
    if (!isValue(value)) return { ok: false, problem: `the value of ${name}= cannot be read` };
    if (fields.has(name)) repeated.add(name);
    else fields.set(name, value);
  }
  return { ok: true, get: (name) => fields.get(name), repeated: [...repeated] };
}

/** Longer values are none that anybody means. */
const maxValueLength = 4_096;

function isValue(value: string): boolean {
  return value.length <= maxValueLength && fieldValue.test(value);
}

/** By hand, because a pattern that ends in `\s+$` reads a long run of spaces once for each of them. */
function trimBlanks(text: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && isBlank(text[begin])) begin++;
  while (end > begin && isBlank(text[end - 1])) end--;
  return text.slice(begin, end);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
