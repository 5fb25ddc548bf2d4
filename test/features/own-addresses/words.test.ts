import { expect, test } from "vitest";
import { toStanding } from "../../../src/features/own-addresses/words.ts";

const works = [{ problem: null }];

test("an address in a range that sends no mail has no cause to stop", () => {
  const worst = { value: "203.0.113.9", list: "Spamhaus ZEN", class: "policy" };
  expect(toStanding({ total: 3, checked: 3, listed: 2, worst, lists: works })).toEqual({
    state: "bad",
    says: "203.0.113.9 is on Spamhaus ZEN, and 1 more of 3 addresses is listed. The range of 203.0.113.9 isn’t meant to send mail directly. Use your provider’s relay.",
  });
});
