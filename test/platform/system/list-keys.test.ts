import { expect, test } from "vitest";
import { toBlocklistZone } from "../../../src/analyzer/dns/dnsbl.ts";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { recordAnswers, replayAnswers } from "../../../src/analyzer/facts/dns-evidence.ts";
import { withListKeys } from "../../../src/platform/system/real.ts";

const zones = ["s3cr3t.zen.dq.spamhaus.net", "bl.spamcop.net"].map(toBlocklistZone);
const world = createZoneDns({
  "8.2.0.192.s3cr3t.zen.dq.spamhaus.net": { CNAME: ["7.2.0.192.s3cr3t.zen.dq.spamhaus.net"] },
  "7.2.0.192.s3cr3t.zen.dq.spamhaus.net": { A: ["127.0.0.2"], TXT: ["you asked s3cr3t.zen"] },
  "7.2.0.192.bl.spamcop.net": { A: ["127.0.0.2"] },
});

test("a keyed blocklist is queried with its key, which is not in the evidence or a replay", async () => {
  const recording = recordAnswers(withListKeys(world, zones));
  const name = "7.2.0.192._key.zen.dq.spamhaus.net";
  const answers = await Promise.all([recording.dns.query(name, "A"), recording.dns.query(name, "TXT")]);
  expect(answers.map(({ status }) => status)).toEqual(["answered", "answered"]);
  await recording.dns.query("8.2.0.192._key.zen.dq.spamhaus.net", "A");
  expect(JSON.stringify(recording.answers())).not.toContain("s3cr3t");
  const replay = replayAnswers(recording.answers());
  expect(await replay.query(name, "A")).toEqual(answers[0]);
});

test("other names are queried unchanged", async () => {
  const dns = withListKeys(world, zones);
  expect(await dns.query("7.2.0.192.bl.spamcop.net", "A")).toMatchObject({ status: "answered" });
  expect(await dns.query("no\0such.name", "A")).toMatchObject({ status: "malformed" });
  expect(withListKeys(world, zones.slice(1))).toBe(world);
});
