// Settings of the whole server, changed in the app while it runs.

import { expect, test } from "vitest";
import { TransportFailure } from "../../../../src/features/sending/work/transports.ts";
import { createServerSettings } from "../../../../src/features/server/work/server-settings.ts";
import { createSealer } from "../../../../src/platform/system/secret-key.ts";
import { startHttpWorld } from "../../../http/http-world.ts";

async function worldWithOperator(terms: Parameters<typeof startHttpWorld>[0] = {}) {
  const world = await startHttpWorld(terms);
  const { id: workspace } = await world.createWorkspace("First");
  const { token } = await world.issueToken(workspace);
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    world.ask(method, path, { token, workspace, body, headers });
  return { ...world, ask, asAnyone: world.ask };
}

const retention = "/api/server-settings/ASSAY_RETENTION_DAYS";
const relay = "/api/server-settings/ASSAY_SEND_SMTP_URL";
const baseUrl = "/api/server-settings/ASSAY_BASE_URL";
const seedDomains = "/api/server-settings/ASSAY_SEED_DOMAINS";

test("a change takes effect immediately, and the default can be restored", async () => {
  const { ask, config } = await worldWithOperator();
  expect((await ask("PATCH", retention, { value: "365" })).json).toMatchObject({
    name: "ASSAY_RETENTION_DAYS",
    value: "365",
    source: "saved",
  });
  expect(config.retentionDays).toBe(365);
  expect((await ask("PATCH", retention, { value: null })).json).toMatchObject({ value: "90", source: "default" });
  expect(config.retentionDays).toBe(90);
  const resolvers = "/api/server-settings/ASSAY_DNS_SERVERS";
  expect((await ask("PATCH", resolvers, { value: "127.0.0.1:5353" })).json.value).toBe("127.0.0.1:5353");
  expect(config.dnsServers).toEqual([{ host: "127.0.0.1", port: 5353 }]);
  const trusted = "/api/server-settings/ASSAY_DNS_TRUSTED";
  expect((await ask("PATCH", trusted, { value: "corp.example, Lab.test" })).json.value).toBe("corp.example,lab.test");
});

test("an invalid value is rejected with the expected form, and changes nothing", async () => {
  const { ask, config } = await worldWithOperator();
  const { status, json } = await ask("PATCH", retention, { value: "forever" });
  expect(status).toBe(400);
  expect(json).toMatchObject({ field: "value", message: "It must be a whole number from 0 to 36500." });
  expect((await ask("PATCH", "/api/server-settings/ASSAY_HTTP_PORT", { value: "1" })).status).toBe(404);
  expect((await ask("PUT", "/api/blocklists/dnsbl.sorbs.net", {})).json.message).toContain("cannot be used");
  expect(config).toMatchObject({ retentionDays: 90, httpPort: 8080, dnsbls: [] });
});

test("only owners of the first workspace see and change the server settings", async () => {
  const { ask, asAnyone, createWorkspace, issueToken, clock } = await worldWithOperator();
  clock.nowMs += 1;
  const { id: workspace } = await createWorkspace("Second");
  const { token } = await issueToken(workspace);
  for (const [method, path, body] of [
    ["GET", "/api/server-settings", undefined],
    ["PATCH", retention, { value: "1" }],
    ["GET", "/api/blocklists", undefined],
    ["PUT", "/api/blocklists/bl.spamcop.net", {}],
    ["DELETE", "/api/blocklists/bl.spamcop.net", undefined],
    ["POST", "/api/blocklists/bl.spamcop.net/test", undefined],
    ["PATCH", relay, { value: "smtp://relay.acme.net" }],
    ["POST", "/api/server-email/test", {}],
  ] as const)
    expect((await asAnyone(method, path, { token, workspace, body })).json.error).toBe("forbidden");
  expect((await ask("GET", "/api/blocklists")).json.source).toBe("default");
});

