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
  helpPage: "fix-rendering",
  label: "Active content",
  owner: "content",
  asks: "whether the HTML contains scripts, frames, forms, or event handlers",
  why: "Email clients remove active content, and filters treat it as an attack.",
  refs: ["client support tables", "public filter rules"],
  needs: ["html"],
  wants: ["message", "links", "images"],
  passes: "The HTML has no scripts, frames, forms, or event handlers.",
  findings: {
    script: {
      severity: "major",
      title: "Script in HTML",
      says: "The HTML contains a script.",
      fix: "Remove the script.",
    },
    frame: {
      severity: "major",
      title: "Embedded frame or object",
      says: "The HTML contains <{tag}>.",
      fix: "Link to the page instead.",
    },
    redirect: {
      severity: "major",
      title: "HTML changes link targets",
      says: "The HTML changes where its links go: {tag}.",
      fix: "Remove the tag and use full URLs.",
    },
    form: {
      severity: "minor",
      cost: 8,
      title: "Form in HTML",
      says: "The HTML contains a form (<{tag}>).",
      fix: "Link to a web page with the form.",
    },
    handler: {
      severity: "minor",
      cost: 3,
      title: "Event handlers in HTML",
      says: "The HTML has event handler attributes ({attributes}). Affected elements: {count}.",
      fix: "Remove these attributes. Email clients remove them anyway.",
    },
  },
  run({ html: { active, elements }, message, links, images }) {
    const form = active.forms === 0 || hasAmp(message) ? undefined : fields.find((name) => elements.has(name));
    const { scripts, scriptLinks, frames, handlers } = active;
    return [
      ...(scripts + scriptLinks > 0 ? [{ finding: "script" as const, evidence: { scripts, scriptLinks } }] : []),
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

/** A `<base>` only affects relative URLs. Issue trackers add one to every notification. */
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

/** With an AMP part, a form in the HTML is only its fallback. */
function hasAmp(message: Fact<Message>): boolean {
  return message.known && leavesOf(message.value.root).some(({ type }) => type === "text/x-amp-html");
}
