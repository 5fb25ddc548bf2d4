import { linkBlocklist } from "../../../../src/analyzer/checks/content/link-blocklist.ts";
import { linkHostExists } from "../../../../src/analyzer/checks/content/link-host-exists.ts";
import { linkHosts } from "../../../../src/analyzer/checks/content/link-hosts.ts";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { LinkHost } from "../../../../src/analyzer/checks/infrastructure-facts.ts";
import { testCheck } from "../test-check.ts";
import { given, linking } from "./given.ts";
import { listing } from "./link-facts.ts";

const { links } = given(`<a href="https://www.shop.example/">a</a>`);
const grey = { class: "grey", zone: "multi.uribl.com", code: "127.0.0.4", meaning: "grey" } as const;

testCheck(linkBlocklist, [
  {
    when: "passes a domain that is on no list",
    facts: { links, uribl: [listing("shop.example", { listed: false, code: null, meaning: null })] },
  },
  {
    when: "finds a listed domain, once for all lists",
    facts: { links, uribl: [listing("shop.example"), listing("shop.example", { zone: "multi.surbl.org" })] },
    finds: ["listed"],
    says: "The linked domain shop.example is on dbl.spamhaus.org (127.0.1.4) and multi.surbl.org (127.0.1.4) (phishing).",
    fix: "Remove the link. If it is your domain, fix the cause, then request removal at https://check.spamhaus.org/.",
  },
  {
    when: "finds a domain with a doubtful listing",
    facts: { links, uribl: [listing("shop.example", grey)] },
    finds: ["doubtful"],
  },
  {
    when: "counts only the worst listing",
    facts: { links, uribl: [listing("shop.example", grey), listing("shop.example")] },
    finds: ["listed"],
  },
  {
    when: "passes a social network or click tracker with a doubtful listing",
    facts: { links, uribl: [listing("facebook.com", grey), listing("list-manage.com", grey)] },
  },
  {
    when: "leaves a domain of the sender to another check",
    facts: { links, uribl: [listing("shop.example", { roles: ["from", "link"] })] },
    outcome: "not-applicable",
  },
  {
    when: "judges by the lists that answered",
    facts: {
      links,
      uribl: [
        { of: "shop.example at multi.uribl.com", fact: unknown("refused") },
        listing("shop.example", { listed: false }),
      ],
    },
  },
  {
    when: "is skipped while no list answers for a link, even if one lists the sender",
    facts: {
      links,
      uribl: [
        listing("own.example", { roles: ["from"], listed: false }),
        { of: "shop.example at dbl.spamhaus.org", fact: unknown("refused") },
      ],
    },
    outcome: "skipped",
  },
]);

const host = (name: string, more: Partial<LinkHost> = {}) => ({
  of: name,
  fact: known<LinkHost>({ host: name, exists: true, ...more }),
});

testCheck(linkHostExists, [
  {
    when: "passes hosts that exist",
    facts: { linkHosts: [host("www.shop.example"), { of: "b.example", fact: unknown("timeout") }] },
    says: "All linked hosts exist in DNS (1 checked).",
  },
  {
    when: "finds a host that does not exist",
    facts: { linkHosts: [host("www.shop.example"), host("shoop.example", { exists: false })] },
    finds: ["gone"],
    says: "The linked host shoop.example does not exist in DNS.",
  },
  { when: "does not apply without links", facts: { linkHosts: [] }, outcome: "not-applicable" },
  {
    when: "is skipped while DNS does not answer",
    facts: { linkHosts: [{ of: "a.example", fact: unknown("timeout") }] },
    outcome: "skipped",
  },
]);

const to = (count: number, href: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `<a href="${href(index)}">x</a>`).join("");

testCheck(linkHosts, [
  {
    when: "passes a digest with links to eight sites",
    facts: linking(to(8, (index) => `https://n${index}.example/`)),
    says: "Links: 8. Linked organizations: 8.",
  },
  {
    when: "finds links to many sites, not counting social networks",
    facts: linking(to(14, (index) => `https://www.n${index}.example/`) + to(1, () => "https://www.facebook.com/own")),
    finds: ["many"],
    says: "The links go to 14 organizations: n0.example, n1.example, n2.example, n3.example, n4.example, and 9 more.",
  },
  {
    when: "reports many links, not counting those that the plain text repeats",
    facts: linking(
      to(90, (index) => `https://own.example/${index}`),
      { text: "https://own.example/1\n".repeat(90) },
    ),
    finds: ["count"],
    says: "The message has 90 links.",
  },
  {
    when: "finds a top-level domain that is often abused",
    facts: linking(to(1, () => "https://prizes.tk/")),
    finds: ["risky-ending"],
    says: "The linked host prizes.tk is in a top-level domain that spammers often use (.tk).",
  },
  {
    when: "passes such a top-level domain of the sender's own domain",
    facts: linking(
      to(1, () => "https://www.own.xyz/"),
      { from: "shop@own.xyz" },
    ),
  },
  {
    when: "leaves a link to the check that judges it",
    facts: linking(`<a href="https://prizes.tk/">bank.example</a>`),
  },
]);
