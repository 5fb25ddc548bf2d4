import type { ActiveContent } from "../../mail/html/markup.ts";
import { leavesOf } from "../../mail/mime/bodies.ts";
import type { Message } from "../../mail/mime/message.ts";
import { defineCheck } from "../check.ts";
import type { Fact } from "../fact.ts";
import type { KnownFacts } from "../facts.ts";
import { shown } from "./shown.ts";

const fields = ["form", "input", "select", "textarea"];

export const activeContent = defineCheck({
  id: "active-content",
  area: "content",
  label: "Active content",
  owner: "content",
  asks: "whether the HTML holds what mail programs remove",
  why: "It never works in a mail program, and filters take it for an attack.",
  refs: ["client support tables", "public filter rules"],
  needs: ["html"],
  wants: ["message", "links", "images"],
  kinds: "all",
  domain: "no",
  passes: "The HTML holds no scripts, frames, forms or other things that mail programs remove.",
  findings: {
    script: {
      severity: "major",
      cost: 18,
      title: "Script in HTML",
      says: "The HTML contains a script.",
      fix: "Remove it.",
    },
    frame: {
      severity: "major",
      cost: 18,
      title: "Embedded frame or object",
      says: "The HTML contains <{tag}>.",
      fix: "Link to the page instead.",
    },
    redirect: {
      severity: "major",
      cost: 18,
      title: "HTML redirects links",
      says: "The HTML changes where links lead: {tag}.",
      fix: "Remove it and write full addresses.",
    },
    form: {
      severity: "minor",
      cost: 8,
      title: "Form in HTML",
      says: "The HTML contains a form (<{tag}>).",
      fix: "Link to a web page that has the form.",
    },
    handler: {
      severity: "minor",
      cost: 3,
      title: "Event handlers in HTML",
      says: "Elements carry {attributes}: {count} in all.",
      fix: "Remove these attributes; mail programs do.",
    },
  },
  run({ html: { active, elements }, message, links, images }) {
    const form =
      active.forms === 0 || hasAmp(message) ? undefined : fields.find((name) => elements.has(name));
    const { scripts, scriptLinks, frames, handlers } = active;
    return [
      ...(scripts + scriptLinks > 0
        ? [{ finding: "script" as const, evidence: { scripts, scriptLinks } }]
        : []),
      ...frames.map((tag) => ({ finding: "frame" as const, subject: tag, data: { tag } })),
      ...redirectsIn(active, leansOnBase(links, images)).map((tag) => ({
        finding: "redirect" as const,
        subject: tag,
        data: { tag },
      })),
      ...(form === undefined ? [] : [{ finding: "form" as const, data: { tag: form } }]),
      ...(handlers.elements > 0
        ? [{ finding: "handler" as const, data: { count: handlers.elements, attributes: handlers.names } }]
        : []),
    ];
  },
});

/** Whole addresses lead where they say, whatever the base is: issue trackers write one into every notice. */
function leansOnBase(links: KnownFacts["links"], images: KnownFacts["images"]): boolean {
  return (
    (links.known && links.value.list.some(({ faults }) => faults.includes("relative"))) ||
    (images.known && images.value.list.some(({ scheme, src }) => scheme === null && src !== ""))
  );
}

function redirectsIn({ base, refresh }: ActiveContent, isBaseUsed: boolean): string[] {
  return [
    ...(base === null || !isBaseUsed ? [] : [`<base href="${shown(base)}">`]),
    ...(refresh === null ? [] : [`<meta http-equiv="refresh" content="${shown(refresh)}">`]),
  ];
}

/** Its form is for programs that can show it; the HTML's stands in for it. */
function hasAmp(message: Fact<Message>): boolean {
  return message.known && leavesOf(message.value.root).some(({ type }) => type === "text/x-amp-html");
}
