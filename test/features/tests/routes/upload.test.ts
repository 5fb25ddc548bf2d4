import { createHash, randomBytes } from "node:crypto";
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { toReportMail, zip } from "../../../analyzer/mail/reports/report-mail.ts";
import { dmarcSamples } from "../../../analyzer/mail/reports/samples.ts";
import { type HttpWorld, startHttpWorld } from "../../../http/http-world.ts";

const message = Buffer.from("From: ann@sender.example\r\nSubject: Hi\n\r\n..\0\xff\n", "latin1");
const rfc822 = { "content-type": "message/rfc822" };

async function worldWithCaller() {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const upload = (query: string, body: unknown = message, headers: Record<string, string> = rfc822) =>
    world.ask("POST", `/api/tests/upload${query}`, { token, workspace, body, headers });
  return { ...world, workspace, token, upload };
}

describe("POST /api/tests/upload", () => {
  test("POST /api/tests/upload creates a test from the exact bytes, and starts the analysis", async () => {
    const { ask, upload, token, workspace, base, kicks } = await worldWithCaller();
    const { status, json } = await upload("");
    expect(status).toBe(201);
    expect(json).toMatchObject({ status: "received", to: [], label: null, size_bytes: message.length });
    expect(kicks.count).toBe(1);
    expect((await ask("GET", "/api/tests", { token, workspace })).json.items).toMatchObject([{ id: json.id }]);
    const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
    const raw = await fetch(`${base}/api/tests/${json.id}/raw`, { headers });
    expect(Buffer.compare(Buffer.from(await raw.arrayBuffer()), message)).toBe(0);
  });

  test("POST /api/tests/upload shows the claimed session, and assumes nothing else", async () => {
    const { upload } = await worldWithCaller();
    const claimed = "?ip=2001:DB8::1&helo=mail.sender.example&mail_from=ann@sender.example&label=by+hand";
    expect((await upload(claimed)).json).toMatchObject({
      label: "by hand",
      transport: {
        source: "claimed",
        client_address: "2001:db8::1",
        helo: "mail.sender.example",
        mail_from: "ann@sender.example",
        pipelining: false,
        connected_at: null,
      },
    });
    const silent = { client_address: null, helo: null, mail_from: null };
    expect((await upload("")).json.transport).toMatchObject(silent);
    expect((await upload("?mail_from=")).json.transport).toMatchObject({ ...silent, mail_from: "" });
  });

  test.each([
    ["?ip=300.1.1.1", "invalid_request", "ip"],
    ["?ip=example.com", "invalid_request", "ip"],
    ["?helo=a%20b", "invalid_request", "helo"],
    ["?helo=a%0d%0ab", "invalid_request", "helo"],
    ["?mail_from=nobody", "invalid_email", "mail_from"],
    ["?mail_from=a@b%0d%0a", "invalid_email", "mail_from"],
    [`?mail_from=${"a".repeat(400)}@b`, "invalid_email", "mail_from"],
    [`?label=${"x".repeat(201)}`, "invalid_request", "label"],
    ["?label=ci%0d%0aX%3a+y", "invalid_request", "label"],
    ["?received_at=2100-01-01T00:00:00Z", "invalid_request", "received_at"],
    ["?received_at=1980-01-01T00:00:00Z", "invalid_request", "received_at"],
    ["?nope=1", "invalid_request", "nope"],
  ])("POST /api/tests/upload rejects %.40s as %s", async (query, error, field) => {
    const { upload, kicks } = await worldWithCaller();
    expect((await upload(query)).json).toMatchObject({ error, field });
    expect(kicks.count).toBe(0);
  });

  const inForm = (parts: readonly string[], boundary = "xyz") =>
    `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`;
  const aPart = (content: string, headers = 'Content-Disposition: form-data; name="file"; filename="a.eml"') =>
    `${headers}\r\n\r\n${content}`;
  const form = { "content-type": "multipart/form-data; boundary=xyz" };

  test("POST /api/tests/upload accepts the file of a form, as curl -F and fetch send it", async () => {
    const { ask, token, workspace, base } = await worldWithCaller();
    const body = new FormData();
    body.append("file", new File([message], "a.eml", { type: "message/rfc822" }));
    const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
    const sent = await fetch(`${base}/api/tests/upload?label=ci`, { method: "POST", headers, body });
    const { id, label } = (await sent.json()) as { id: string; label: string };
    expect([sent.status, label]).toEqual([201, "ci"]);
    const raw = await fetch(`${base}/api/tests/${id}/raw`, { headers });
    expect(Buffer.compare(Buffer.from(await raw.arrayBuffer()), message)).toBe(0);
    expect((await ask("GET", "/api/tests", { token, workspace })).json.total).toBe(1);
  });

  test("POST /api/tests/upload keeps lines of a form's file that look like its boundary", async () => {
    const { upload } = await worldWithCaller();
    const content = "Subject: b\r\n\r\n--xy\r\n--xyza\r\n--xyz\n";
    const { json } = await upload("", Buffer.from(inForm([aPart(content)])), form);
    expect(json).toMatchObject({ size_bytes: content.length });
  });

  test.each([
    ["two files", inForm([aPart("A: b\r\n\r\n"), aPart("A: b\r\n\r\n")]), "as one file"],
    [
      "another field",
      inForm([aPart("A: b\r\n\r\n"), aPart("ci", 'Content-Disposition: form-data; name="label"')]),
      "?label=ci",
    ],
    ["no file", inForm([]), "broken"],
    ["no end", inForm([aPart("A: b\r\n\r\n")]).slice(0, -8), "broken"],
    ["another boundary", inForm([aPart("A: b\r\n\r\n")], "abc"), "broken"],
    ["endless headers", inForm([aPart("A: b\r\n\r\n", `X: ${"x".repeat(9_000)}`)]), "broken"],
    ["an encoding", inForm([aPart("QTogYg==", "Content-Transfer-Encoding: base64")]), "Content-Transfer-Encoding"],
    ["an empty file", inForm([aPart("")]), "empty"],
  ])("POST /api/tests/upload rejects a form with %s", async (_what, body, says) => {
    const { upload, kicks } = await worldWithCaller();
    const { status, json } = await upload("", Buffer.from(body), form);
    expect([status, json.error]).toEqual([400, "invalid_request"]);
    expect(json.message).toContain(says);
    expect(kicks.count).toBe(0);
    const nameless = { "content-type": "multipart/form-data" };
    expect((await upload("", Buffer.from(body), nameless)).json.message).toContain("boundary");
  });

  test("POST /api/tests/upload accepts only uncompressed message/rfc822", async () => {
    const { upload } = await worldWithCaller();
    for (const type of ["application/json", "text/plain", "message/rfc822x"])
      expect((await upload("", message, { "content-type": type })).json.error).toBe("unsupported_media_type");
    expect((await upload("", message, { ...rfc822, "content-encoding": "gzip" })).status).toBe(415);
    expect((await upload("", message, { "content-type": "Message/RFC822; charset=x" })).status).toBe(201);
  });

  test.each([
    ["a sentence", "hello this is not a mail", "does not look like a message source"],
    ["an Outlook file", Buffer.from("d0cf11e0a1b11ae1", "hex"), ".msg"],
  ])(
    "POST /api/tests/upload rejects input that is not a message with a helpful text: %s",
    async (_what, body, says) => {
      const { upload } = await worldWithCaller();
      const { status, json } = await upload("", body);
      expect([status, json.error]).toEqual([400, "invalid_request"]);
      expect(json.message).toContain(says);
    },
  );

  const xml = dmarcSamples[0]?.content.toString() ?? "";
  const twoReports = [1, 2].map((number) => ({ name: `${number}.xml`, content: xml.replace("4711", `${number}711`) }));
  const ofGoogle = "DMARC report of google.com about shop.example: 12 messages, 12 failed.";

  test.each([
    ["XML", Buffer.from(xml), [ofGoogle]],
    ["XML in UTF-16", Buffer.from(`\ufeff${xml}`, "utf16le"), [ofGoogle]],
    ["gzip", gzipSync(xml), [ofGoogle]],
    ["a ZIP archive", zip(twoReports), [ofGoogle, ofGoogle]],
    ["a message", toReportMail(gzipSync(xml)), [ofGoogle]],
  ])(
    "POST /api/tests/upload takes reports as %s, says what they are, and lists them unauthenticated",
    async (_, body, says) => {
      const { upload, analyzeAll, ask, token, workspace } = await worldWithCaller();
      const { status, json } = await upload("", body);
      expect([status, json.not_a_test]).toEqual([201, { kind: "report", says }]);
      await analyzeAll();
      const { items } = (await ask("GET", "/api/reports", { token, workspace })).json;
      expect(items).toEqual(
        says.map(() => expect.objectContaining({ domain: "shop.example", counted: true, authenticated: false })),
      );
      expect((await ask("GET", "/api/tests", { token, workspace })).json.items).toEqual([]);
    },
  );

  test.each([
    ["Report Domain: shop.example", true],
    ["Fwd: Report Domain: shop.example", false],
  ])("a report with the subject %j has an authenticated sender: %s", async (subject, authenticated) => {
    const { upload, internet, analyzeAll, ask, token, workspace } = await worldWithCaller();
    internet.zone = { "provider.example": { TXT: ["v=spf1 ip4:192.0.2.9 -all"] } };
    await upload(
      "?ip=192.0.2.9&mail_from=r@provider.example",
      toReportMail(gzipSync(xml), { head: `Subject: ${subject}` }),
    );
    await analyzeAll();
    const { items } = (await ask("GET", "/api/reports", { token, workspace })).json;
    expect(items).toMatchObject([{ senderDomain: "provider.example", authenticated }]);
  });

  test("POST /api/tests/upload says at once that a message is an automatic reply", async () => {
    const { upload } = await worldWithCaller();
    const { json } = await upload(
      "",
      "From: a@b.example\r\nSubject: Away\r\nAuto-Submitted: auto-replied\r\n\r\nHi.\r\n",
    );
    expect(json.not_a_test).toEqual({ kind: "auto-reply", says: ["This is an automatic reply, not a test."] });
  });

  test.each([
    ["an archive of something else", zip([{ name: "a.txt", content: "Hi." }])],
    ["a damaged archive", gzipSync(xml).subarray(0, 100)],
    ["a bomb", gzipSync(Buffer.alloc(64 * 1024 * 1024, " "))],
    ["XML that is no report", Buffer.from("<?xml version='1.0'?><feedback>Great!</feedback>")],
  ])("POST /api/tests/upload rejects %s, and keeps nothing", async (_, body) => {
    const { upload, kicks } = await worldWithCaller();
    const { status, json } = await upload("", body);
    expect([status, json.error]).toEqual([400, "invalid_request"]);
    expect(json.message).toContain("contains no DMARC or TLS report");
    expect(kicks.count).toBe(0);
  });

  test("POST /api/tests/upload accepts the first message of an mbox file", async () => {
    const { upload } = await worldWithCaller();
    const mbox = Buffer.concat([
      Buffer.from("From ann Mon Jun  3 10:00:00 2024\n"),
      message,
      Buffer.from("\n\nFrom bob Mon Jun  3 10:00:00 2024\nA: b\n"),
    ]);
    expect((await upload("", mbox)).json).toMatchObject({ size_bytes: message.length + 1 });
  });

  test("POST /api/tests/upload rejects an empty message, and one over the size limit", async () => {
    const { upload } = await worldWithCaller();
    expect((await upload("", Buffer.alloc(0))).json.error).toBe("invalid_request");
    expect((await upload("", longMessage(100_000))).status).toBe(201);
    const { status, json } = await upload("", longMessage(100_001));
    expect([status, json.error]).toEqual([413, "payload_too_large"]);
    const upTo = async (bytes: number) =>
      (await upload("", Buffer.from(inForm([aPart(longMessage(bytes).toString("latin1"))])), form)).status;
    expect([await upTo(100_000), await upTo(100_001), await upTo(200_000)]).toEqual([201, 413, 413]);
  });

  test("POST /api/tests/upload accepts a chunked body within the same limit", async () => {
    const world = await worldWithCaller();
    const bytes = Buffer.concat([Buffer.from("Subject: x\r\n\r\n"), randomBytes(89_986)]);
    const { status, json } = await uploadInChunks(world, bytes);
    expect([status, json.size_bytes]).toEqual([201, 90_000]);
    const raw = await world.store.read.selectFrom("raw_messages").select("bytes").executeTakeFirstOrThrow();
    expect(sha256(raw.bytes)).toBe(sha256(bytes));
    expect((await uploadInChunks(world, randomBytes(150_000))).status).toBe(413);
  });

  test("POST /api/tests/upload asks the client to retry while the disk is full or there are too many uploads", async () => {
    const world = await worldWithCaller();
    world.intakeRoom.has = false;
    const full = await world.upload("");
    expect([full.status, full.json.error, full.headers.get("retry-after")]).toEqual([503, "overloaded", "5"]);
    world.intakeRoom.has = true;
    const slow = Array.from({ length: 4 }, () => beginUpload(world));
    await Promise.all(slow.map(({ begun }) => begun));
    await expect.poll(async () => (await world.upload("")).status).toBe(503);
    for (const { finish } of slow) finish();
    for (const { answer } of slow) expect((await answer).status).toBe(201);
    expect((await world.upload("")).status).toBe(201);
  });

  test("POST /api/tests/upload no longer counts an aborted upload", async () => {
    const world = await worldWithCaller();
    const cut = Array.from({ length: 4 }, () => beginUpload(world));
    await Promise.all(cut.map(({ begun }) => begun));
    for (const { abort } of cut) abort();
    await expect.poll(async () => (await world.upload("")).status).toBe(201);
  });
});

function longMessage(length: number): Buffer {
  return Buffer.alloc(length, "Subject: x\r\n\r\n");
}

type Caller = Pick<HttpWorld, "base"> & { readonly token: string; readonly workspace: string };

/** The first half of an upload; the rest waits for `finish`. */
function beginUpload({ base, token, workspace }: Caller, whole: Buffer = message) {
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace, ...rfc822 };
  const asking = request(`${base}/api/tests/upload`, { method: "POST", headers });
  const answer = new Promise<{ status: number; json: { size_bytes: number } }>((resolve) => {
    asking.on("response", async (response) => {
      const chunks = await response.toArray();
      resolve({ status: response.statusCode ?? 0, json: JSON.parse(Buffer.concat(chunks).toString()) });
    });
  });
  asking.on("error", () => {});
  const half = Math.floor(whole.length / 2);
  const begun = new Promise<void>((resolve) => asking.write(whole.subarray(0, half), () => resolve()));
  return { begun, answer, finish: () => asking.end(whole.subarray(half)), abort: () => asking.destroy() };
}

async function uploadInChunks(world: Caller, whole: Buffer) {
  const { begun, answer, finish } = beginUpload(world, whole);
  await begun;
  finish();
  return await answer;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
