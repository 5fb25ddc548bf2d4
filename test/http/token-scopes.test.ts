// What tokens may do. Each route with each kind of token: test/laws/isolation.test.ts.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/platform/contract/endpoint.ts";
import { routes } from "../../src/server.ts";
import { nobodys } from "../laws/foreign-ids.ts";
import type { Answered } from "./ask.ts";
import { follow } from "./event-client.ts";
import { type HttpWorld, startHttpWorld } from "./http-world.ts";

const message = (subject: string) =>
  Buffer.from(`From: ann@mail.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@x>\r\n\r\nHi.\r\n`);

describe("an API token limited to one label", () => {
  /** Whatever is near it, is another. */
  const others = ["ab", "A", "a ", " a", "a%", "a_", "a,b", 'a"', "a'", "á", "a\\", null];
  type Owned = { readonly label: string | null; readonly id: string };
  let world: HttpWorld;
  let asked: { readonly token: string; readonly workspace: string };
  let own: string;
  let foreign: readonly Owned[];

  // Not startHttpWorld, which ends with one test.
  beforeAll(async () => {
    const { openHttpWorld } = await import("./http-world.ts");
    world = await openHttpWorld();
    const { id: workspace } = await world.createWorkspace("Ours");
    own = await world.receive(workspace, "a", message("own"));
    const received: Owned[] = [];
    for (const [index, label] of others.entries())
      received.push({ label, id: await world.receive(workspace, label, message(`foreign-${index}`)) });
    foreign = received;
    await world.analyzeAll();
    const limits = { scope: "admin", label: "a" } as const;
    asked = { token: (await world.issueToken(workspace, null, null, limits)).token, workspace };
    return () => world.close();
  });

  const get = (path: string) => world.ask("GET", path, asked);
  const expectNothingForeign = ({ text }: Pick<Answered, "text">) => {
    expect(text).not.toContain("foreign-");
    for (const { id } of foreign) expect(text).not.toContain(id);
  };

  const byPath = routes.map(({ endpoint }) => endpoint).filter(({ labelToken }) => labelToken === "path");
  const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

  test.each(byPath.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    "an API token limited to one label finds no test with another label at %s",
    async (_name, { method, path }) => {
      const askFor = (id: string, other: string) =>
        world.ask(method, path.replace(":id", id).replace(":other", other).replace(":part", "1"), {
          ...asked,
          ...(path.endsWith("/what-if") && { body: { records: [] } }),
        });
      for (const { id } of foreign.slice(0, 3)) {
        const pairs = path.includes(":other") ? [[id, own] as const, [own, id] as const] : [[id, own] as const];
        for (const pair of pairs) {
          const answer = await askFor(...pair);
          expect(answer.status).toBe(404);
          expect(answer.text).toBe((await askFor(nobodys(id), own)).text);
        }
      }
    },
  );

  test("an API token limited to one label lists, searches, counts, and exports only its own tests", async () => {
    for (const query of [
      "",
      "?search=subject",
      "?search=-label:zzz",
      "?sort=score",
      "?q=foreign",
      "?label=ab",
      "?search=label:ab",
    ]) {
      expectNothingForeign(await get(`/api/tests${query}`));
      expectNothingForeign(await get(`/api/tests/export.csv${query}`));
    }
    const { items, total } = (await get("/api/tests")).json;
    expect({ ids: items.map(({ id }: Owned) => id), total }).toEqual({ ids: [own], total: 1 });
    expect((await get("/api/tests?label=a")).json.total).toBe(1);
    expect((await get("/api/tests?label=ab")).json.total).toBe(0);
    expect((await get("/api/tests/export.csv")).text.trim().split("\n")).toHaveLength(2);
  });

  test("an API token limited to one label opens its own tests with all their parts", async () => {
    for (const part of ["", "/raw", "/eml", "/report?format=json", "/reports", `/compare/${own}`])
      expect((await get(`/api/tests/${own}${part}`)).status, part).toBe(200);
    const shared = await world.ask("POST", `/api/tests/${own}/shares`, asked);
    expect(shared.status).toBe(201);
  });

  test("an API token limited to one label gets events of only its own tests", async () => {
    const stream = await follow(world.base, asked);
    await world.receive(asked.workspace, "ab", message("foreign-event"));
    const id = await world.receive(asked.workspace, "a", message("event"));
    await stream.until(({ length }) => length > 0);
    expect(stream.events).toEqual([{ type: "test.received", id, label: "a" }]);
    stream.leave();
  });

  test("an API token limited to one label uploads and sends only with its own label", async () => {
    const upload = (query: string) =>
      world.ask("POST", `/api/tests/upload${query}`, {
        ...asked,
        body: message("upload"),
        headers: { "content-type": "message/rfc822" },
      });
    expect((await upload("")).json.label).toBe("a");
    expect((await upload("?label=a")).json.label).toBe("a");
    expect(await upload("?label=ab")).toMatchObject({ status: 403, json: { field: "label" } });
    const [{ address }] = (await get("/api/seed-inboxes")).json.items;
    const send = (changes: object) =>
      world.ask("POST", "/api/tests/send-test", { ...asked, body: { subject: "Hello", from: address, ...changes } });
    const to = (label: string) => address.replace("@", `+${label}@`);
    for (const body of [{}, { label: "a" }, { to: to("a") }, { to: to("a+0123456789") }]) {
      const { status, json } = await send(body);
      expect(status).toBe(202);
      expect((await get(`/api/sends/${json.id}`)).json.label).toBe("a");
    }
    for (const body of [{ label: "ab" }, { to: to("ab") }, { to: to("A") }, { label: "a", to: to("b") }])
      expect(await send(body)).toMatchObject({ status: 403, json: { error: "forbidden" } });
    await world.analyzeAll();
    expect(new Set((await get("/api/tests")).json.items.map(({ label }: Owned) => label))).toEqual(new Set(["a"]));
  });

  test("an API token limited to one label reads no send with another label", async () => {
    const owner = { ...asked, token: (await world.issueToken(asked.workspace)).token };
    const [{ address }] = (await get("/api/seed-inboxes")).json.items;
    const body = { subject: "Other", from: address, label: "ab" };
    const { id } = (await world.ask("POST", "/api/tests/send-test", { ...owner, body })).json;
    expect((await get(`/api/sends/${id}`)).text).toBe((await get(`/api/sends/${nobodys(id)}`)).text);
  });

  test("an API token limited to one label gives an agent only its own tests", async () => {
    const client = new Client({ name: "test", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(`${world.base}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${asked.token}` } },
    });
    // biome-ignore lint/suspicious/noExplicitAny: the SDK's class differs from its interface under exactOptionalPropertyTypes
    await client.connect(transport as any);
    const use = async (name: string, given: Record<string, unknown>) => ({
      text: JSON.stringify(await client.callTool({ name, arguments: given })),
    });
    const [{ id: other } = { id: "" }] = foreign;
    for (const answer of [
      await use("find_tests", {}),
      await use("find_tests", { search: "label:ab" }),
      await use("get_report", { test: other }),
      await use("check_domain", { domain: "mail.example" }),
      await use("send_sample", {}),
    ])
      expectNothingForeign(answer);
    expect((await use("get_report", { test: own })).text).toContain(own);
    expect((await use("get_report", { test: other })).text).toContain("Test not found");
    expect((await use("send_sample", {})).text).toContain("limited to the tests of one label");
    await client.close();
  });

  test("an API token limited to one label has access to nothing else", async () => {
    for (const path of ["dashboard/summary", "streams", "domains", "sends", "bounces", "alerts", "workspaces"])
      expect(await get(`/api/${path}`)).toMatchObject({ status: 403, json: { error: "forbidden" } });
    const body = { search: "", expected: 100 };
    expect((await world.ask("POST", "/api/tests/delete", { ...asked, body })).status).toBe(403);
  });
});

