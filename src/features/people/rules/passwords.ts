// Rules for a new password: at least ten characters, and not a common one (src/decisions.md, "Passwords and sessions").
// No rule about letters, digits and symbols, because such rules lead to Password1! (NIST SP 800-63B §3.1.1.2).

import { commonPasswords, commonWords } from "./common-passwords.ts";

const shortestPassword = 10;
/** Longer than any passphrase, and short enough to hash directly. */
export const longestPassword = 200;

const fewestDifferent = 5;

/** The form that is hashed, so that the same password typed on another keyboard matches (RFC 8265 §4.2.2). */
export function toPasswordForm(password: string): string {
  return password.normalize("NFC").replace(/\p{Zs}/gu, " ");
}

/** Completes `"password" …`; null for a good one. `own`: the user's own data, which attackers guess first. */
export function whyPasswordIsWeak(password: string, own: readonly string[]): string | null {
  const text = toPasswordForm(password).toLowerCase();
  const characters = [...text];
  if (characters.length < shortestPassword) return `must have at least ${shortestPassword} characters`;
  if (characters.length > longestPassword) return `must have at most ${longestPassword} characters`;
  if (new Set(characters).size < fewestDifferent || isRun(characters))
    return "is too simple: use more different characters, without an obvious order";
  const unit = repeatedUnit(text);
  if (commonPasswords.has(text) || isCommonWord(unit)) return "is too common: choose something harder to guess";
  const owned = own.flatMap(wordsOf);
  return [unit, ...readings(unit)].some((reading) => owned.includes(reading))
    ? "is too similar to your name, your email address, or Assay: choose something else"
    : null;
}

/** `abcabcabc` is no stronger than `abc`. */
function repeatedUnit(text: string): string {
  const length = (text + text).indexOf(text, 1);
  return text.slice(0, length);
}

/** Neighbors in the alphabet or among the digits, forwards or backwards. */
function isRun(characters: readonly string[]): boolean {
  const codes = characters.map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return steps.every((step) => step === steps[0] && Math.abs(step) === 1);
}

function isCommonWord(text: string): boolean {
  return readings(text).some((reading) => commonWords.has(reading) || commonPasswords.has(reading));
}

/** The password without digits and symbols around it, as written and with look-alike digits replaced by letters. */
function readings(text: string): string[] {
  const letters: Readonly<Record<string, string>> = {
    0: "o",
    1: "i",
    3: "e",
    4: "a",
    5: "s",
    7: "t",
    "@": "a",
    $: "s",
    "!": "i",
  };
  const core = withoutPadding(text);
  const read = (written: string) => written.replace(/[013457@$!]/g, (sign) => letters[sign] ?? sign);
  return [core, read(core), withoutPadding(read(text))];
}

function withoutPadding(text: string): string {
  const [first = ""] = /\p{L}.*/su.exec(text) ?? [];
  return first.replace(/[^\p{L}]+$/u, "");
}

/** For "Ann Lee <ann.lee@example.com>": annlee, ann.lee@example.com, ann.lee, annlee, example. */
function wordsOf(own: string): string[] {
  const text = own.toLowerCase();
  const [local = "", domain = ""] = text.split("@");
  return [text, local, local.replace(/[^\p{L}]/gu, ""), domain.split(".").at(-2) ?? ""].filter(
    (word) => word.length > 2,
  );
}

// Passwords are stored as argon2id (RFC 9106) in PHC strings, which contain their own cost. The cost can be raised
// later without breaking old hashes. It is the first one in OWASP's Password Storage Cheat Sheet. More memory would be
// too much, because two hashes at once must fit on a small machine.

export type HashCost = { readonly memoryKib: number; readonly passes: number; readonly lanes: number };

export type PasswordHash = { readonly cost: HashCost; readonly salt: Buffer; readonly digest: Buffer };

export const hashCost: HashCost = { memoryKib: 19_456, passes: 2, lanes: 1 };
export const saltBytes = 16;
export const digestBytes = 32;

const form = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43,86})$/;

export function toPhcString({ cost, salt, digest }: PasswordHash): string {
  const parameters = `m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}`;
  return `$argon2id$v=19$${parameters}$${toBase64(salt)}$${toBase64(digest)}`;
}

/** Undefined for a string that no password matches. */
export function parsePhcString(text: string): PasswordHash | undefined {
  const [, memory, passes, lanes, salt, digest] = form.exec(text) ?? [];
  if (salt === undefined || digest === undefined) return undefined;
  const cost = { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  return { cost, salt: Buffer.from(salt, "base64"), digest: Buffer.from(digest, "base64") };
}

export function isSameCost(one: HashCost, other: HashCost): boolean {
  return one.memoryKib === other.memoryKib && one.passes === other.passes && one.lanes === other.lanes;
}

/** PHC strings have no padding. */
function toBase64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
