import { expect, test } from "vitest";
import { judgeLinks, linkOrder } from "../../../../src/analyzer/checks/content/link-order.ts";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import { linking } from "./given.ts";
import { listing } from "./link-facts.ts";

const facts = (html: string) => ({
  ...linking(html),
  uribl: known([listing("listed.example")]),
  own: known({ domains: [] }),
  dkim: unknown("timeout"),
  session: unknown("no-session"),
});

function judgesIn(html: string) {
  const given = facts(html);
  return given.links.list.map(judgeLinks(given).judgeOf);
}

test("only the first matching check judges a link with several problems", () => {
  expect(linkOrder).toEqual([
    "link-blocklist",
    "link-credentials",
    "link-address",
    "link-lookalike",
    "link-text",
    "link-file",
    "link-shortener",
    "link-redirector",
    "link-scheme",
  ]);
});

// Each is wrong in all the ways from its own on that can come together.
test.each([
  ["link-blocklist", `<a href="http://a@www.listed.example/x.exe">bank.example</a>`],
  ["link-credentials", `<a href="http://a@203.0.113.5/x.exe">bank.example</a>`],
  ["link-address", `<a href="http://203.0.113.5/x.exe">bank.example</a>`],
  ["link-lookalike", `<a href="http://b\u0430nk.example/x.exe">bank.example</a>`],
  ["link-text", `<a href="http://bit.ly/x.exe">bank.example</a>`],
  ["link-file", `<a href="http://bit.ly/x.exe">see</a>`],
  ["link-shortener", `<a href="http://bit.ly/x">see</a>`],
  ["link-redirector", `<a href="http://www.google.com/url?q=https://x.example/">see</a>`],
  ["link-scheme", `<a href="http://x.example/">see</a>`],
  [null, `<a href="https://x.example/">see</a>`],
])("the check %s judges the link %s", (check, html) => {
  expect(judgesIn(html)).toEqual([check]);
});

test("no check judges a link with an unreplaced merge tag", () => {
  expect(judgesIn(`<a href="http://{{host}}/x.exe">bank.example</a>`)).toEqual([null]);
});

test("the same links are judged again with other facts", () => {
  const given = facts(`<a href="https://www.listed.example/">see</a>`);
  const [link] = given.links.list;
  if (!link) throw new Error("There is no link.");
  expect(judgeLinks(given).judgeOf(link)).toBe("link-blocklist");
  expect(judgeLinks({ ...given, uribl: known([]) }).judgeOf(link)).toBeNull();
});
