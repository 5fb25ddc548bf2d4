// A healthy message, and messages with one fault each, as the fixtures have them, but written now.

import { fixtures, letterOf } from "../../fixtures/messages/fixture.ts";
import { type Letter, toMessage } from "../../fixtures/messages/letter.ts";
import { toMailDate } from "../../fixtures/messages/sender.ts";
import { transactional } from "../../fixtures/messages/transactional.ts";

export type RehearsedLetter = {
  readonly name: string;
  readonly receiver: string;
  readonly letter: Letter;
  readonly isHealthy: boolean;
};

/** By the fixture's own words, each at a receiver that rejects such mail: at once, and after it was deferred. */
const faults: readonly (readonly [broken: string, receiver: string])[] = [
  ["softfail, and no signature", "gmail"],
  ["no reverse name", "gmail"],
];

const faultyLetters: readonly RehearsedLetter[] = faults.map(([broken, receiver]) => {
  const fixture = fixtures.find((one) => one.broken === broken);
  if (fixture === undefined) throw new Error(`There is no fixture "${broken}".`);
  return { name: broken, receiver, letter: letterOf(fixture), isHealthy: false };
});

export const healthyLetter: RehearsedLetter = {
  name: "healthy order confirmation",
  receiver: "gmail",
  letter: transactional,
  isHealthy: true,
};

export const rehearsedLetters: readonly RehearsedLetter[] = [...faultyLetters, healthyLetter];

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
