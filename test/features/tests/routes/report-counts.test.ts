// The same report in the app, on a shared page, and in a saved file has the same counts.

import { expect, test } from "vitest";
import { toPercent } from "../../../../src/analyzer/words/plain-words.ts";
import type { TestReport } from "../../../../src/features/tests/contract/tests.ts";
import { faultsOf } from "../../../../src/features/tests/rules/issues.ts";
import { notesOf, passesOf } from "../../../../src/web/report/findings.ts";
import { startHttpWorld } from "../../../http/http-world.ts";
import { builtWeb } from "../../../web/web-world.ts";

async function openReports(prepared: string) {
  const { base, ask, createWorkspace, issueToken, analyzeAll } = await startHttpWorld({ webFiles: await builtWeb() });
  const { id: workspace } = await createWorkspace("Ours");
  const { token } = await issueToken(workspace);
  await ask("POST", "/api/laboratory", { token, workspace, body: { ids: [prepared] } });
  await analyzeAll();
  const [{ id }] = (await ask("GET", "/api/tests", { token, workspace })).json.items;
  const report: TestReport = (await ask("GET", `/api/tests/${id}`, { token, workspace })).json;
  const { url } = (await ask("POST", `/api/tests/${id}/shares`, { token, workspace, body: {} })).json;
  const read = async (address: string, headers: Record<string, string>) => (await fetch(address, { headers })).text();
  const shared = await read(url, { accept: "text/html" });
  const access = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
  const saved = await read(`${base}/api/tests/${id}/report.html`, access);
  return { report, pages: { shared, saved } };
}

function countIn(page: string) {
  const fix = page.slice(page.indexOf('<section class="sec" id="fix"'), page.indexOf('id="placement"'));
  const count = (begin: string) => fix.split(begin).length - 1;
  const notes = Number(/(\d+) notes? \(no effect on score\)/.exec(fix)?.[1] ?? 0);
  return { issues: count('class="finding ') - notes, notes, good: count('<li><span class="sev good">') };
}

test.each(["newsletter", "sample", "no-way-out", "unaligned"])(
  "a report has the same counts everywhere for the sample “%s”",
  async (prepared) => {
    const { report, pages } = await openReports(prepared);
    const counts = { issues: faultsOf(report).length, notes: notesOf(report).length, good: passesOf(report).length };
    expect(counts.good).toBeGreaterThan(20);
    for (const page of Object.values(pages)) {
      expect(countIn(page)).toEqual(counts);
      expect(page.replace(/<[^>]+>/g, "")).toContain(`${toPercent(report.coverage ?? 0)} of checks completed`);
      expect(page).not.toMatch(/\d %/);
      expect(page).toContain('<meta name="robots" content="noindex, nofollow">');
    }
  },
);
