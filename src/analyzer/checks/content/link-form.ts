import type { Link } from "../../mail/links/links.ts";
import { defineCheck } from "../check.ts";
import { finishedLinks } from "./link-order.ts";
import { raiseEach, toEvidence } from "./senders.ts";
import { maxRaised, shown } from "./shown.ts";

const maxLength = 2_000;

export const linkForm = defineCheck({
  id: "link-form",
  helpPage: "fix-links",
  label: "Link format",
  owner: "content",
  asks: "whether link URLs are valid",
  why: "A broken link wastes the click.",
  refs: ["RFC 3986"],
  needs: ["links"],
  passes: "All link URLs are valid.",
  findings: {
    malformed: {
      severity: "minor",
      cost: 8,
      title: "Malformed link",
      says: 'The link target "{url}" is not a valid URL: it has {fault}.',
      fix: "Correct the URL.",
    },
    most: {
      severity: "major",
      title: "Most links have no target",
      says: '{count} of {total} links have no target, such as "{text}".',
      fix: "Add the targets.",
    },
    empty: {
      severity: "minor",
      cost: 8,
      title: "Link without target",
      says: 'The link "{text}" has no target.',
      fix: "Add a target, or remove the link.",
    },
    port: {
      severity: "minor",
      cost: 3,
      title: "Unusual port in link",
      says: "{url} uses port {port}, which many networks block.",
      fix: "Use the default port.",
    },
    "very-long": {
      severity: "info",
      title: "Very long link",
      says: "A link is {length} characters long.",
      fix: "Shorten the URL parameters.",
    },
  },
  run({ links }) {
    const list = finishedLinks(links);
    const empty = list.filter((link) => isEmpty(link) && isSeen(link));
    const odd = list.filter(({ port }) => port !== null && port !== 80 && port !== 443);
    const long = list.filter(({ length }) => length > maxLength);
    return [
      ...raiseMalformed(list.filter((link) => !isEmpty(link))),
      ...raiseEmpty(empty, links.list.filter((link) => link.place === "html" && isSeen(link)).length),
      ...raiseEach("port", odd, ({ href, port }) => ({ subject: href, data: { url: shown(href), port } })),
      ...raiseLongest(long),
    ];
  },
});

/** Faults that make a URL invalid. Other checks report the rest. */
const faults: readonly (readonly [fault: Link["faults"][number], says: string])[] = [
  ["relative", "no host"],
  ["no-host", "a scheme but no host"],
  ["several-at", "more than one @"],
  ["backslash", "a backslash"],
  ["spaces", "spaces"],
  ["unreadable", "an unreadable host"],
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

/** A scheme alone is what editors put into a new link. */
function isEmpty({ faults, href }: Link): boolean {
  return faults.includes("empty") || /^(?:https?:\/*|mailto:|tel:)$/i.test(href);
}

/** One such link may be a slip. More than half is a template that was not filled in. */
const fewestInTemplate = 3;

function raiseEmpty(empty: readonly Link[], total: number) {
  const nameOf = ({ text, label }: Link) => text || label || "an image";
  const [first] = empty;
  if (first && empty.length >= fewestInTemplate && empty.length > total / 2) {
    const evidence = { links: empty.slice(0, maxRaised).map(toEvidence) };
    return [{ finding: "most" as const, data: { count: empty.length, total, text: shown(nameOf(first)) }, evidence }];
  }
  return raiseEach("empty", empty, (link) => ({ subject: nameOf(link), data: { text: shown(nameOf(link)) } }));
}

/** A link without text and images is an anchor or an invisible leftover. */
function isSeen({ visible, text, images }: Link): boolean {
  return visible && (text !== "" || images > 0);
}

function raiseLongest(long: readonly Link[]) {
  const [longest] = long.toSorted((one, other) => other.length - one.length);
  if (longest === undefined) return [];
  const evidence = { links: long.slice(0, maxRaised).map(toEvidence) };
  return [{ finding: "very-long" as const, data: { length: longest.length }, evidence }];
}
