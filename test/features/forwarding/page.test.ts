import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { ForwardingTable } from "../../../src/features/forwarding/page.tsx";
import type { TestReport } from "../../../src/features/tests/contract/tests.ts";

function render(result: string, withholds: boolean): string {
  const suspicion = { kind: "imitation", domain: "a.example", imitated: "B", withholds_fixes: withholds } as const;
  const transit = { id: "alias", title: "Alias", result, dmarc: null, arc: null, says: ["So."], signatures: [] };
  return renderToString(
    h(ForwardingTable, {
      prediction: {
        summary: "Does not survive forwarding.",
        gap: null,
        from_domain: "a.example",
        signatures: [],
        transits: [transit as never],
        advice: ["Sign with DKIM."],
      },
      test: { suspicion } as TestReport,
    }),
  );
}

test.each([
  ["advises", false, true],
  ["does not advise", true, false],
])("the forwarding prediction %s the sender if fixes are withheld: %s", (_, withholds, isAdvised) => {
  expect(render("breaks", withholds).includes("Sign with DKIM.")).toBe(isAdvised);
});

test("the forwarding prediction lists no paths if nothing is known of any", () => {
  expect(render("breaks", false)).toContain("Alias");
  expect(render("unknown", false)).not.toContain("Alias");
});
