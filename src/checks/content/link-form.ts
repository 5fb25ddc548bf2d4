import type { Link } from "../../mail/links/links.ts";
import { defineCheck } from "../check.ts";
import { finishedLinks } from "./link-order.ts";
import { raiseEach, toEvidence } from "./senders.ts";
import { maxRaised, shown } from "./shown.ts";

const maxLength = 2_000;

export const linkForm = defineCheck({
  id: "link-form",
  area: "content",
  label: "Link format",
  owner: "content",
  asks: "whether addresses are well formed",
  why: "A broken link wastes the click.",
  refs: ["RFC 3986"],
  needs: ["links"],
  kinds: "all",
  domain: "no",
  passes: "Every link is a valid address.",
  findings: {
    malformed: {
      severity: "minor",
      cost: 8,
      title: "Malformed link",
      says: "{url} is not a valid address: it has {fault}.",
      fix: "Correct it.",
    },
    empty: {
      severity: "minor",
      cost: 3,
      title: "Link leads nowhere",
      says: 'The link "{text}" leads nowhere.',
      fix: "Give it a target.",
    },
    port: {
      severity: "minor",
      cost: 3,
      title: "Unusual port in link",
      says: "{url} uses port {port}, which many networks block.",
      fix: "Use the usual port.",
    },
    "very-long": {
      severity: "info",
      cost: 0,
      title: "Very long link",
      says: "A link has {length} characters.",
      fix: "Shorten its parameters.",
    },
  },
  run({ links }) {
    const list = finishedLinks(links);
    const empty = list.filter((link) => link.faults.includes("empty") && isSeen(link));
    const odd = list.filter(({ port }) => port !== null && port !== 80 && port !== 443);
    const long = list.filter(({ length }) => length > maxLength);
    return [
      ...raiseMalformed(list),
      ...raiseEach("empty", empty, ({ text, label }) => ({
        subject: text || label || "a picture",
        data: { text: shown(text || label || "a picture") },
      })),
      ...raiseEach("port", odd, ({ href, port }) => ({ subject: href, data: { url: shown(href), port } })),
      ...raiseLongest(long),
    ];
  },
});

/** Of the faults an address can have, those that make it no address; the others are told elsewhere. */
const faults: readonly (readonly [fault: Link["faults"][number], says: string])[] = [
  ["relative", "no host"],
  ["no-host", "no host where one must stand"],
  ["several-at", "several @"],
  ["backslash", "a backslash"],
  ["spaces", "spaces in it"],
  ["unreadable", "no readable host"],
];

function faultOf(link: Link): string | null {
  return faults.find(([fault]) => link.faults.includes(fault))?.[1] ?? null;
}

function raiseMalformed(list: readonly Link[]) {
  const malformed = list.filter((link) => faultOf(link) !== null);
  return raiseEach("malformed", malformed, (link) => ({
    subject: link.href,
    data: { url: shown(link.href), fault: faultOf(link) },
  }));
}

/** A link without words and pictures is an anchor, or a leftover that nobody sees. */
function isSeen({ visible, text, images }: Link): boolean {
  return visible && (text !== "" || images > 0);
}

function raiseLongest(long: readonly Link[]) {
  const [longest] = long.toSorted((one, other) => other.length - one.length);
  if (longest === undefined) return [];
  const evidence = { links: long.slice(0, maxRaised).map(toEvidence) };
  return [{ finding: "very-long" as const, data: { length: longest.length }, evidence }];
}
