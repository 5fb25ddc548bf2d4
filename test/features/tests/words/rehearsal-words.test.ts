import { expect, test } from "vitest";
import { toMistypedNotices } from "../../../../src/features/tests/words/rehearsal-words.ts";

test.each([
  ["as-gmial", "+as-gmail"],
  ["AS-GMIAL.signup", "+as-gmail"],
  ["as-gmail-nope", "+as-gmail"],
  ["as-gmail_build7", "+as-gmail"],
  ["as-hotmial", "+as-hotmail"],
  ["as-appel", "+as-apple"],
  ["as-alo", "+as-aol"],
  ["as-lvie", "+as-live"],
  ["as-googlemail-x", "+as-googlemail"],
  ["as-ymial", "+as-ymail"],
  ["probe-greylst", "+probe-greylist"],
  ["code-554", "+code-554-data"],
  ["code-451-5.7.1", "+code-451-4.7.1"],
  ["code-551-5.7.1-data", "+code-551-5.7.1"],
  ["code-550-date", "+code-550"],
  ["code-550_signup", "+code-550"],
  ["code-550+x.signup", "+code-550"],
  ["code-550data", "+code-550-data"],
  ["code-451-data2", "+code-451-data"],
  ["code-550-5.7.1-data-x", "+code-550-5.7.1-data"],
  ["code-450_4.7.1", "+code-450-4.7.1"],
  ["code-421.4.7.0", "+code-421-4.7.0"],
  ["code-550.5.7.26-data", "+code-550-5.7.26-data"],
  ["code-421-4.7.0,x", "+code-421-4.7.0"],
  ["code-550-5.1.1-5.1.2", "+code-550-5.1.1"],
])("the notice about %s names %s", (label, meant) => {
  const [notice] = toMistypedNotices(label);
  expect(notice?.title).toBe(`+${label.toLowerCase().split(".signup")[0]} does not ask for a rehearsal.`);
  expect(notice?.text).toMatch(/^The message was accepted like any other\. /);
  expect(notice?.text.split(/Use |\. |\.$/)).toContain(meant);
});

test.each([
  ["probe-x", "+probe-greylist, +probe-no-tls"],
  ["as-nothing", "+as-gmail, +as-outlook"],
  ["as-messenger", "+as-gmail, +as-outlook"],
  ["code-999", "+code-451-4.7.1"],
  ["rate-0", "1 to 999"],
  ["rate-5x", "1 to 999"],
])("the notice about %s names what there is", (label, named) => {
  expect(toMistypedNotices(label)[0]?.text).toContain(named);
});

test.each([
  "as-gmail.x",
  "as-hotmail",
  "code-550-data",
  "rate-5",
  "newsletter",
  "code-review",
  "rate-limit",
  "assets",
  null,
])("the label %j gets no notice", (label) => {
  expect(toMistypedNotices(label)).toEqual([]);
});

test("what would change or hide other text is escaped in the notice, and a long label is cut", () => {
  expect(toMistypedNotices("as-\u202egmail")[0]?.title).toBe("+as-\\u202egmail does not ask for a rehearsal.");
  expect(toMistypedNotices(`as-${"x".repeat(200)}`)[0]?.title.length).toBeLessThan(120);
});
