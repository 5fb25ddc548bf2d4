import { brotliDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { listPaths } from "../../../src/platform/server.ts";
import { features } from "../../../src/server.ts";
import { startHttpWorld } from "../../http/http-world.ts";
import { builtWeb } from "../../web/web-world.ts";

const startWeb = async () => await startHttpWorld({ webFiles: await builtWeb() });
const plain = { "accept-encoding": "identity" };

describe("the web app's files", () => {
  test("the web app's files are served as the same shell on every page, with a policy that runs only our script", async () => {
    const { base } = await startWeb();
    const shells = await Promise.all(
      listPaths(features).map(async (path) => {
        const answer = await fetch(base + path.replace(":id", "tst_1"), { headers: plain });
        expect(answer.status).toBe(200);
        expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
        expect(answer.headers.get("cache-control")).toBe("no-cache");
        expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
        const policy = answer.headers.get("content-security-policy") ?? "";
        for (const part of ["default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'"])
          expect(policy).toContain(part);
        expect(policy).not.toContain("unsafe");
        return await answer.text();
      }),
    );
    expect(new Set(shells).size).toBe(1);
  });

  test("the web app's files exist and are cached forever", async () => {
    const { base } = await startWeb();
    const shell = await (await fetch(base)).text();
    const names = [...shell.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThanOrEqual(2);
    for (const name of names) {
      const answer = await fetch(base + name);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("the web app's files include an icon at the address that browsers ask for", async () => {
    const { base } = await startWeb();
    const { status, headers } = await fetch(`${base}/favicon.ico`);
    expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  });

  test("the web app's files are answered without a body if the ETag matches, even a weak one", async () => {
    const { base } = await startWeb();
    const etag = (await fetch(base)).headers.get("etag") ?? "";
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await fetch(base, { headers: { "if-none-match": known } });
      expect([answer.status, await answer.text()]).toEqual([304, ""]);
    }
    expect((await fetch(base, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("the web app's files are compressed if the client accepts it", async () => {
    const { ask } = await startWeb();
    const encodingFor = async (accepted: string) =>
      (await ask("HEAD", "/", { headers: { "accept-encoding": accepted } })).headers.get("content-encoding");
    expect(await encodingFor("gzip, deflate, br")).toBe("br");
    expect(await encodingFor("gzip")).toBe("gzip");
    expect(await encodingFor("br;q=0, gzip;q=0.5")).toBe("gzip");
    expect(await encodingFor("identity")).toBeNull();
    const shell = (await builtWeb()).get("index.html.br") ?? new Uint8Array();
    expect(brotliDecompressSync(shell).toString()).toContain('<div id="app">');
  });

  test.each(["index.html", "index.html.br", "app.js", "..%2f..%2fpackage.json", "app-AAAAAAAA.js", "__proto__"])(
    "the web app's files do not include %s",
    async (name) => {
      const { base } = await startWeb();
      const answer = await fetch(`${base}/assets/${name}`);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: "not_found" });
    },
  );

  test("the web app's files accept only GET", async () => {
    const { base } = await startWeb();
    const answer = await fetch(`${base}/tests`, { method: "POST" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("the web app's files are replaced by build instructions if the app was not built", async () => {
    const { base } = await startHttpWorld();
    const answer = await fetch(base);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("npm run build");
  });
});
