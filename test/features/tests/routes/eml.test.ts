import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { JobOutcome, JobThread } from "../../../../src/features/tests/analysis/job-thread.ts";
import { base64, letter, multipart, ordinaryHead, part } from "../../../analyzer/mail/letter.ts";
import { aBounce } from "../../../http/arrivals.ts";
import { type HttpWorldOptions, startHttpWorld } from "../../../http/http-world.ts";

async function worldWith(raw?: Buffer, options: HttpWorldOptions = {}) {
  const world = await startHttpWorld(options);
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const id = await world.receive(workspace, null, raw);
  const as = { token, workspace };
  const ask = (path: string, asked = as) => world.ask("GET", path.replace(":id", id), asked);
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
  return {
    ...world,
    as,
    ask,
    eml: async () => (await ask("/api/tests/:id/eml")).json,
    preview: async (query = "") => (await ask(`/preview/:id${query}`)).text,
    download: async (path: string) => {
      const answer = await fetch(`${world.base}/api/tests/${id}/attachments/${path}`, { headers });
      return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
    },
  };
}

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const archive = Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7_919) % 256));

const html = `<!doctype html><html><head><title>x</title><script>pwn()</script>
<style>@import url(https://evil.example/i.css); .b{background:url(https://img.sender.example/bg.png)} .t{background:url(https://u1.ct.sendgrid.net/wf/open?upn=u001.bg)} p{color:#336699}</style>
<meta http-equiv="refresh" content="0;url=https://evil.example/"><base href="https://evil.example/"></head>
<body onload="pwn()" bgcolor="#ffeecc"><h1 class="b t" onclick="pwn()">Grüße</h1>
<img src="cid:logo@x" alt="Logo"><img src="https://img.sender.example/a.png" width="300" height="200" alt="Shoe">
<img src="http://img.sender.example/plain.png" alt="plain">
<form action="https://evil.example/"><input name="p"><button>Go</button></form><iframe src="https://evil.example/"></iframe>
<svg onload="pwn()"><script>pwn()</script></svg><a href="javascript:pwn()">bad</a>
<a href="https://shop.sender.example/">Shop</a>
<a href="https://www.google.com/url?q=https://evil.example/x">Offer</a>
<img src="https://u1.ct.sendgrid.net/wf/open?upn=u001.abc" width="1" height="1" alt="">
</body></html>`;

const file = (headers: readonly string[], content: string | Uint8Array) =>
  part([...headers, "Content-Transfer-Encoding: base64"], base64(content));

const newsletter = letter(
  ...ordinaryHead,
  multipart(
    "mixed",
    "m",
    multipart(
      "related",
      "r",
      multipart(
        "alternative",
        "a",
        part(["Content-Type: text/plain; charset=utf-8"], "See https://text.example/x."),
        file(["Content-Type: text/html; charset=utf-8"], Buffer.from(html)),
      ),
      file(["Content-Type: image/png", "Content-ID: <logo@x>", "Content-Disposition: inline"], png),
    ),
    file(["Content-Type: application/zip; name=stock.zip"], archive),
  ),
);

