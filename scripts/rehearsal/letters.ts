// Healthy messages, and messages with one fault each, as the fixtures have them, but written now.

import { fixtures, letterOf } from "../../test/fixtures/messages/fixture.ts";
import { type Letter, toMessage } from "../../test/fixtures/messages/letter.ts";
import { newsletter } from "../../test/fixtures/messages/newsletter.ts";
import { toMailDate } from "../../test/fixtures/messages/sender.ts";
import { transactional } from "../../test/fixtures/messages/transactional.ts";

export type RehearsedLetter = {
  readonly name: string;
  readonly receiver: string;
  readonly letter: Letter;
  readonly isHealthy: boolean;
};

/** By the fixture's own words, each at a receiver that rejects such mail. */
const faults: readonly (readonly [broken: string, receiver: string])[] = [
  ["softfail, and no signature", "gmail"],
  ["softfail, and no signature", "yahoo"],
  ["softfail, and no signature", "icloud"],
  ["no signature", "gmail"],
  ["no DMARC record", "outlook"],
  ["Message-ID: 12345", "gmail"],
  ["two From headers, both signed", "gmail"],
  ["setup.exe attached", "gmail"],
  ["no reverse name", "gmail"],
  ["no reverse name", "outlook"],
  ["its address on the SBL", "icloud"],
];

export const faultyLetters: readonly RehearsedLetter[] = faults.map(([broken, receiver]) => {
  const fixture = fixtures.find((one) => one.broken === broken);
  if (fixture === undefined) throw new Error(`There is no fixture "${broken}".`);
  return { name: broken, receiver, letter: letterOf(fixture), isHealthy: false };
});

export const healthyLetters: readonly RehearsedLetter[] = [
  { name: "healthy order confirmation", receiver: "gmail", letter: transactional, isHealthy: true },
  { name: "healthy newsletter", receiver: "outlook", letter: newsletter, isHealthy: true },
];

/** Its Received line is left out, because a mail server on the way adds its own. */
export function writeNow(letter: Letter, to: string, messageId?: string): Buffer {
  const now = Date.now();
  const fresh: Readonly<Record<string, string | undefined>> = {
    Date: toMailDate(now),
    To: to,
    ...(messageId !== undefined && { "Message-ID": messageId }),
  };
  const written = toMessage({
    ...letter,
    headers: letter.headers
      .filter(([name]) => name !== "Received")
      .map(([name, value]) => [name, fresh[name] ?? value] as const),
    signatures: letter.signatures.map((one) => ({
      ...one,
      tags: { ...one.tags, ...(one.tags?.t !== undefined && { t: String(Math.floor(now / 1_000)) }) },
    })),
  });
  return Buffer.from(written, "latin1");
}
