import { describe, expect, test } from "vitest";
import { removeMembership } from "../../../../src/features/people/rows/memberships.ts";
import { encodeReport } from "../../../../src/features/tests/rows/reports.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { startHttpWorld } from "../../../http/http-world.ts";
import { builtWeb } from "../../../web/web-world.ts";

const dayMs = 86_400_000;

async function sharing(raw?: string) {
  const reads = { messages: 0 };
  const world = await startHttpWorld({
    webFiles: await builtWeb(),
    wrapStore: (store) => ({
      ...store,
      messages: {
        ...store.messages,
        open: (row) => {
          reads.messages += 1;
          return store.messages.open(row);
        },
      },
    }),
  });
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token, row } = await world.issueToken(workspace);
  const access = { token, workspace };
  const id = await world.receive(workspace, "our-own-label", raw === undefined ? undefined : Buffer.from(raw));
  const ask = (method: string, path: string, body?: unknown) => world.ask(method, path, { ...access, body });
  const share = async (body: object = {}) => (await ask("POST", `/api/tests/${id}/shares`, body)).json;
  return { ...world, askAs: world.ask, access, tokenRow: row, id, ask, share, reads };
}

/** As a browser opens it. */
async function open(url: string) {
  const response = await fetch(url, { headers: { accept: "text/html,*/*;q=0.8" } });
  return { status: response.status, headers: response.headers, page: await response.text() };
}