test("blocklists are turned on and off one by one, and tested", async () => {
  const { ask, config, internet } = await worldWithOperator();
  internet.zone = { "2.0.0.127.bl.spamcop.net": { A: ["127.0.0.2"] } };
  expect((await ask("PUT", "/api/blocklists/bl.spamcop.net", {})).status).toBe(204);
  expect((await ask("PUT", "/api/blocklists/psbl.surriel.com", {})).status).toBe(204);
  const on = async () =>
    (await ask("GET", "/api/blocklists")).json.items
      .flatMap(({ zones }: { zones: { zone: string; isOn: boolean }[] }) => zones)
      .filter(({ isOn }: { isOn: boolean }) => isOn)
      .map(({ zone }: { zone: string }) => zone);
  expect(await on()).toEqual(["bl.spamcop.net", "psbl.surriel.com"]);
  expect((await ask("POST", "/api/blocklists/bl.spamcop.net/test")).json).toMatchObject({ state: "green" });
  expect((await ask("POST", "/api/blocklists/psbl.surriel.com/test")).json).toMatchObject({ state: "red" });
  expect((await ask("POST", "/api/blocklists/bl.mailspike.net/test")).status).toBe(404);
  expect((await ask("DELETE", "/api/blocklists/bl.spamcop.net")).status).toBe(204);
  expect(config.dnsbls).toEqual([{ zone: "psbl.surriel.com", asked: "psbl.surriel.com" }]);
});

test("a blocklist's key is used for its queries, and neither shown nor stored as plain text", async () => {
  const { ask, config, store } = await worldWithOperator();
  const path = "/api/blocklists/_key.zen.dq.spamhaus.net";
  expect((await ask("PUT", path, {})).json).toMatchObject({ field: "key" });
  expect((await ask("PUT", path, { key: "a.b" })).status).toBe(400);
  await ask("PUT", path, { key: "s3cr3tkey" });
  expect(config.dnsbls).toEqual([{ zone: "_key.zen.dq.spamhaus.net", asked: "s3cr3tkey.zen.dq.spamhaus.net" }]);
  for (const read of ["/api/blocklists", "/api/server-settings"])
    expect((await ask("GET", read)).text).not.toContain("s3cr3tkey");
  const rows = await store.read.selectFrom("meta").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain("s3cr3tkey");
  await ask("PUT", path, { key: "n3wkey" });
  const audit = await ask("GET", "/api/audit?log=server");
  const [{ action, summary, details }] = audit.json.items;
  expect(action).toBe("blocklist.key");
  expect(summary).toContain("changed the key of the blocklist _key.zen.dq.spamhaus.net");
  expect(details.secrets).toEqual(["key"]);
  expect(audit.text).not.toMatch(/s3cr3tkey|n3wkey/);
});

test("environment settings take precedence, and another process sees saved ones", async () => {
  const { ask, store, config, system } = await worldWithOperator();
  await ask("PATCH", retention, { value: "7" });
  const other = { ...config, retentionDays: 90 };
  const sealer = createSealer(new Uint8Array(32), system.random);
  const open = (given: readonly string[]) => createServerSettings({ config: other, given, store, sealer, system });
  // Sealed with this server's key, which another process shares.
  await open([]).change("retentionDays", "30");
  const late = { ...config, retentionDays: 90 };
  const follower = createServerSettings({ config: late, given: [], store, sealer, system });
  let changes = 0;
  follower.onChange(() => {
    changes += 1;
  });
  await follower.load();
  await follower.load();
  expect([late.retentionDays, changes]).toEqual([30, 1]);
  // What was read before an edit doesn't undo it, and neither of two edits is lost.
  const join = (text: string, zone: string) => (text === "" ? zone : `${text},${zone}`);
  const reading = follower.load();
  await Promise.all([
    follower.change("retentionDays", "31"),
    open([]).edit("dnsbls", (text) => join(text, "one.example")),
    follower.edit("dnsbls", (text) => join(text, "two.example")),
    reading,
  ]);
  expect(late.retentionDays).toBe(31);
  await follower.load();
  expect(late.dnsbls.map(({ zone }) => zone).toSorted()).toEqual(["one.example", "two.example"]);
  const fixed = { ...config, retentionDays: 365 };
  const given = createServerSettings({ config: fixed, given: ["ASSAY_RETENTION_DAYS"], store, sealer, system });
  await given.load();
  expect([fixed.retentionDays, given.sourceOf("retentionDays")]).toEqual([365, "given"]);
  await expect(given.change("retentionDays", "1")).rejects.toThrow("ASSAY_RETENTION_DAYS is set in");
});

