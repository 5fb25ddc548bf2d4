import { defineCheck, notApplicable, passed } from "../check.ts";
import { whyNoHtml } from "../image-only.ts";

/** One or two may be tables of figures that only lack their headers. */
const manyTables = 3;

export const tableRoles = defineCheck({
  id: "table-roles",
  area: "accessibility",
  label: "Table roles",
  owner: "content",
  asks: "whether layout tables are marked",
  why: "Screen readers announce every cell otherwise.",
  refs: ["WCAG 1.3.1"],
  needs: ["message", "html"],
  kinds: ["bulk", "transactional"],
  domain: "no",
  passes: "{what}.",
  findings: {
    missing: {
      severity: "minor",
      cost: 3,
      title: "Layout tables without role",
      says: "{count} layout tables carry no role.",
      fix: 'Write `<table role="presentation">`.',
    },
    some: {
      severity: "info",
      cost: 0,
      title: "Some layout tables without role",
      says: "{count} of {layout} layout tables carry no role.",
      fix: 'Optional: write `<table role="presentation">`.',
    },
  },
  run({ message, html }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const { layout, layoutWithRole } = html.tables;
    if (layout === 0) return notApplicable("The HTML has no tables for its layout.");
    const count = layout - layoutWithRole;
    if (count === 0) return passed({ what: `All ${layout} layout tables are marked as such` });
    const finding = layout >= manyTables && layoutWithRole === 0 ? ("missing" as const) : ("some" as const);
    return [{ finding, data: { count, layout }, evidence: { tables: html.tables } }];
  },
});
