// A few messages through real servers. test/analyzer/facts/forwarding.test.ts predicts all of them.

import { describe, expect, test } from "vitest";
import { writeLetters } from "./forwarding/letters.ts";
import { prove } from "./forwarding/prove.ts";
import { findMissing } from "./forwarding/servers.ts";

const missing = findMissing();
if (missing.length > 0)
  console.warn(`SKIPPED: forwarding by real servers needs root and Debian's ${missing.join(", ")}.`);

const names = [
  "text, simple/relaxed",
  "8bit text",
  "mixed with a long file name",
  "one-click unsubscribe signed",
  "nodemailer: HTML and text",
];

describe.skipIf(missing.length > 0)("forwarding through Postfix, Dovecot, Mailman, and formail", () => {
  test("forwarding through Postfix, Dovecot, Mailman, and formail changes a message as predicted, verified by dkimpy and OpenDKIM", async () => {
    const letters = (await writeLetters()).filter(({ name }) => names.includes(name));
    expect(letters).toHaveLength(names.length);
    const rows = await prove(letters);
    expect(rows.filter(({ differs }) => differs !== null)).toEqual([]);
    expect(rows).toHaveLength(names.length * 11);
  });
});