describe("POST /api/tests/:id/shares", () => {
  test("POST /api/tests/:id/shares returns the link once, with its expiry", async () => {
    const { share, id, ask, clock } = await sharing();
    const { url, ...made } = await share();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/s\/[\w-]{43}$/);
    expect(made).toEqual({
      id: expect.stringMatching(/^shr_/),
      testId: id,
      redactBody: false,
      createdBy: null,
      createdAt: new Date(clock.nowMs).toISOString(),
      expiresAt: new Date(clock.nowMs + 30 * dayMs).toISOString(),
    });
    expect((await ask("GET", `/api/tests/${id}/shares`)).json).toEqual({ items: [made] });
  });

  test.each([0, 91, 1.5, "30", null])(
    "POST /api/tests/:id/shares accepts 1 to 90 days, but not %j",
    async (expiresInDays) => {
      const { ask, id } = await sharing();
      const { status, json } = await ask("POST", `/api/tests/${id}/shares`, { expiresInDays });
      expect([status, json.error, json.field]).toEqual([400, "invalid_request", "expiresInDays"]);
    },
  );

  test("POST /api/tests/:id/shares rejects an unknown field by name", async () => {
    const { ask, id } = await sharing();
    const { json } = await ask("POST", `/api/tests/${id}/shares`, { redact_body: true });
    expect(json).toMatchObject({ error: "invalid_request", field: "redact_body" });
  });

  test("POST /api/tests/:id/shares stores only the hash of a link", async () => {
    const { share, store } = await sharing();
    const secret = (await share()).url.slice(-43);
    const rows = await store.read.selectFrom("shares").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test("POST /api/tests/:id/shares creates at most 20 per test, until one of them ends", async () => {
    const { share, ask, id, clock } = await sharing();
    const shares = [];
    for (let count = 0; count < 20; count++) shares.push(await share({ expiresInDays: count === 0 ? 1 : 2 }));
    expect(await ask("POST", `/api/tests/${id}/shares`)).toMatchObject({ status: 409 });
    clock.nowMs += dayMs;
    expect((await share()).url).toBeDefined();
    await ask("DELETE", `/api/shares/${shares[1].id}`);
    expect((await share()).url).toBeDefined();
  });

  test("POST /api/tests/:id/shares does not find an unknown test or a message that is not a test", async () => {
    const { ask } = await sharing();
    for (const method of ["GET", "POST"])
      expect((await ask(method, `/api/tests/tst_${"0".repeat(26)}/shares`)).status).toBe(404);
    expect((await ask("DELETE", `/api/shares/shr_${"0".repeat(26)}`)).status).toBe(404);
  });
});

const aNewsletter = `Received: from mail.sender.example by mx.seed.example for <anyone@seed.example>
Delivered-To: anyone@seed.example
From: "<script>alert(1)</script>" <ann@sender.example>
To: Anyone <anyone@seed.example>, "Bob" <bob@there.example>
Cc: carol@there.example
Reply-To: anyone@seed.example
Subject: Hi <img src=x onerror=alert(2)> anyone@seed.example
List-Unsubscribe: <https://sender.example/u?e=anyone%40seed.example>, <mailto:u+anyone=seed.example@sender.example>
Message-ID: <1.anyone@seed.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/html; charset=utf-8

<p>Dear anyone@seed.example, <a href="https://evil.example/x?u=anyone%40seed.example">https://bank.example/secret-words</a>
<span style="display:none">hidden-words bob@there.example</span><img src="http://track.example/p.gif?e=anyone@seed.example" width="1" height="1" alt="picture-words">
<form action="http://there.example/"><input></form></p>
--b
Content-Type: application/octet-stream
Content-Disposition: attachment; filename="payroll-name.pdf.exe"

MZ
--b--
`.replaceAll("\n", "\r\n");

describe("the shared page", () => {
  test("the shared page shows the score, results, findings with reason, standard, and fix, placement, and areas", async () => {
    const { share, analyzeAll, internet } = await sharing();
    internet.zone = { "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] } };
    await analyzeAll();
    const { page, status } = await open((await share()).url);
    expect(status).toBe(200);
    for (const words of ["of 100", "SPF</b> pass", "Why?", "rfc-editor.org", "Gmail", "Predicted", "Message format"])
      expect(page).toContain(words);
    expect(page).not.toContain("Rendering");
  });

  test.each([true, false])(
    "the shared page shows no recipient, session, source, or attachment (redactBody %s)",
    async (redactBody) => {
      const { share, analyzeAll, id, access } = await sharing(aNewsletter);
      await analyzeAll();
      const { url } = await share({ redactBody });
      const page = (await open(url)).page + (await open(`${url}/message`)).page;
      expect(page).toContain("issues to fix");
      for (const secret of [
        "anyone@",
        "anyone%40",
        "anyone=",
        "bob@",
        "carol@",
        "payroll-name",
        "our-own-label",
        "RCPT",
        "Delivered-To:",
        "Content-Disposition",
        id,
        access.workspace,
        access.token,
      ])
        expect(page).not.toContain(secret);
    },
  );

  test("the shared page runs and loads nothing from the message", async () => {
    const { share, analyzeAll } = await sharing(aNewsletter);
    await analyzeAll();
    const { page, headers } = await open((await share()).url);
    expect(page).not.toMatch(/<(script|img|form|link|object)\b/i);
    expect(page.match(/<iframe[^>]*>/g)).toEqual([
      expect.stringMatching(/ sandbox(?:="")? .*src="\/s\/[\w-]{43}\/message"/),
    ]);
    expect(page).toContain("&lt;img src=x onerror=alert(2)>");
    expect(page).not.toMatch(/<[^>]*\s(on\w+|style)=/);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; frame-ancestors 'none'/);
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("frame-src 'self'");
  });

  test("the shared page with redactBody shows nothing from the body", async () => {
    const { share, analyzeAll } = await sharing(aNewsletter);
    await analyzeAll();
    const whole = (await open((await share()).url)).page;
    const redacted = (await open((await share({ redactBody: true })).url)).page;
    expect(whole).toMatch(/bank\.example|evil\.example/);
    for (const words of [
      "bank.example",
      "evil.example",
      "track.example",
      "there.example",
      "hidden-words",
      "picture-words",
    ])
      expect(redacted).not.toContain(words);
    expect(redacted).toContain("issues to fix");
    expect(redacted).toContain("The message is left out of this shared report.");
    expect(redacted).not.toContain("<iframe");
  });

  test("the shared page is not cached and not indexed", async () => {
    const { share } = await sharing();
    const { headers } = await open((await share()).url);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-robots-tag")).toContain("noindex");
  });

  test("the shared page says if there is no report yet, or none that this version can read", async () => {
    const { share, analyzeAll, store } = await sharing();
    const { url } = await share();
    expect((await open(url)).page).toContain("No report for this message yet.");
    await analyzeAll();
    const report = encodeReport("{}");
    await store.write((db) => db.updateTable("reports").set({ report }).execute());
    expect((await open(url)).page).toContain("No report for this message yet.");
  });
});

describe("the message of a shared page", () => {
  test("the message of a shared page is its text with numbered issues, masked, without links and remote images", async () => {
    const { share, analyzeAll } = await sharing(aNewsletter);
    await analyzeAll();
    const { page, status } = await open(`${(await share()).url}/message`);
    expect(status).toBe(200);
    expect(page).toContain("Dear [hidden], <a");
    expect(page).toContain(">https://bank.example/…</a>");
    expect(page).toMatch(/data-pin="\d+(?: \d+)*"/);
    expect(page).not.toMatch(/ href="| src="|track\.example|evil\.example/);
  });

  test("the message of a shared page has no rights, and is neither cached nor indexed", async () => {
    const { share, analyzeAll } = await sharing(aNewsletter);
    await analyzeAll();
    const { headers } = await open(`${(await share()).url}/message`);
    expect(headers.get("content-security-policy")).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'",
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-robots-tag")).toContain("noindex");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  test.each([
    ["spread over elements", "bob@<b>there.example</b>"],
    ["around a possible line break", "bob@<wbr>there.example"],
    ["around a comment", "bob<!-- x -->@there.example"],
    ["around hidden text", 'bob<i style="display:none">by</i>@there.example'],
    ["around an image", 'bob<img alt="x">@there.example'],
    ["in two alt texts", '<img alt="bob@"><img width="9" alt="there.example">'],
    ["in a text and an alt text", 'bob@<img alt="there.example">'],
    ["spread, with invisible characters", "b&#8203;ob<b>@there&shy;.example</b>"],
    ["backwards", '<bdo dir="rtl">elpmaxe.ereht@bob</bdo>'],
    ["backwards by a style", '<i style="unicode-bidi:bidi-override;direction:rtl">elpmaxe.ereht@bob</i>'],
  ])("the message of a shared page is left out if it contains a recipient's address %s", async (_how, address) => {
    const { share, analyzeAll } = await sharing(aNewsletter.replace("Dear anyone", `${address} anyone`));
    await analyzeAll();
    const { page } = await open(`${(await share()).url}/message`);
    expect(page).toContain("This message is left out");
    expect(page).not.toMatch(/there|ereht/);
  });

  test.each([
    ["invisible characters", "bob&#8203;@there.example"],
    ["invisible characters in a title", '<i title="b&#8203;ob@there.&shy;example">one</i>'],
    ["invisible characters in a label", '<i aria-label="bob&#8288;@there.example">one</i>'],
    [
      "styles",
      `<style>i{font-family:'bob@there.example'}</style><ul style="list-style:'bob@there.example'"><li>one</ul>`,
    ],
    ["wide characters", "bob＠there.example"],
    ["wide characters in an alt text", '<img alt="ｂｏｂ@there.example">'],
  ])("the message of a shared page masks a recipient's address with %s", async (_how, address) => {
    const { share, analyzeAll } = await sharing(aNewsletter.replace("Dear anyone", `${address} Dear anyone`));
    await analyzeAll();
    const { page } = await open(`${(await share()).url}/message`);
    expect(page).toContain("[hidden]");
    expect(page).toContain("Dear");
    expect(page).not.toMatch(/there\b/);
  });

  test("the message of a shared page is read once for the page and its frame, and again after a new analysis", async () => {
    const { share, analyzeAll, reads, ask, id, clock } = await sharing(aNewsletter);
    await analyzeAll();
    const { url } = await share();
    reads.messages = 0;
    await open(url);
    expect((await open(`${url}/message`)).page).toContain("Dear [hidden], <a");
    expect(reads.messages).toBe(1);
    await open(url);
    clock.nowMs += 1_000;
    await ask("POST", `/api/tests/${id}/reanalyze`);
    reads.messages = 0;
    await open(`${url}/message`);
    expect(reads.messages).toBe(1);
  });

  test("the message of a shared page isn't left out because of a text after a link", async () => {
    const words = 'https://shop.example/sale<b>:Look</b> <img alt="one @"><img alt="two"> any<wbr>thing';
    const { share, analyzeAll } = await sharing(aNewsletter.replace("Dear anyone", `${words} Dear anyone`));
    await analyzeAll();
    const { page } = await open(`${(await share()).url}/message`);
    expect(page).toContain("Dear [hidden], <a");
    expect(page).toContain("any<wbr>thing");
  });

  test("the message of a shared page masks plain text, and numbers its issues", async () => {
    const head = ["From: ann@sender.example", "To: bob@there.example", "Subject: Hi {{name}}", "", ""].join("\r\n");
    const { share, analyzeAll } = await sharing(`${head}Dear {{first_name}}, you are bob@there.example.\r\n`);
    await analyzeAll();
    const { page } = await open(`${(await share()).url}/message`);
    expect(page).toMatch(/Dear <span data-pin="\d+">\{\{first_name\}\}<\/span>, you are \[hidden\]\./);
  });

  test("the message of a shared page can't be opened if the share leaves out the body or has ended", async () => {
    const { share, analyzeAll, clock } = await sharing(aNewsletter);
    await analyzeAll();
    const [{ url }, redacted] = [await share(), await share({ redactBody: true })];
    const refused = { status: 400, page: expect.stringContaining("invalid_link") };
    expect(await open(`${redacted.url}/message`)).toMatchObject(refused);
    clock.nowMs += 30 * dayMs;
    expect(await open(`${url}/message`)).toMatchObject(refused);
  });
});

describe("a pasted link", () => {
  const cardOf = (page: string) =>
    Object.fromEntries(
      [...page.matchAll(/<meta property="([\w:]+)" content="([^"]*)">/g)].map(([, name, content]) => [name, content]),
    );

  test("a pasted link shows the result, the first causes, and the sender's domain", async () => {
    const { share, analyzeAll } = await sharing(aNewsletter);
    await analyzeAll();
    const { page } = await open((await share()).url);
    const card = cardOf(page);
    expect(card["og:title"]).toMatch(/of 100.* issues/);
    expect(card["og:description"]).toMatch(/^\w.*\. Sent from sender\.example\.$/);
    expect(JSON.stringify(card)).not.toMatch(/anyone|there\.example|ann@/);
    expect(page).toContain('<meta name="robots" content="noindex, nofollow">');
  });

  test("a pasted link that is invalid shows nothing of a report", async () => {
    const { base } = await sharing();
    const card = cardOf((await open(`${base}/s/${"A".repeat(43)}`)).page);
    expect(card).toEqual({
      "og:description": "Email deliverability report",
      "og:title": "Report not available",
      "twitter:card": "summary",
    });
  });
});

describe("a share ends", () => {
  const anUnknown = `/s/${"A".repeat(43)}`;

  test.each<[string, (world: Awaited<ReturnType<typeof sharing>>, shareId: string) => unknown]>([
    ["automatically", ({ clock }) => (clock.nowMs += 30 * dayMs)],
    ["when a user ends it", ({ ask }, shareId) => ask("DELETE", `/api/shares/${shareId}`)],
    ["with its test", ({ ask, id }) => ask("DELETE", `/api/tests/${id}`)],
    [
      "with the workspace",
      ({ store, access }) =>
        store.write((db) => db.deleteFrom("workspaces").where("id", "=", access.workspace).execute()),
    ],
  ])("a share ends %s, and then looks like an unknown one", async (_how, end) => {
    const world = await sharing();
    const { url, id } = await world.share();
    expect((await open(url)).status).toBe(200);
    await end(world, id);
    const ended = await open(url);
    const unknown = await open(world.base + anUnknown);
    expect(ended.status).toBe(400);
    expect(ended.page).toBe(unknown.page);
    expect([...ended.headers.keys()]).toEqual([...unknown.headers.keys()]);
  });

  test("a share ends with its creator's membership, unlike another member's", async () => {
    const { store, access, id, addPerson, ...world } = await sharing();
    const urls: string[] = [];
    const ids: string[] = [];
    for (const name of ["Ann", "Bob"]) {
      const person = await addPerson(access.workspace, "member", name);
      ids.push(person.id);
      const asked = { headers: { cookie: person.cookie, origin: world.base }, workspace: access.workspace };
      const { json } = await world.askAs("POST", `/api/tests/${id}/shares`, asked);
      expect(json.createdBy).toBe(person.id);
      urls.push(json.url);
    }
    await store.write((db) => removeMembership(inWorkspace(db, access.workspace), ids[0] ?? ""));
    expect(await Promise.all(urls.map(async (url) => (await open(url)).status))).toEqual([400, 200]);
  });

  test("an ended share is an error in the usual form for API clients", async () => {
    const { ask } = await sharing();
    for (const path of [anUnknown, "/s/x", `/s/${createId("share", 1, Buffer.alloc(16))}`])
      expect((await ask("GET", path)).json).toMatchObject({ error: "invalid_link" });
  });
});
