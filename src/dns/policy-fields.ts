// The lists of fields that MTA-STS and TLS-RPT records are (RFC 8461 §3.1, RFC 8460 §3): like a tag list, but names may
// hold hyphens and dots, no white space stands around the equals sign, and of repeated fields the first counts.

export type PolicyFields =
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
export function trimBlanks(text: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && isBlank(text[begin])) begin++;
  while (end > begin && isBlank(text[end - 1])) end--;
  return text.slice(begin, end);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