async function worldWithPeople() {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const owner = await world.addPerson(workspace, "owner", "Ann");
  const member = await world.addPerson(workspace, "member", "Ben");
  const asOwner = { cookie: owner.cookie, workspace };
  const asMember = { cookie: member.cookie, workspace };
  return { ...world, workspace, owner, member, asOwner, asMember };
}

test("a token has the scope and label that it was created with, and returns them", async () => {
  const { ask, asMember, workspace } = await worldWithPeople();
  const body = { name: "ci", scope: "write", label: "ci" };
  const { status, json } = await ask("POST", "/api/tokens", { ...asMember, body });
  expect({ status, ...json }).toMatchObject({ status: 201, scope: "write", label: "ci" });
  const { token } = (await ask("GET", "/api/me", { token: json.token, workspace })).json;
  expect(token).toMatchObject({ name: "ci", scope: "write", label: "ci" });
  const plain = (await ask("POST", "/api/tokens", { ...asMember, body: { name: "x" } })).json;
  expect(plain).toMatchObject({ scope: "full", label: null });
  const labels = ["", "x".repeat(201), "ci\r\n", "c\u0007i"].map((label) => ({ label }));
  for (const wrong of [{ scope: "owner" }, { scope: "person" }, ...labels])
    expect((await ask("POST", "/api/tokens", { ...asMember, body: { name: "x", ...wrong } })).status).toBe(400);
});

