// MTA-STS (RFC 8461): the record at `_mta-sts.<domain>`, and the text of the policy that it points to.

type MtaStsRecord = { readonly id: string };
type MtaStsRecordReading =
  | { readonly ok: true; readonly record: MtaStsRecord }
  | { readonly ok: false; readonly problem: string };

/** Whether a TXT record is meant as an MTA-STS record, even if misspelled. */
export function isMtaStsRecord(text: string): boolean {
  return /^[ \t]{0,100}v[ \t]{0,100}=[ \t]{0,100}sts/i.test(text);
}

/** §3.1: records that begin differently are discarded. */
export function hasMtaStsVersion(text: string): boolean {
  return /^v=STSv1[ \t]{0,100};/.test(text);
}

export function parseMtaStsRecord(text: string): MtaStsRecordReading {
  if (!/^v=STSv1[ \t]{0,100}(?:;|$)/.test(text)) return failed('it does not begin with "v=STSv1;"');
  const fields = parsePolicyFields(text);
  if (!fields.ok) return fields;
  const id = fields.get("id");
  if (id === undefined) return failed("it has no id=");
  if (!/^[A-Za-z0-9]{1,32}$/.test(id)) return failed("id= must be 1 to 32 letters and digits");
  return { ok: true, record: { id } };
}

export type MtaStsMode = "enforce" | "testing" | "none";

export type MtaStsPolicy = {
  readonly mode: MtaStsMode;
  /** Hostnames. A leading `*.` matches exactly one label. */
  readonly mx: readonly string[];
  readonly maxAgeSeconds: number;
};

type MtaStsPolicyReading =
  | { readonly ok: true; readonly policy: MtaStsPolicy }
  | { readonly ok: false; readonly problem: string };

/** §3.2: about a year. */
const maxAgeLimit = 31_557_600;
const maxHosts = 1_000;

/** §3.2: one field per line. Unknown fields are ignored, and so are repeated ones after the first, except mx. */
export function parseMtaStsPolicy(text: string): MtaStsPolicyReading {
  const fields = new Map<string, string>();
  const mx: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (trimBlanks(line) === "") continue;
    if (colon <= 0) return failed('a line is not in the form "name: value"');
    const name = line.slice(0, colon);
    const value = trimBlanks(line.slice(colon + 1));
    if (name === "mx") mx.push(value);
    else if (!fields.has(name)) fields.set(name, value);
  }
  return toPolicy(fields, mx);
}

function toPolicy(fields: ReadonlyMap<string, string>, mx: readonly string[]): MtaStsPolicyReading {
  if (fields.get("version") !== "STSv1") return failed('the line "version: STSv1" is missing');
  const mode = fields.get("mode");
  if (mode !== "enforce" && mode !== "testing" && mode !== "none")
    return failed("mode must be enforce, testing, or none");
  const maxAge = fields.get("max_age") ?? "";
  if (!/^\d{1,10}$/.test(maxAge) || Number(maxAge) > maxAgeLimit)
    return failed(`max_age must be a number of seconds up to ${maxAgeLimit}`);
  if (mx.length === 0 && mode !== "none") return failed("it has no mx line");
  if (mx.length > maxHosts) return failed(`it has more than ${maxHosts} mx lines`);
  if (!mx.every(isHostPattern)) return failed("an mx line has no valid hostname");
  return { ok: true, policy: { mode, mx, maxAgeSeconds: Number(maxAge) } };
}

function isHostPattern(text: string): boolean {
  const host = text.startsWith("*.") ? text.slice(2) : text;
  return host.length <= 253 && /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.|$))+$/i.test(host) && !host.endsWith(".");
}

/** §4.1: the wildcard matches exactly one label. */
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

// The field lists of MTA-STS and TLS-RPT records (RFC 8461 §3.1, RFC 8460 §3). Like a tag list, but names may have
// hyphens and dots, there is no whitespace around the equals sign, and the first of repeated fields counts.

type PolicyFields =
  | {
      readonly ok: true;
      readonly get: (name: string) => string | undefined;
      /** Names that appear more than once. */
      readonly repeated: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

const fieldName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;
/**
 * Printable, with blanks only around commas: a list of URIs. The class excludes the comma, so that there is only one
 * way to match.
 */
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
    if (part === "") return { ok: false, problem: "there is an empty field between two semicolons" };
    if (!fieldName.test(name)) return { ok: false, problem: "a field is not in the form name=value" };
    if (!isValue(value)) return { ok: false, problem: `the value of ${name}= cannot be read` };
    if (fields.has(name)) repeated.add(name);
    else fields.set(name, value);
  }
  return { ok: true, get: (name) => fields.get(name), repeated: [...repeated] };
}

/** No real value is longer. */
const maxValueLength = 4_096;

function isValue(value: string): boolean {
  return value.length <= maxValueLength && fieldValue.test(value);
}

/** Without a regex, because one that ends in `\s+$` takes quadratic time on a long run of spaces. */
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