test("a mail server's password is neither shown nor stored as plain text, and stays if the rest comes back without it", async () => {
  const { ask, config, store } = await worldWithOperator();
  const value = "smtp://ann:hunter2@relay.acme.net:587";
  const shown = "smtp://ann@relay.acme.net:587";
  expect((await ask("PATCH", relay, { value })).json).toMatchObject({ value: shown, source: "saved" });
  expect((await ask("PATCH", relay, { value: shown })).json.value).toBe(shown);
  expect(config.sendSmtpUrl).toBe(value);
  await ask("PATCH", relay, { value: "smtp://ann:hunter3@relay.acme.net:587" });
  const [{ details }] = (await ask("GET", "/api/audit?log=server")).json.items;
  expect(details).toEqual({ before: { value: shown }, after: { value: shown }, secrets: ["password"] });
  // One token as user name and password.
  await ask("PATCH", relay, { value: "smtp://s3cr3t:s3cr3t@relay.acme.net" });
  for (const read of ["/api/server-settings", "/api/audit"]) {
    const { text } = await ask("GET", read);
    expect(text).not.toMatch(/hunter|s3cr3t/);
  }
  expect(JSON.stringify(await store.read.selectFrom("meta").selectAll().execute())).not.toMatch(/hunter|s3cr3t/);
  expect((await ask("PATCH", relay, { value: null })).json).toMatchObject({ value: null, source: "default" });
});

test.each([
  ["smtp://10.0.0.1:587", "not public"],
  ["smtp://localhost", "not public"],
  ["smtp://inside.acme.net", "not public"],
  ["smtp://[::ffff:127.0.0.1]:25", "not public"],
  ["smtp://relay.acme.net:22", "Use one of the ports"],
  ["smtp://ann@relay.acme.net", "both a user name and a password"],
  ["smtp://relay.acme.net/path", "must end after the host"],
  ["http://relay.acme.net", "smtp:// or smtps://"],
  [`smtp://${"a".repeat(3_000)}.example`, "must be like"],
])("the mail server %s is refused in the app, and the one before stays", async (value, why) => {
  const { ask, config, internet } = await worldWithOperator();
  internet.zone = { "inside.acme.net": { A: ["192.168.1.1"] } };
  await ask("PATCH", relay, { value: "smtp://relay.acme.net" });
  const { status, json } = await ask("PATCH", relay, { value });
  expect([status, json.field, json.message]).toEqual([400, "value", expect.stringContaining(why)]);
  expect(config.sendSmtpUrl).toBe("smtp://relay.acme.net");
});

test("the web address is only taken under that address, because others are refused afterwards", async () => {
  const { ask, base, config } = await worldWithOperator();
  for (const value of ["https://assay.acme.net", `${base}/path`, base.replace("//", "//ann:x@")])
    expect((await ask("PATCH", baseUrl, { value })).json).toMatchObject({ error: "invalid_url", field: "value" });
  expect((await ask("PATCH", baseUrl, { value: "assay.acme.net" })).json.error).toBe("invalid_request");
  expect(config.baseUrl).toBeNull();
  expect((await ask("PATCH", baseUrl, { value: `${base}/` })).json).toMatchObject({ value: base, source: "saved" });
  expect((await ask("PATCH", baseUrl, { value: null })).json.source).toBe("default");
});

test("the web address stays if a proxy's pages over HTTPS would not be known as ours without it", async () => {
  const { ask, config } = await worldWithOperator({ trustedProxies: ["127.0.0.1/32"] });
  const [host, page] = ["assay.acme.net", "https://assay.acme.net"];
  const change = async (value: string | null, headers = {}) =>
    (await ask("PATCH", baseUrl, { value }, { "x-forwarded-host": host, ...headers })).json;
  expect(await change(page)).toMatchObject({ value: page });
  for (const value of ["http://assay.acme.net", null, " "])
    expect(await change(value, { origin: page })).toMatchObject({
      error: "invalid_url",
      field: "value",
      message: expect.stringContaining(`its own pages at ${page}`),
    });
  expect(config.baseUrl).toBe(page);
  expect(await change(page, { origin: page })).toMatchObject({ value: page });
  expect(await change(null, { origin: page, "x-forwarded-proto": "https" })).toMatchObject({ source: "default" });
});

