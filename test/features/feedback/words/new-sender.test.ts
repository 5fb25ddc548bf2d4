import { expect, test } from "vitest";
import { noDetail } from "../../../../src/features/feedback/rules/problem.ts";
import { toFeedbackWords } from "../../../../src/features/feedback/words/words.ts";

function titleOf(source: string) {
  const detail = { ...noDetail, source, passed: 0, addresses: ["203.0.113.9"] };
  const evidence = { count: 9, total: null, days: { from: 0, to: 0 }, usual: null, reporters: [], detail };
  return toFeedbackWords({ kind: "new-source", resolution: null, evidence }).title;
}

test.each(["DigitalOcean, LLC", "Telefónica", "L’Oréal & Co.", "株式会社サンプル"])(
  "the alert of a new sender names %s",
  (name) => {
    expect(titleOf(name)).toBe(`New sender fails DMARC: ${name}`);
  },
);

test.each(["<!channel> hello", "*bold*", "[link](https://evil.example)", "a\nb", "\u202egnp.exe"])(
  "the alert of a new sender shows no markup of %j",
  (name) => {
    expect(titleOf(name)).toBe("New sender fails DMARC: (unreadable name)");
  },
);
