// IDs: a prefix for the kind, then a ULID of 26 characters that sorts by creation time. A ULID sorts as text on both
// databases and has 80 random bits. Unlike a UUIDv7, it has no hyphens, so a double click selects it.

export const idPrefixes = {
  workspace: "wsp",
  test: "tst",
  domain: "dom",
  domainChange: "chg",
  alert: "alr",
  integration: "int",
  token: "tok",
  user: "usr",
  session: "ses",
  secondFactor: "sfa",
  invitation: "inv",
  seedInbox: "sdi",
  bounce: "bnc",
  mailReport: "rpt",
  event: "evt",
  delivery: "dlv",
  send: "snd",
  signingKey: "key",
  observation: "obs",
  sighting: "sgh",
  share: "shr",
  kindRule: "knd",
  removal: "rmv",
  stream: "stm",
  streamRule: "srl",
  alertAddress: "adr",
  unsubscribe: "uns",
  relay: "rly",
  monitor: "mon",
  monitorRun: "run",
  incomingHook: "hok",
  feedbackProblem: "fbp",
  identity: "idn",
  ownAddress: "own",
  addressListing: "lst",
} as const;

export type IdKind = keyof typeof idPrefixes;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** 10 characters of time and 16 random ones. `randomness`: at least 16 bytes, of which 5 bits each are used. */
export function createId(kind: IdKind, nowMs: number, randomness: Uint8Array): string {
  let tail = "";
  for (const byte of randomness.subarray(0, 16)) tail += alphabet[byte & 31];
  return beginningAt(kind, nowMs) + tail;
}

/** The prefix of all IDs created at that time. Earlier IDs sort before it. */
export function beginningAt(kind: IdKind, timeMs: number): string {
  return `${idPrefixes[kind]}_${toDigits(timeMs, 10)}`;
}

const seriesLength = 8;
const numberLength = 8;

/** The `number`th ID of a series. `series`: 8 characters from `createSeries`. */
export function createSerialId(kind: IdKind, nowMs: number, series: string, number: number): string {
  return beginningAt(kind, nowMs) + series + toDigits(number, numberLength);
}

/** `randomness`: at least 8 bytes, of which 5 bits each are used. */
export function createSeries(randomness: Uint8Array): string {
  let series = "";
  for (const byte of randomness.subarray(0, seriesLength)) series += alphabet[byte & 31];
  return series;
}

/** The number of an ID in this series; undefined for any other text. */
export function readSerialId(kind: IdKind, series: string, id: string): number | undefined {
  const digits = id.slice(-numberLength);
  const hasForm = id.startsWith(`${idPrefixes[kind]}_`) && id.length === idPrefixes[kind].length + 27;
  if (!hasForm || id.slice(-seriesLength - numberLength, -numberLength) !== series) return undefined;
  const values = [...digits].map((digit) => alphabet.indexOf(digit));
  return values.includes(-1) ? undefined : values.reduce((number, value) => number * 32 + value, 0);
}

function toDigits(number: number, length: number): string {
  let digits = "";
  for (let rest = number, i = 0; i < length; i++) {
    digits = alphabet[rest % 32] + digits;
    rest = Math.floor(rest / 32);
  }
  return digits;
}

const ownerBits = 8n;
const placeBits = 63n - ownerBits;
/** The first 14 characters have 50 bits of time and 20 random bits. 42 and 13 remain, enough until the year 2109. */
const droppedBits = 7n;

/**
 * Maps an ID to an integer, so that an owner's IDs are adjacent and in order. Works for prefixes from `beginningAt`
 * too. Times beyond the range map to the last place.
 */
export function toPlace(ownerId: string, id: string): bigint {
  const lastPlace = (1n << placeBits) - 1n;
  const place = toNumber(id.slice(id.indexOf("_") + 1), 14) >> droppedBits;
  // From its random part. Owners with the same number share a range.
  const owner = BigInt.asUintN(Number(ownerBits), toNumber(ownerId.slice(-2), 2));
  return (owner << placeBits) | (place < lastPlace ? place : lastPlace);
}

function toNumber(characters: string, length: number): bigint {
  let number = 0n;
  for (const character of characters.padEnd(length, "0").slice(0, length))
    number = number * 32n + BigInt(Math.max(alphabet.indexOf(character), 0));
  return number;
}
