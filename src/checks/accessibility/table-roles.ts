import { defineCheck, notApplicable, passed } from "../check.ts";
import { whyNoHtml } from "../shown-html.ts";

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
  passes: "Layout tables: {layout}, marked as such: {marked}.",
  findings: {
    missing: {
      severity: "minor",
      cost: 3,
      title: "Layout tables without role",
      says: "{count} layout tables carry no role.",
      fix: 'Write `<table role="presentation">`.',
    },
  },
  run({ message, html }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const { layout, layoutWithRole } = html.tables;
    return layout >= manyTables && layoutWithRole === 0
      ? [{ finding: "missing", data: { count: layout }, evidence: { tables: html.tables } }]
      : passed({ layout, marked: layoutWithRole });
  },
});
