import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { ForwardingTable } from "../../../src/features/forwarding/page.tsx";
import type { TestReport } from "../../../src/features/tests/contract/tests.ts";

const transit = { id: "alias", title: "Alias", result: "breaks", dmarc: "fail", arc: null, says: [], signatures: [] };

test.each([
  ["advises", false, true],
  ["does not advise", true, false],
])("the forwarding prediction %s the sender if fixes are withheld: %s", (_, withholds, isAdvised) => {
  const suspicion = { kind: "imitation", domain: "a.example", imitated: "B", withholds_fixes: withholds } as const;
  const page = renderToString(
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
  expect(page.includes("Sign with DKIM.")).toBe(isAdvised);
});
