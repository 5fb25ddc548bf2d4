import { expect, test } from "vitest";
import { toSenderAdvice } from "../../../../src/features/feedback/rules/sender-advice.ts";

type Advised = Parameters<typeof toSenderAdvice>[0];

const sender: Advised = {
  domain: "shop.example",
  name: "SendGrid",
  kind: "service",
  messages: 100,
  passed: 0,
  spfAligned: 0,
  forwarded: 0,
  mark: null,
  isProven: false,
};
const advise = (changes: Partial<Advised>) => toSenderAdvice({ ...sender, ...changes });

test("what fails without being forwarded is to be fixed", () => {
  expect(advise({ passed: 50, forwarded: 0 }).needs).toBe("set-up");
  expect(advise({ passed: 50, forwarded: 50 })).toEqual({
    needs: "nothing",
    says: "Receivers say that what fails was forwarded, so there is nothing to fix.",
  });
});

test("a recipient's filter whose forwarded mail still has our signature isn't told to be set up", () => {
  expect(advise({ kind: "gateway", name: "Proofpoint", passed: 70, spfAligned: 0 }).needs).toBe("find-out");
  expect(advise({ kind: "gateway", name: "Proofpoint", passed: 70, spfAligned: 70 }).needs).toBe("set-up");
});

test("counts a single message, and none, in words", () => {
  expect(advise({ messages: 1, mark: "approved" }).says).toMatch(/^Its only message fails DMARC\. /);
  expect(advise({ messages: 20, passed: 19, mark: "approved" }).says).toMatch(/^1 of 20 messages fails DMARC\. /);
  expect(advise({ messages: 0 }).says).toBe("Reports count no messages from it.");
  expect(advise({ messages: 1, passed: 1, mark: "ignored" }).says).toContain("1 of 1 message passes DMARC");
});