test("a token without a required scope gets the name of that scope", async () => {
  const { ask, issueToken, workspace } = await worldWithPeople();
  const { token } = await issueToken(workspace, null, null, { scope: "read", label: null });
  const body = { domain: "shop.example" };
  expect((await ask("POST", "/api/domains", { token, workspace, body })).json).toEqual({
    error: "forbidden",
    message:
      'This needs an API token with the scope "write", and yours has "read". Create another one under Settings > API tokens.',
  });
  expect((await ask("GET", "/api/sessions", { token, workspace })).json).toMatchObject({
    message:
      "API tokens can't do this, because it concerns a person and not the workspace. Log in to the web app instead.",
  });
});

describe("an API token that creates other credentials", () => {
  async function worldWithToken(expiresAt: string | null = null) {
    const world = await worldWithPeople();
    const { ask, asOwner, workspace } = world;
    const issue = async (asked: object, body: object = {}) =>
      (await ask("POST", "/api/tokens", { ...asked, body: { name: "x", ...body } })).json;
    const first = await issue(asOwner, { expiresAt });
    const asToken = { token: first.token as string, workspace };
    const revoke = (id: string) => ask("DELETE", `/api/tokens/${id}`, asOwner);
    return { ...world, issue, first, asToken, revoke };
  }

  test("an API token that creates other credentials ends with all tokens created from it", async () => {
    const { ask, issue, first, asToken, revoke, workspace, owner, base } = await worldWithToken();
    const second = await issue(asToken);
    expect(second).toMatchObject({ scope: "full", createdBy: owner.id, createdWith: first.id });
    const third = await issue({ token: second.token, workspace }, { scope: "read" });
    const other = await issue({ cookie: owner.cookie, workspace });
    const stream = await follow(base, { token: third.token, workspace });
    expect((await revoke(first.id)).status).toBe(204);
    await stream.ended;
    for (const { token } of [first, second, third])
      expect((await ask("GET", "/api/tests", { token, workspace })).status).toBe(403);
    expect((await ask("GET", "/api/tests", { token: other.token, workspace })).status).toBe(200);
  });

  test("an API token that creates other credentials gives no token or link a longer life than its own", async () => {
    const soon = "2026-11-21T08:00:00.000Z";
    const { ask, issue, asToken, receive, workspace } = await worldWithToken(soon);
    expect(await issue(asToken)).toMatchObject({ expiresAt: soon });
    expect(await issue(asToken, { expiresAt: "2026-11-21T07:00:00Z" })).toMatchObject({
      expiresAt: "2026-11-21T07:00:00.000Z",
    });
    const later = await issue(asToken, { expiresAt: "2026-11-21T08:00:01Z" });
    expect(later).toMatchObject({ error: "invalid_request", field: "expiresAt" });
    const body = { email: "eve@people.example", role: "owner" };
    expect((await ask("POST", "/api/members", { ...asToken, body })).json).toMatchObject({ expiresAt: soon });
    const id = await receive(workspace, null, message("shared"));
    expect((await ask("POST", `/api/tests/${id}/shares`, asToken)).json).toMatchObject({ expiresAt: soon });
  });

  test("an API token that creates other credentials ends with its open invitations and share links, but not with people who joined", async () => {
    const { ask, first, asToken, receive, revoke, asOwner, workspace, base } = await worldWithToken();
    const invite = async (email: string) => {
      const { json } = await ask("POST", "/api/members", { ...asToken, body: { email, role: "owner" } });
      return json.link.split("#")[1];
    };
    const accept = (token: string) =>
      ask("POST", "/api/auth/invite/accept", { body: { token, name: "Eve", password: "lamp quarrel tundra" } });
    const [joined, open] = [await invite("eve@people.example"), await invite("fay@people.example")];
    expect((await accept(joined)).status).toBe(201);
    const id = await receive(workspace, null, message("shared"));
    const { url } = (await ask("POST", `/api/tests/${id}/shares`, asToken)).json;
    const openShare = async () => (await fetch(url.replace(/^https?:..[^/]+/, base))).status;
    expect(await openShare()).toBe(200);
    await revoke(first.id);
    expect((await accept(open)).json.error).toBe("invalid_link");
    expect(await openShare()).toBe(400);
    const { items, invitations } = (await ask("GET", "/api/members", asOwner)).json;
    expect(items.map(({ email }: { email: string }) => email)).toContain("eve@people.example");
    expect(invitations).toEqual([]);
  });

  test("an API token that creates other credentials can create a chain of at most ten tokens", async () => {
    const { issue, first, workspace, ask, revoke } = await worldWithToken();
    let last = first;
    for (let count = 1; count < 10; count++) last = await issue({ token: last.token, workspace });
    expect((await issue({ token: last.token, workspace })).error).toBe("conflict");
    await revoke(first.id);
    expect((await ask("GET", "/api/tests", { token: last.token, workspace })).status).toBe(403);
  });

  test("an API token that creates other credentials has its creator's current role", async () => {
    const { ask, asToken, owner, addPerson, workspace } = await worldWithToken();
    const other = await addPerson(workspace, "owner", "Cid");
    const body = { email: "eve@people.example", role: "owner" };
    expect((await ask("POST", "/api/members", { ...asToken, body })).status).toBe(201);
    const demote = { cookie: other.cookie, workspace, body: { role: "member" } };
    expect((await ask("PATCH", `/api/members/${owner.id}`, demote)).status).toBe(200);
    expect((await ask("POST", "/api/members", { ...asToken, body })).status).toBe(403);
    expect((await ask("GET", "/api/members", asToken)).json.invitations).toEqual([]);
  });

  test("an API token that creates other credentials needs the full scope", async () => {
    const { ask, issue, asOwner, workspace } = await worldWithToken();
    const { token } = await issue(asOwner, { scope: "admin" });
    for (const [method, path, body] of [
      ["POST", "/api/tokens", { name: "x", scope: "read" }],
      ["POST", "/api/members", { email: "eve@people.example", role: "member" }],
      ["DELETE", `/api/workspaces/${workspace}`, undefined],
    ] as const)
      expect(await ask(method, path, { token, workspace, body })).toMatchObject({
        status: 403,
        json: { message: expect.stringContaining('the scope "full"') },
      });
  });
});

