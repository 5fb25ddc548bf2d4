import { expect, test } from "vitest";
import { z } from "zod";
import { checkCatalog } from "../../../../src/analyzer/checks/catalog.ts";
import { providers } from "../../../../src/analyzer/placement/provider.ts";
import { reportFields, toReportFields } from "../../../../src/features/tests/contract/report.ts";
import { analyzeLetter, type Letter } from "../../../analyzer/domain-cases/verdict-world.ts";

const fields = z.strictObject(reportFields);

/** Through JSON, as it travels. */
async function show(letter: Letter) {
  const report = await analyzeLetter(letter);
  return fields.parse(JSON.parse(JSON.stringify(toReportFields(report, checkCatalog))));
}

const year33658 = "999999999999";

test.each([
  { t: year33658 },
  { x: year33658 },
  { t: "9".repeat(20) },
  { t: "9".repeat(76), x: "9".repeat(76) },
  { t: "253402300800" },
])("a signature with impossible times is shown without them (%j)", async (tags) => {
  const { authentication, delivery_timeline } = await show({ sign: { tags } });
  expect(authentication?.dkim).toMatchObject([{ signed_at: null, expires_at: null }]);
  expect(delivery_timeline?.marks).toMatchObject([{ what: "date" }]);
});

test("a signature with an impossible body length is shown with the maximum", async () => {
  const { authentication } = await show({ sign: { tags: { l: "9".repeat(76) } } });
  expect(authentication?.dkim).toMatchObject([{ result: "permerror", body_length: Number.MAX_SAFE_INTEGER }]);
});

test.each([0, 1])("a header section is cut between characters, and the report says so (%i)", async (shift) => {
  const long = Array.from({ length: 80 }, (_, index) => `X-${index}: ${"é".repeat(450)}`);
  const { raw_headers, shortened } = await show({ headers: [`X-Shift: ${"x".repeat(shift)}`, ...long] });
  expect(raw_headers?.includes("X-0: ééé")).toBe(true);
  expect(shortened).toMatchObject([
    expect.stringMatching(/^The report contains only the first 65536 of \d+ header bytes/),
  ]);
});

test("a header section that is not UTF-8 is shown byte by byte", async () => {
  const change = (signed: string) => signed.replace("\r\n\r\n", "\r\nX-Latin: \xe9\r\n\r\n");
  expect((await show({ change })).raw_headers).toContain("X-Latin: é\r\n");
});

test("each provider has a row with the predicted folder, marked as not observed", async () => {
  const { placement_results } = await show({ zone: { "a.example": { TXT: [] } }, sign: [] });
  expect(placement_results?.map(({ provider }) => provider)).toEqual(providers);
  for (const { method, folder, confidence, reasons, smtp_reply, predicted } of placement_results ?? []) {
    expect(method).toBe("predicted");
    expect(predicted).toMatchObject({
      folder,
      confidence,
      reasons,
      smtp_reply,
      weights: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  }
  expect(placement_results?.[0]).toMatchObject({ folder: "rejected", smtp_reply: "550 5.7.26" });
});
