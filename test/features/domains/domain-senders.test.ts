import { expect, test } from "vitest";
import { bytesOf, keyOf } from "../../analyzer/domain-cases/verdict-world.ts";
import { toKeyRecord } from "../../analyzer/mail/signing/sign.ts";
import { startHttpWorld } from "../../http/http-world.ts";
import { insertDomain } from "../../platform/database/nouns.ts";

const dayMs = 86_400_000;

/** What the messages of the world's stranger need to be authentic. */
const zone = {
  "sender.example": { A: ["192.0.2.1"], TXT: ["v=spf1 ip4:192.0.2.1 -all"] },
  "_dmarc.sender.example": { TXT: ["v=DMARC1; p=reject"] },
  "spring._domainkey.sender.example": { TXT: [toKeyRecord(keyOf("rsa1024"))] },
};
const letter = (from: string) =>
  bytesOf({ from, sign: { domain: "sender.example", selector: "spring", key: "rsa1024" } });

async function openPlace() {
  const world = await startHttpWorld();
  world.internet.zone = zone;
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const asked = { token, workspace };
  const receive = async (raw: Uint8Array) => {
    const id = await world.receive(workspace, null, raw);
    await world.analyzeAll();
    world.clock.nowMs += 1_000;
    return id;
  };
  const monitor = (domain: string) =>
    world.store.write((db) => insertDomain(db, { id: `dom_${domain}`, workspaceId: workspace, domain }));
  const list = async (domain: string) => (await world.ask("GET", `/api/domains/dom_${domain}/senders`, asked)).json;
  return { ...world, asked, receive, monitor, list };
}

test("a domain that is added later shows its recent senders", async () => {
  const { receive, monitor, list, clock } = await openPlace();
  const receivedAt = "2026-11-21T06:00:00.000Z";
  await receive(letter("ann@sender.example"));
  clock.nowMs += 2 * dayMs;
  await monitor("sender.example");
  const row = { sender: null, firstSeenAt: receivedAt, lastSeenAt: receivedAt, messages: 1, watched: true };
  expect(await list("sender.example")).toEqual({
    items: [
      { kind: "address", value: "192.0.2.1", ...row },
      { kind: "helo", value: "mail.sender.example", ...row },
      { kind: "return_path", value: "sender.example", ...row },
      { kind: "selector", value: "spring", ...row },
    ],
  });
  await receive(letter("bob@sender.example"));
  expect((await list("sender.example")).items).toMatchObject(
    Array(4).fill({ messages: 2, firstSeenAt: receivedAt, lastSeenAt: "2026-11-23T06:00:01.000Z" }),
  );
  clock.nowMs += 31 * dayMs;
  expect((await list("sender.example")).items).toMatchObject(Array(4).fill({ watched: false }));
});

test("spoofed mail and uploads reveal no senders, and a re-analysis is not counted twice", async () => {
  const { receive, monitor, list, ask, asked, analyzeAll } = await openPlace();
  await monitor("sender.example");
  await monitor("victim.example");
  await receive(Buffer.from("From: ann@victim.example\r\nSubject: Hi\r\n\r\nHello\r\n"));
  const query = "?ip=192.0.2.1&helo=mail.sender.example&mail_from=ann@sender.example";
  const headers = { "content-type": "message/rfc822" };
  const body = Buffer.from(letter("ann@sender.example"));
  expect((await ask("POST", `/api/tests/upload${query}`, { ...asked, body, headers })).status).toBe(201);
  await analyzeAll();
  expect(await list("sender.example")).toEqual({ items: [] });
  expect(await list("victim.example")).toEqual({ items: [] });
  const id = await receive(letter("ann@sender.example"));
  expect((await ask("POST", `/api/tests/${id}/reanalyze`, asked)).status).toBe(200);
  expect((await list("sender.example")).items).toMatchObject(Array(4).fill({ messages: 1 }));
});

test("a lookalike of a monitored domain gets a finding", async () => {
  const { receive, monitor, ask, asked } = await openPlace();
  const findings = async (id: string) =>
    (await ask("GET", `/api/tests/${id}`, asked)).json.findings.map((finding: { id: string }) => finding.id);
  const forged = Buffer.from("From: ann@1oonshop.example\r\nSubject: Hi\r\n\r\nHello\r\n");
  expect(await findings(await receive(forged))).not.toContain("lookalike-domain.imitates");
  await monitor("loonshop.example");
  expect(await findings(await receive(forged))).toContain("lookalike-domain.imitates");
});

test("the senders of an unmonitored domain are not found", async () => {
  const { ask, asked } = await openPlace();
  expect(await ask("GET", "/api/domains/dom_1/senders", asked)).toMatchObject({
    status: 404,
    json: { error: "not_found" },
  });
});