test("a token sent with a cookie has the rights of the token", async () => {
  const { ask, issueToken, workspace, asOwner } = await worldWithPeople();
  const { token } = await issueToken(workspace, null, null, { scope: "read", label: null });
  const body = { name: "x" };
  expect((await ask("POST", "/api/tokens", { ...asOwner, token, body })).status).toBe(403);
  expect((await ask("POST", "/api/workspaces", { ...asOwner, token, body })).status).toBe(403);
  expect((await ask("POST", "/api/tokens", { ...asOwner, body })).status).toBe(201);
});

test("members revoke tokens of members, and owners revoke all", async () => {
  const { ask, issueToken, workspace, owner, member, asOwner, asMember, addPerson } = await worldWithPeople();
  const other = await addPerson(workspace, "member", "Cid");
  const issue = async (by: string | null) => (await issueToken(workspace, null, by)).row.id;
  const revoke = async (id: string, asked: object) => (await ask("DELETE", `/api/tokens/${id}`, asked)).status;
  for (const by of [owner.id, null]) {
    const id = await issue(by);
    expect(await revoke(id, asMember)).toBe(403);
    expect(await revoke(id, asOwner)).toBe(204);
  }
  for (const by of [member.id, other.id]) expect(await revoke(await issue(by), asMember)).toBe(204);
});

test("the last use of a token is stored with the client's IP, once a minute", async () => {
  const { ask, issueToken, workspace, asOwner, clock } = await worldWithPeople();
  const { token, row } = await issueToken(workspace);
  const read = async () => {
    const { items } = (await ask("GET", "/api/tokens", asOwner)).json;
    return items.find(({ id }: { id: string }) => id === row.id);
  };
  expect(await read()).toMatchObject({ lastUsedAt: null, lastUsedAddress: null });
  await ask("GET", "/api/me", { token });
  await expect.poll(read).toMatchObject({ lastUsedAddress: "127.0.0.1" });
  const first = (await read()).lastUsedAt;
  clock.nowMs += 59_999;
  await ask("GET", "/api/me", { token });
  expect((await read()).lastUsedAt).toBe(first);
});
