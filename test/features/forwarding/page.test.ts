import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { ForwardingTable } from "../../../src/features/forwarding/page.tsx";
import { toForwardingPrediction } from "../../../src/features/tests/contract/forwarding.ts";

function render(result: string): string {
  const transit = { id: "alias", title: "Alias", result, dmarc: null, arc: null, says: ["So."], signatures: [] };
  return renderToString(
    h(ForwardingTable, {
      prediction: {
        summary: "Does not survive forwarding.",
        gap: null,
        from_domain: "a.example",
        signatures: [],
        transits: [transit as never],
        advice: [],
      },
    }),
  );
}

test("the forwarding prediction advises the sender, but not if it imitates someone else", () => {
  const forwarding = {
    gap: null,
    fromDomain: "a.example",
    dmarc: "fail",
    policy: null,
    passesAnyone: false,
    signatures: [],
    alignedBy: ["spf"],
    body: { eightBit: false, longLines: false, fromLines: false },
    transits: [],
  } as const;
  const suspicion = { kind: "imitation", domain: "a.example", policy: null, imitated: "B" } as const;
  expect(toForwardingPrediction(forwarding).advice.join()).toContain("Sign with DKIM for a.example");
  expect(toForwardingPrediction(forwarding, { suspicion }).advice).toEqual([]);
});

test("the forwarding prediction lists no paths if nothing is known of any", () => {
  expect(render("breaks")).toContain("Alias");
  expect(render("unknown")).not.toContain("Alias");
});