describe("GET /api/tests/:id/eml", () => {
  test("GET /api/tests/:id/eml shows the whole message before it is analyzed", async () => {
    const json = await (await worldWith(newsletter)).eml();
    expect(json.headers[3]).toEqual({ name: "Subject", value: "Hello" });
    expect(json.body).toMatchObject({
      text: "See https://text.example/x.",
      html,
      text_cut: false,
      html_cut: false,
      html_safe_cut: false,
    });
    expect(json.attachments).toMatchObject([
      { part: "1.2", content_type: "image/png", actual_type: "image/png", cid: "logo@x", size_bytes: 16 },
      { part: "2", filename: "stock.zip", content_type: "application/zip", sha256: sha256(archive) },
    ]);
    expect(json.images.map(({ kind, alt, bytes }: never) => [kind, alt, bytes]).slice(0, 4)).toEqual([
      ["cid", "Logo", 16],
      ["remote", "Shoe", null],
      ["remote", "plain", null],
      ["remote", "", null],
    ]);
    expect(json.tracking_pixels[0]).toMatchObject({ host: "u1.ct.sendgrid.net", service: "SendGrid" });
    expect(json.links.map(({ host }: never) => host)).toEqual([
      null,
      "shop.sender.example",
      "www.google.com",
      "text.example",
    ]);
    expect(json.links[2].redirector).toEqual({ name: "Google", target: "https://evil.example/x" });
    expect(json).toMatchObject({ images_cut: 0, links_cut: 0 });
  });

  test("GET /api/tests/:id/eml shows the size of the HTML, and the text that inboxes show after the subject", async () => {
    const page = (body: string) =>
      worldWith(letter(...ordinaryHead, "Content-Type: text/html; charset=utf-8", "", body));
    const hidden = '<div style="display:none">Until Sunday.</div>';
    const padding = `<div style="display:none">${"&#847;&zwnj;&nbsp;".repeat(40)}</div>`;
    const padded = await (await page(`${hidden}${padding}<p>Dear Ann</p>`)).eml();
    expect(padded).toMatchObject({ preview: "Until Sunday." });
    expect(padded.body.html_bytes).toBe(Buffer.byteLength(padded.body.html));
    expect((await (await page(`${hidden}<p>Dear Ann</p>`)).eml()).preview).toBe("Until Sunday. Dear Ann");
    const plain = await (await worldWith(letter(...ordinaryHead, "", "Hi,\r\n\r\nAnn."))).eml();
    expect(plain).toMatchObject({ preview: "Hi, Ann.", body: { html_bytes: null } });
    expect((await (await worldWith(Buffer.from(""))).eml()).preview).toBeNull();
  });

  test("GET /api/tests/:id/eml shows which email clients support the HTML features, and none for plain text", async () => {
    const page = `<p style="border-radius:4px">a</p><div style="display:flex"><p>b</p><p>c</p></div>`;
    const { client_support: support } = await (
      await worldWith(letter(...ordinaryHead, "Content-Type: text/html", "", page))
    ).eml();
    expect(support.features.map(({ name }: { name: string }) => name)).toEqual(["display:flex", "border-radius"]);
    const outlook = support.programs.findIndex(({ name }: { name: string }) => name === "Outlook for Windows");
    expect(support.features[0].standings[outlook]).toBe("missing");
    expect(support.features[0].standings).toHaveLength(support.programs.length);
    expect((await (await worldWith(Buffer.from("Subject: A text\r\n\r\nHi."))).eml()).client_support).toBeNull();
  });

  test("GET /api/tests/:id/eml returns HTML that runs nothing and loads nothing except embedded images", async () => {
    const { html_safe } = (await (await worldWith(newsletter)).eml()).body;
    expect(html_safe).toContain(`src="data:image/png;base64,${png.toString("base64")}"`);
    expect(html_safe).toContain("Grüße");
    expect(html_safe).not.toMatch(/pwn|<script|<form|<iframe|<svg|<base|<meta|onload|onclick|javascript:/);
    expect(html_safe).not.toMatch(/src="(?!data:)|url\(/);
  });

  test("GET /api/tests/:id/eml reads a message without HTML, an empty one, and one with the largest body", async () => {
    const plain = await worldWith(letter(...ordinaryHead, "", "Hi."));
    expect(await plain.eml()).toMatchObject({ body: { text: "Hi.", html: null, html_safe: null }, links: [] });
    const bare = await worldWith(Buffer.from(""));
    expect(await bare.eml()).toMatchObject({ headers: [], attachments: [] });
    const long = letter(...ordinaryHead, "Content-Type: text/html", "", "<p>x</p>".repeat(200_000));
    expect((await (await worldWith(long)).eml()).body).toMatchObject({ html_cut: true, html_safe_cut: true });
  });
});

describe("GET /preview/:id", () => {
  test("GET /preview/:id is a page with exactly the sandbox policy", async () => {
    const { ask } = await worldWith(newsletter);
    const { headers } = await ask("/preview/:id");
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'",
    );
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-frame-options")).toBeNull();
    const withImages = (await ask("/preview/:id?images=1")).headers.get("content-security-policy");
    expect(withImages).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; form-action 'none'; frame-ancestors 'self'",
    );
    expect((await ask("/preview/:id?images=0")).status).toBe(200);
    expect((await ask("/preview/:id?images=yes")).json).toMatchObject({ field: "images" });
  });

  test("GET /preview/:id?pins=1 names the findings of each element, in a frame of our origin that still runs nothing", async () => {
    const { ask, preview, analyzeAll } = await worldWith(newsletter);
    expect(await preview("?pins=1")).not.toContain("data-pin");
    await analyzeAll();
    const page = await preview("?pins=1");
    expect(page).toMatch(/<a [^>]*data-pin="link-redirector.open[^"]*">Offer</);
    expect(page).toMatch(/<img [^>]*data-pin="tracking.found">/);
    expect(page.replace(/ data-pin="[^"]*"/g, "")).toBe(await preview());
    expect((await ask("/preview/:id?pins=1")).headers.get("content-security-policy")).toBe(
      "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'",
    );
    expect((await ask("/preview/:id?pins=yes")).json).toMatchObject({ field: "pins" });
  });

  test("GET /preview/:id?pins=1 names the findings of words and addresses in plain text", async () => {
    const { preview, analyzeAll } = await worldWith(
      letter(...ordinaryHead, "", "Hi {{first_name}}, see http://a.example/x."),
    );
    await analyzeAll();
    const page = await preview("?pins=1");
    expect(page).toContain('<span data-pin="placeholders.left-over">{{first_name}}</span>');
    expect(page).toMatch(/<a data-pin="[^"]*link-scheme.plain[^"]*">http:\/\/a.example\/x<\/a>\./);
  });

  test("GET /preview/:id shows the message's own page, and loads nothing external", async () => {
    const page = await (await worldWith(newsletter)).preview();
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain("<title>Hello</title>");
    expect(page).toContain("background-color:#ffeecc");
    expect(page).toContain("data:image/png;base64,");
    expect(page).not.toMatch(/pwn|<script|<form|<iframe|<svg|<base|http-equiv|src="(?!data:)|url\(/);
  });

  test("GET /preview/:id loads images over https on request, but no tracking pixels", async () => {
    const page = await (await worldWith(newsletter)).preview("?images=1");
    expect(page).toContain('src="https://img.sender.example/a.png"');
    expect(page).toContain('url("https://img.sender.example/bg.png")');
    expect(page).not.toMatch(/http:\/\/|sendgrid|evil\.example\/i|pwn/);
  });

  test("GET /preview/:id shows no images on request, but their alt texts", async () => {
    const { preview, ask } = await worldWith(newsletter);
    const page = await preview("?images=none");
    expect(page).not.toMatch(/src=|data:|url\(/);
    expect(page).toContain('alt="Logo"');
    const policy = (await ask("/preview/:id?images=none")).headers.get("content-security-policy");
    expect(policy).toContain("img-src 'none'");
  });

  test("GET /preview/:id simulates dark mode on request", async () => {
    const { preview, ask } = await worldWith(newsletter);
    expect(await preview("?dark=full")).toMatch(/color-scheme:dark.*background-color:#3e3318/s);
    expect(await preview("?dark=partial&images=none")).toMatch(/\.mail-body\{background:#292929;color:#fff\}/);
    expect(await preview("?dark=partial")).not.toContain("#ffeecc");
    expect((await ask("/preview/:id?dark=yes")).json).toMatchObject({ field: "dark" });
  });

  test("GET /preview/:id shows a message without dark styles as sent in dark=own, and plain text on a dark page", async () => {
    const page = await (await worldWith(newsletter)).preview("?dark=own");
    expect(page).toContain("background-color:#ffeecc");
    expect(page).not.toContain("color-scheme");
    const text = await (await worldWith(letter(...ordinaryHead, "", "Hi."))).preview("?dark=own");
    expect(text).toContain(":root{color-scheme:dark}");
  });

  test("GET /preview/:id shows plain text as written, with inactive links", async () => {
    const text = "1 < 2 & <b>x</b>\r\n  two spaces, https://a.example/?x=1&y=2.";
    const page = await (await worldWith(letter(...ordinaryHead, "", text))).preview();
    expect(page).toContain(
      "1 &lt; 2 &amp; &lt;b&gt;x&lt;/b&gt;\r\n  two spaces, <a>https://a.example/?x=1&amp;y=2</a>.</pre>",
    );
    expect(page).toContain("white-space:pre-wrap");
    expect(page).not.toContain("href=");
  });

  test("GET /preview/:id stays closed for a hostile subject, and says if the message has no text", async () => {
    const raw = letter("Subject: </title><script>pwn()</script>", "Content-Type: application/pdf", "", "%PDF-1.7");
    const page = await (await worldWith(raw)).preview();
    expect(page).toContain("<title>&lt;/title&gt;&lt;script&gt;pwn()&lt;/script&gt;</title>");
    expect(page).toContain("This message has no text.");
  });
});

describe("GET /api/tests/:id/attachments/:part", () => {
  test("GET /api/tests/:id/attachments/:part returns the exact bytes as a download in a sandbox", async () => {
    const { download, eml } = await worldWith(newsletter);
    const { headers, bytes } = await download("2");
    expect(Buffer.compare(bytes, archive)).toBe(0);
    expect((await eml()).attachments[1].sha256).toBe(sha256(bytes));
    expect(headers.get("content-type")).toBe("application/zip");
    expect(headers.get("content-disposition")).toBe('attachment; filename="stock.zip"');
    expect(headers.get("content-security-policy")).toBe("sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test.each([
    ["text/html", "application/octet-stream"],
    ["image/svg+xml", "application/octet-stream"],
    ["application/javascript", "application/octet-stream"],
    ["application/xhtml+xml", "application/octet-stream"],
    ["text/xml", "application/octet-stream"],
    ["IMAGE/PNG", "image/png"],
    ["application/pdf", "application/pdf"],
  ])("GET /api/tests/:id/attachments/:part serves a file declared as %s as %s", async (declared, told) => {
    const raw = withFile([`Content-Type: ${declared}`, "Content-Disposition: attachment; filename=a"]);
    expect((await (await worldWith(raw)).download("2")).headers.get("content-type")).toBe(told);
  });

  test.each([
    ["filename*=UTF-8''%E2%82%AC%20rates.pdf", `"_ rates.pdf"; filename*=UTF-8''%E2%82%AC%20rates.pdf`],
    ["filename*0*=UTF-8''na%C3%AF; filename*1=ve.txt", `"na_ve.txt"; filename*=UTF-8''na%C3%AFve.txt`],
    ['filename="=?utf-8?B?w7xiZXIucGRm?="', `"_ber.pdf"; filename*=UTF-8''%C3%BCber.pdf`],
    ["filename*=UTF-8''invoice%E2%80%AEfdp.exe", '"invoicefdp.exe"'],
    ["filename*=UTF-8''a%0D%0ASet-Cookie:%20x=1.txt", '"aSet-Cookie_ x=1.txt"'],
    ["filename*=UTF-8''ab%1B%5B2J%7F%E2%80%8B.txt", '"ab[2J.txt"'],
    ['filename="../../etc/passwd"', '"_.._etc_passwd"'],
    ['filename="..\\\\..\\\\boot.ini"', '"_.._boot.ini"'],
    ['filename="C:\\\\x\\\\a.txt"', '"C__x_a.txt"'],
    ['filename="say \\"hi\\".txt"', '"say _hi_.txt"'],
    ["filename*=UTF-8''it's%20%281%29*%25.txt", `"it's (1)__.txt"; filename*=UTF-8''it%27s%20%281%29_%25.txt`],
    ["filename*=UTF-8''.htaccess.%20.", '"htaccess"'],
    ["filename*=UTF-8''%2E%2E", '"part-2.pdf"'],
    ["filename=", '"part-2.pdf"'],
  ])("GET /api/tests/:id/attachments/:part saves a file named %s under a harmless name", async (parameters, saved) => {
    const raw = withFile(["Content-Type: application/pdf", `Content-Disposition: attachment; ${parameters}`]);
    const { headers } = await (await worldWith(raw)).download("2");
    expect(headers.get("content-disposition")).toBe(`attachment; filename=${saved}`);
    expect(headers.get("set-cookie")).toBeNull();
  });

  test("GET /api/tests/:id/attachments/:part keeps the extension of a name that is too long", async () => {
    const raw = withFile([`Content-Disposition: attachment; filename*=UTF-8''${"%C3%A4".repeat(300)}.pdf`]);
    const disposition = (await (await worldWith(raw)).download("2")).headers.get("content-disposition");
    const [, whole = ""] = /filename\*=UTF-8''(.*)$/.exec(disposition ?? "") ?? [];
    expect(decodeURIComponent(whole)).toBe(`${"ä".repeat(98)}.pdf`);
  });

  test.each(["3", "0", "1.1", "2.0", "-1", "x", "__proto__", "2%2E0"])(
    "GET /api/tests/:id/attachments/:part does not find the part %s",
    async (name) => {
      const { ask } = await worldWith(withFile(["Content-Type: application/pdf"]));
      expect((await ask(`/api/tests/:id/attachments/${name}`)).json.error).toBe("not_found");
    },
  );
});

const paths = ["/api/tests/:id/eml", "/preview/:id", "/api/tests/:id/attachments/1"];

test.each(paths)("%s is not found for a bounce, nor for another workspace", async (path) => {
  const { ask, as, createWorkspace, issueToken, receiveNoTest, clock } = await worldWith();
  clock.nowMs += 1;
  const bounce = await receiveNoTest(as.workspace, { recognised: aBounce });
  expect((await ask(path.replace(":id", bounce))).status).toBe(404);
  const { id: workspace } = await createWorkspace("Theirs");
  const { token } = await issueToken(workspace);
  expect((await ask(path, { token, workspace })).json).toEqual({ error: "not_found", message: "Test not found." });
  expect((await ask(path)).status).toBe(200);
});

describe("a message that crashes the reading thread", () => {
  const threadThat = (outcome: JobOutcome): JobThread => ({
    warmUp: async () => {},
    run: async () => outcome as never,
    close: async () => {},
  });

  test.each(paths)("a message that crashes the reading thread is reported by %s with a sentence", async (path) => {
    const stalled = await worldWith(undefined, { askedThread: threadThat({ outcome: "stalled", during: "" }) });
    const answer = await stalled.ask(path);
    expect(answer.status).toBe(503);
    expect(answer.json.message).toBe("This message stalled the reader.");
    expect(stalled.lines).toContainEqual(
      expect.objectContaining({ level: "warn", message: "a message stalled the reader" }),
    );
  });

  test.each(["interrupted", "closed"] as const)(
    "a message that crashes the reading thread can be requested again if reading was %s",
    async (outcome) => {
      const { ask } = await worldWith(undefined, { askedThread: threadThat({ outcome, during: "" }) });
      const { status, json, headers } = await ask(paths[0] ?? "");
      expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
      expect(json.message).toBe("The reading was interrupted. Try again in a moment.");
    },
  );
});

test("at most two messages are read at once, and the others wait", async () => {
  const waiting: PromiseWithResolvers<JobOutcome>[] = [];
  const thread: JobThread = {
    warmUp: async () => {},
    run: () => {
      const turn = Promise.withResolvers<JobOutcome>();
      waiting.push(turn);
      return turn.promise as never;
    },
    close: async () => {},
  };
  const { preview } = await worldWith(undefined, { askedThread: thread });
  const pages = ["1", "2", "3", "4"].map(() => preview());
  for (let answered = 0; answered < 4; answered++) {
    while (waiting.length <= answered) await new Promise(setImmediate);
    expect(waiting.length - answered).toBeLessThanOrEqual(2);
    waiting[answered]?.resolve({ outcome: "answer", answer: `page ${answered}` });
  }
  expect((await Promise.all(pages)).toSorted()).toEqual(["page 0", "page 1", "page 2", "page 3"]);
});

describe("a hostile message is shown within limits", () => {
  test.each([
    ["40,000 references to an embedded image", '<img src="cid:logo@x">'.repeat(40_000)],
    ["30,000 links", '<a href="https://a.example/x">x</a>'.repeat(30_000)],
    ["deep tables", "<table><tr><td>".repeat(60_000)],
    ["a very long style", `<p style="${"color:red;".repeat(90_000)}">`],
    ["a very long word", "&lt;".repeat(250_000)],
  ])("a hostile message is shown within limits with %s", async (_name, body) => {
    const logo = file(["Content-Type: image/png", "Content-ID: <logo@x>"], Buffer.alloc(1_500_000, png));
    const page = part(["Content-Type: text/html"], body);
    const { preview, eml } = await worldWith(letter(...ordinaryHead, multipart("related", "r", page, logo)));
    expect((await preview("?images=1")).length).toBeLessThan(15_000_000);
    const { body: read, images, links } = await eml();
    expect(read.html_safe.length).toBeLessThan(15_000_000);
    expect(images.length + links.length).toBeLessThanOrEqual(1_000);
  });
});

function withFile(headers: readonly string[]): Buffer {
  const text = part(["Content-Type: text/plain"], "hi");
  return letter(...ordinaryHead, multipart("mixed", "m", text, part(headers, "%PDF-1.7")));
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
