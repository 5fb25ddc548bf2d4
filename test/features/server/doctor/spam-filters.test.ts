import { expect, test } from "vitest";
import type { Patient } from "../../../../src/features/server/doctor/row.ts";
import { examineSpamFilters } from "../../../../src/features/server/doctor/spam-filters.ts";
import { readConfig } from "../../../../src/platform/settings/config-reading.ts";
import { createFetchOperator } from "../../../../src/platform/system/fetch-doors.ts";
import { behaviors, startHostilePeer } from "../../../hostile-peer.ts";

async function examine(settings: Record<string, string>): Promise<readonly string[]> {
  const reading = readConfig({ ASSAY_ANALYSIS_BUDGET_MS: "500", ...settings });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const system = { now: () => 0, fetchOperator: createFetchOperator() };
  const rows = await examineSpamFilters({ config: reading.config, system, hostName: "mx" } as unknown as Patient);
  return [rows].flat().map(({ label, state, says, fix }) => `${label}: ${state}: ${says}${fix ? ` → ${fix}` : ""}`);
}

test("the server check names each spam filter that is set up, and whether it responds", async () => {
  expect(await examine({})).toEqual([]);
  const spamd = await startHostilePeer((socket) =>
    socket.once("data", () => socket.end("SPAMD/1.1 0 EX_OK\r\nSpam: True ; 6.5 / 5.0\r\n\r\n")),
  );
  const rspamd = await startHostilePeer(behaviors["never answers"]);
  const settings = {
    ASSAY_SPAMD_ADDRESS: `127.0.0.1:${spamd.port}`,
    ASSAY_RSPAMD_URL: `http://127.0.0.1:${rspamd.port}`,
  };
  expect(await examine(settings)).toEqual([
    "rspamd: red: rspamd does not respond, so reports lack its score, and analyses may take longer. → Check that it is running, or change ASSAY_RSPAMD_URL.",
    "SpamAssassin: green: It responds with a result.",
  ]);
  rspamd.close();
  expect((await examine(settings))[0]).toContain("rspamd does not respond,");
  spamd.close();
});

test("a spam filter that answers with something else than a result is named", async () => {
  const peer = await startHostilePeer(behaviors["answers with escape sequences"], "HTTP/1.1 200 OK\r\n\r\n");
  expect(await examine({ ASSAY_RSPAMD_URL: `http://127.0.0.1:${peer.port}` })).toEqual([
    "rspamd: red: rspamd does not respond with a result, so reports lack its score, and analyses may take longer. → Check that it is running, or change ASSAY_RSPAMD_URL.",
  ]);
  peer.close();
});
