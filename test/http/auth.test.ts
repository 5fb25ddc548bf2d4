import { describe, expect, test } from "vitest";
import { version } from "../../src/version.ts";
import { askRaw } from "./ask-raw.ts";
import { startHttpWorld } from "./http-world.ts";

async function worldWithToken() {
  const world = await startHttpWorld();
  const workspace = await world.createWorkspace("Ours");
  const { token, row } = await world.issueToken(workspace.id);
  return { ...world, workspace, token, row };
}

describe("a request without a token", () => {
  test.each([undefined, "", "Bearer", "bearer "])("is missing_token with Authorization %j", async (value) => {
    const { ask } = await startHttpWorld();
    const { status, json, headers } = await ask("GET", "/api/me", {
      headers: value === undefined ? {} : { authorization: value },
    });
    expect(status).toBe(401);
    expect(json.error).toBe("missing_token");
    expect(headers.get("www-authenticate")).toBe("Bearer");
    expect(headers.get("x-assay-version")).toBeNull();
  });
});

describe("a token that does not hold", () => {
  test("is answered alike whether unknown, malformed, revoked, expired or of another workspace", async () => {
    const world = await worldWithToken();
    const other = await world.createWorkspace("Theirs");
    const expired = await world.issueToken(world.workspace.id, world.clock.nowMs + 1_000);
    const revoked = await world.issueToken(world.workspace.id);
    await world.ask("DELETE", `/api/tokens/${revoked.row.id}`, {
      token: world.token,
      workspace: world.workspace.id,
    });
    world.clock.nowMs += 1_000;
    const tokens = [`asy_${"0".repeat(40)}`, "asy_short", "something", expired.token, revoked.token];
    const answers = await Promise.all([
      ...tokens.map((token) => world.ask("GET", "/api/tokens", { token, workspace: world.workspace.id })),
      world.ask("GET", "/api/tokens", { token: world.token, workspace: other.id }),
      world.ask("GET", "/api/tokens", { token: world.token, workspace: "wsp_nothing" }),
      world.ask("GET", "/api/tokens", { headers: { authorization: `Basic ${btoa("a:b")}` } }),
    ]);
    for (const { status, text, headers } of answers) {
      expect(status).toBe(403);
      expect(text).toBe(answers[0]?.text);
      expect(headers.get("x-assay-version")).toBeNull();
      expect(headers.get("www-authenticate")).toBeNull();
    }
    expect(answers[0]?.json.error).toBe("forbidden");
  });

  test("without X-Workspace-Id is answered that the header is missing", async () => {
    const { ask, token } = await worldWithToken();
    const { status, json } = await ask("GET", "/api/tokens", { token });
    expect(status).toBe(403);
    expect(json.error).toBe("forbidden");
    expect(json.message).toContain("X-Workspace-Id is missing");
  });

  test("is never taken from the query", async () => {
    const { ask, token } = await worldWithToken();
    const { status } = await ask("GET", `/api/me?token=${token}&access_token=${token}`);
    expect(status).toBe(401);
  });

  test("is no token at all when it is sent twice", async () => {
    const { port, token } = await worldWithToken();
    const line = `Authorization: Bearer ${token}\r\n`;
    const heard = await askRaw(
      port,
      `GET /api/me HTTP/1.1\r\nHost: a\r\n${line}${line}Connection: close\r\n\r\n`,
    );
    expect(heard).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe("a token that holds", () => {
  test("opens its workspace, whatever the case of the scheme, and is told the version", async () => {
    const { ask, token, workspace } = await worldWithToken();
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const { status, headers } = await ask("GET", "/api/tokens", {
        workspace: workspace.id,
        headers: { authorization: `${scheme} ${token}` },
      });
      expect(status).toBe(200);
      expect(headers.get("x-assay-version")).toBe(version);
    }
  });

  test("has its use noted at most once a minute", async () => {
    const { ask, token, workspace, clock } = await worldWithToken();
    const firstUse = new Date(clock.nowMs).toISOString();
    const lastUsedAt = async () =>
      (await ask("GET", "/api/tokens", { token, workspace: workspace.id })).json.items[0].lastUsedAt;
    await ask("GET", "/api/me", { token });
    await expect.poll(lastUsedAt).toBe(firstUse);
    clock.nowMs += 59_999;
    await lastUsedAt();
    expect(await lastUsedAt()).toBe(firstUse);
    clock.nowMs += 1;
    await expect.poll(lastUsedAt).toBe(new Date(clock.nowMs).toISOString());
  });

  test("is answered even when its use cannot be noted", async () => {
    let broken = false;
    const world = await startHttpWorld({
      wrapStore: (store) => ({
        ...store,
        write: (work) => (broken ? Promise.reject(new Error("disk full")) : store.write(work)),
      }),
    });
    const workspace = await world.createWorkspace("Ours");
    const { token } = await world.issueToken(workspace.id);
    broken = true;
    expect((await world.ask("GET", "/api/me", { token })).status).toBe(200);
    await expect.poll(() => world.lines.some(({ level }) => level === "warn")).toBe(true);
  });
});