test("new seed inboxes use the first of the changed seed domains, and a long list is refused", async () => {
  const { ask, config } = await worldWithOperator();
  const value = `new.acme.net,${config.seedDomains.join(",")}`;
  expect((await ask("PATCH", seedDomains, { value })).json).toMatchObject({ value, source: "saved" });
  expect((await ask("POST", "/api/seed-inboxes", {})).json).toMatchObject({ domain: "new.acme.net", receives: true });
  const many = Array.from({ length: 201 }, (_, index) => `s${index}.acme.net`).join(",");
  expect((await ask("PATCH", seedDomains, { value: many })).json.message).toContain("at most 200");
  const twice = await ask("PATCH", seedDomains, { value: "new.acme.net,b.acme.net,New.acme.net" });
  expect(twice.json.value).toBe("new.acme.net,b.acme.net");
  for (const wrong of ["no domain", "seed.acme.net,,", "a@seed.acme.net"])
    expect((await ask("PATCH", seedDomains, { value: wrong })).status).toBe(400);
  expect(config.seedDomains[0]).toBe("new.acme.net");
});

test.each([
  ["com", "Domains of others end in com."],
  ["seed.acme.net,co.uk", "Domains of others end in co.uk."],
  ["Gmail.com", "gmail.com is a mailbox domain of Gmail."],
])("%s is refused as a seed domain, because it belongs to others", async (value, why) => {
  const { ask, config } = await worldWithOperator();
  const before = config.seedDomains;
  const { status, json } = await ask("PATCH", seedDomains, { value });
  expect([status, json.field, json.message]).toEqual([400, "value", expect.stringContaining(why)]);
  expect(config.seedDomains).toEqual(before);
});

test("an SMTP address that is entered twice is kept once, or it could not be opened at the next start", async () => {
  const { ask, config } = await worldWithOperator();
  const value = "127.0.0.1:2600,127.0.0.1:2600";
  const { json } = await ask("PATCH", "/api/server-settings/ASSAY_SMTP_LISTEN", { value });
  expect(json.value).toBe("127.0.0.1:2600");
  expect(config.smtpListen).toEqual([{ host: "127.0.0.1", port: 2600 }]);
});

test("a test message goes to the person who asks, in bounds, and says what the mail server said", async () => {
  const outcome = { reply: "250 queued" as string | Error };
  const deliver = async () => {
    if (outcome.reply instanceof Error) throw outcome.reply;
    return outcome.reply;
  };
  const world = await startHttpWorld({ road: { transport: "relay", deliver, close() {} } });
  const { id: workspace } = await world.createWorkspace("First");
  const { cookie, email } = await world.addPerson(workspace, "owner");
  const { token } = await world.issueToken(workspace);
  const post = (path: string, body: object) => world.ask("POST", path, { cookie, workspace, body });
  const test = () => post("/api/server-email/test", {});
  expect((await test()).json).toMatchObject({ error: "email_not_configured" });
  const change = (path: string, value: string) => world.ask("PATCH", path, { token, workspace, body: { value } });
  await change(baseUrl, world.base);
  await change("/api/server-settings/ASSAY_ALERT_FROM", "Assay <alerts@acme.net>");
  const noOne = await world.ask("POST", "/api/server-email/test", { token, workspace, body: {} });
  expect(noOne.json.message).toContain("belongs to no person");
  outcome.reply = new TransportFailure("The relay could not be reached.");
  // What doesn't arrive isn't counted.
  for (let n = 0; n < 6; n++)
    expect((await test()).json).toMatchObject({ delivered: false, problem: "The relay could not be reached." });
  outcome.reply = "250 queued";
  for (let n = 0; n < 5; n++)
    expect((await test()).json).toEqual({
      delivered: true,
      to: email,
      from: "alerts@acme.net",
      reply: "250 queued",
      problem: null,
    });
  expect((await test()).json.error).toBe("rate_limited");
});
