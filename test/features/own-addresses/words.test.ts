import { expect, test } from "vitest";
import { toStanding } from "../../../src/features/own-addresses/words.ts";

const works = [{ problem: null }];

test("an address in a range that sends no mail has no cause to stop", () => {
  const worst = { value: "203.0.113.9", list: "Spamhaus ZEN", class: "policy" };
  expect(toStanding({ total: 3, taken: 3, checked: 3, listed: 2, worst, lists: works })).toEqual({
    state: "bad",
    says: "203.0.113.9 is on Spamhaus ZEN, and 1 more of 3 addresses is listed. The range of 203.0.113.9 isn’t meant to send mail directly. Use your provider’s relay.",
  });
});

test("what no list takes isn't waited for", () => {
  const asked = { total: 3, listed: 0, worst: null, lists: works };
  const none = "No list that is on takes your 3 addresses.";
  expect(toStanding({ ...asked, taken: 0, checked: 0 })).toEqual({ state: "unknown", says: none });
  expect(toStanding({ ...asked, taken: 1, checked: 1 })).toEqual({
    state: "fine",
    says: "Your address isn’t on a list.",
  });
});
