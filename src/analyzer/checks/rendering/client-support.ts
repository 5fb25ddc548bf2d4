import type { Html } from "../../mail/html/page.ts";
import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import { whyNoHtml } from "../image-only.ts";
import { supportAsOf } from "./client-support-table.ts";
import { decorations, layoutFeatures, mediaFeatures, whoLacks } from "./features.ts";

export const clientSupport = defineCheck({
  id: "client-support",
  helpPage: "fix-rendering",
  label: "Client support",
  owner: "content",
  asks: "which features fail in common email clients",
  why: "Unsupported features break the layout. Each email client is weighted by its estimated share of recipients.",
  refs: ["caniemail.com"],
  needs: ["message", "html"],
  kinds: ["bulk", "transactional", "personal"],
  passes: "The HTML uses no features that are known to fail in common email clients (caniemail data from {asOf}).",
  findings: {
    layout: {
      severity: "minor",
      cost: 3,
      title: "Layout breaks in some clients",
      says: "The layout uses {feature}, which is not supported in {clients}.",
      fix: "Build the layout with tables, or add tables for Outlook in `<!--[if mso]>`.",
    },
    element: {
      severity: "minor",
      cost: 3,
      title: "Element unsupported in some clients",
      says: "`<{tag}>` is not displayed in {clients}.",
      fix: "{remedy}",
    },
    decoration: {
      severity: "info",
      title: "Styles unsupported in some clients",
      says: "Some email clients do not support {features}. Support is partial or missing in {clients}.",
      fix: null,
      why: "Email clients leave out styles that they don't support, so the message looks different there.",
    },
  },
  run({ message, html }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const raised = [...findLayouts(html), ...findElements(html), ...findDecorations(html)];
    return raised.length > 0 ? raised : passed({ asOf: supportAsOf });
  },
});

/** Percent of recipients. Clients with a smaller share are ignored. */
const fewReaders = 5;

function findLayouts({ features, comments }: Html): Raised<"layout">[] {
  // Tables for Outlook are assumed to be a working fallback.
  if (comments.outlookOnly.some((text) => /<table\b/i.test(text))) return [];
  return [...features.layouts].flatMap(([kind, count]) => {
    const { slug, name } = layoutFeatures[kind];
    const { clients, share } = whoLacks(slug);
    if (share <= fewReaders) return [];
    const evidence = { count, share, asOf: supportAsOf };
    return [{ finding: "layout" as const, subject: kind, data: { feature: name, clients }, evidence }];
  });
}

function findElements({ features }: Html): Raised<"element">[] {
  return [...features.bareMedia].flatMap(([tag, count]) => {
    const { clients, share } = whoLacks(mediaFeatures.get(tag) ?? "");
    if (share <= fewReaders) return [];
    const evidence = { count, share, asOf: supportAsOf };
    return [{ finding: "element" as const, subject: tag, data: { tag, clients, remedy: remedyFor(tag) }, evidence }];
  });
}

function remedyFor(tag: string): string {
  return tag === "svg" ? "Use a PNG image instead." : `Add a linked image inside \`<${tag}>\` as a fallback.`;
}

function findDecorations({ features }: Html): Raised<"decoration">[] {
  const lost = [...features.styles].flatMap((name) => {
    const slug = decorations.get(name);
    if (slug === undefined) return [];
    const { clients, share } = whoLacks(slug);
    return share > fewReaders ? [{ name, clients, share }] : [];
  });
  if (lost.length === 0) return [];
  lost.sort((one, other) => other.share - one.share);
  const names = lost.map(({ name }) => name);
  const clients = [...new Set(lost.flatMap((feature) => feature.clients))];
  return [{ finding: "decoration", data: { features: names, clients }, evidence: { lost, asOf: supportAsOf } }];
}
