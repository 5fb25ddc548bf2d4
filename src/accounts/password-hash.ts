// How a password is kept: argon2id (RFC 9106) as a PHC string, which names its own cost, so that the cost can be raised
// and what was hashed before still opens. The cost is the first of those in OWASP's Password Storage Cheat Sheet, and
// not more memory, because two hashes at once must fit beside everything else on a small machine.

export type HashCost = { readonly memoryKib: number; readonly passes: number; readonly lanes: number };

export type PasswordHash = { readonly cost: HashCost; readonly salt: Buffer; readonly digest: Buffer };

export const hashCost: HashCost = { memoryKib: 19_456, passes: 2, lanes: 1 };
export const saltBytes = 16;
export const digestBytes = 32;

const form =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43,86})$/;

export function toPhcString({ cost, salt, digest }: PasswordHash): string {
  const parameters = `m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}`;
  return `$argon2id$v=19$${parameters}$${toBase64(salt)}$${toBase64(digest)}`;
}

/** Undefined for what opens with no password. */
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
