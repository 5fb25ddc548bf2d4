// Which signed header field was changed, as far as trying can tell it. Of each guess the signature is verified, so that
// what is said is proved; a guess without proof says "perhaps". Only of a signature that has failed.

import type { HeaderField } from "../headers/fields.ts";
import { type HeaderCanonicalization, relaxedValue, toSignedText } from "./sign-message.ts";

type FailedHeader = {
  /** As they were selected. */
  readonly signed: readonly HeaderField[];
  readonly own: HeaderField;
  /** h=. */
  readonly names: readonly string[];
  /** z=: "name:value" as signed. */
  readonly copies: readonly string[];
  readonly canonicalization: HeaderCanonicalization;
  readonly verifies: (signedText: string) => boolean;
};

/** Each costs a verification or two, and a stranger may send twenty signatures that fail. */
const maxGuesses = 20;
const maxGuessedLength = 20_000;
/** What gateways write before a subject: [EXTERNAL], ***SPAM***, EXT: and their like. */
const subjectMark = /^[ \t\r\n]*(?:\[[^\]\r\n]{1,40}\]|\*{1,5}[^*\r\n]{1,40}\*{1,5}|[^\s:]{1,20}:)[ \t]*/;
/** Whoever signs these finds them in the message, so that one of them missing means something. */
const alwaysThere = ["from", "date", "subject", "to", "message-id", "mime-version", "content-type"];

export function explainHeader(failed: FailedHeader): string {
  return proveChange(failed) ?? suspectChange(failed);
}

function proveChange({ signed, own, canonicalization, verifies }: FailedHeader): string | undefined {
  const length = signed.reduce((sum, { line }) => sum + line.length, own.line.length);
  if (length > maxGuessedLength) return undefined;
  const holds = (fields: readonly HeaderField[]) => verifies(toSignedText(fields, own, canonicalization));
  const other = canonicalization === "simple" ? "relaxed" : "simple";
  if (verifies(toSignedText(signed, own, other)))
    return `the header is signed in ${other} form, but c= says ${canonicalization}`;
  for (const [index, field] of signed.slice(0, maxGuesses).entries()) {
    const mark = field.key === "subject" ? subjectMark.exec(field.value)?.[0] : undefined;
    if (mark !== undefined && holds(signed.with(index, withoutMark(field, mark))))
      return `"${relaxedValue(mark).trim()}" was written before the Subject; without it the signature verifies`;
    if (holds(signed.toSpliced(index, 1)))
      return `a ${field.name} field was added; without it the signature verifies`;
  }
  return undefined;
}

function withoutMark(field: HeaderField, mark: string): HeaderField {
  const value = ` ${field.value.slice(mark.length)}`;
  return { ...field, value, line: `${field.line.slice(0, field.line.length - field.value.length)}${value}` };
}

function suspectChange({ signed, names, copies, canonicalization }: FailedHeader): string {
  const differs = findDifferentCopy(signed, copies);
  if (differs !== undefined) return `${differs} is not as it was signed (z= tells)`;
  const missing = alwaysThere.find(
    (key) => names.includes(key) && !signed.some((field) => field.key === key),
  );
  if (missing !== undefined)
    return `a signed header field was changed; perhaps ${missing} was removed, which is signed and not there`;
  const names_ = [...new Set(signed.map(({ name }) => name))].slice(0, 12).join(", ");
  const fold = canonicalization === "simple" ? ", or only refolded, which c=simple does not bear" : "";
  return `a signed header field was changed${fold} (signed are ${names_})`;
}

function findDifferentCopy(signed: readonly HeaderField[], copies: readonly string[]): string | undefined {
  const copied = new Map(
    copies.map((copy) => [copy.slice(0, copy.indexOf(":")).trim().toLowerCase(), copy] as const),
  );
  return signed.find(({ key, value }) => {
    const copy = copied.get(key);
    return copy !== undefined && withoutSpace(copy.slice(copy.indexOf(":") + 1)) !== withoutSpace(value);
  })?.name;
}

/** White space of a copy may be lost in folding. */
function withoutSpace(value: string): string {
  return value.replace(/[ \t\r\n]+/g, "");
}
