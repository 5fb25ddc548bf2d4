import { expect, test } from "vitest";
import { z } from "zod";
import { reportFields, toReportFields } from "../../src/api/report.ts";
import { analyzeLetter, type Letter } from "../tasks/verdict-world.ts";

const fields = z.strictObject(reportFields);

/** Through JSON, as it travels. */
async function show(letter: Letter) {
  const report = await analyzeLetter(letter);
  return fields.parse(JSON.parse(JSON.stringify(toReportFields(report))));
}

const year33658 = "999999999999";

test.each([
  { t: year33658 },
  { x: year33658 },
  { t: "9".repeat(20) },
  { t: "9".repeat(76), x: "9".repeat(76) },
  { t: "253402300800" },
])("a signature whose times no timestamp can tell is shown without them (%j)", async (tags) => {
  const { authentication, delivery_timeline } = await show({ sign: { tags } });
  expect(authentication?.dkim).toMatchObject([{ signed_at: null, expires_at: null }]);
  expect(delivery_timeline?.marks).toMatchObject([{ what: "date" }]);
});

test("a signature for more bytes than can be counted is shown with as many as can be", async () => {
  const { authentication } = await show({ sign: { tags: { l: "9".repeat(76) } } });
  expect(authentication?.dkim).toMatchObject([{ result: "permerror", body_length: Number.MAX_SAFE_INTEGER }]);
});
