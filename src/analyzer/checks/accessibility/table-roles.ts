import { defineCheck, notApplicable, passed } from "../check.ts";
import { whyNoHtml } from "../image-only.ts";

/** One or two may be data tables without header cells. */
const manyTables = 3;

export const tableRoles = defineCheck({
  id: "table-roles",
  helpPage: "fix-accessibility",
  label: "Table roles",
  owner: "content",
  asks: "whether layout tables are marked as presentational",
  why: "Without a presentation role, screen readers announce every cell.",
  refs: ["WCAG 1.3.1"],
  needs: ["message", "html"],
  kinds: ["bulk", "transactional"],
  passes: "Every layout table has a role ({layout} in total).",
  findings: {
    missing: {
      severity: "minor",
      cost: 3,
      title: "Layout tables without role",
      says: "None of the {count} layout tables has a role.",
      fix: 'Use `<table role="presentation">`.',
    },
    some: {
      severity: "info",
      title: "Missing table roles",
      says: "Layout tables without a role: {count} of {layout}.",
      fix: 'Optional: use `<table role="presentation">`.',
    },
  },
  run({ message, html }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const { layout, layoutWithRole } = html.tables;
    if (layout === 0) return notApplicable("The HTML has no layout tables.");
    const count = layout - layoutWithRole;
    if (count === 0) return passed({ layout });
    const finding = layout >= manyTables && layoutWithRole === 0 ? ("missing" as const) : ("some" as const);
    return [{ finding, data: { count, layout }, evidence: { tables: html.tables } }];
  },
});
