// Opening an unsubscribe link as a mail scanner would, against a real HTTPS server on loopback.

import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { listZone, openUnsubscribeWorld, startListServer } from "../../http/unsubscribe-world.ts";

const html = { "content-type": "text/html" };
const answers: Record<string, [number, Record<string, string>, string]> = {
  page: [200, html, "<h1>Unsubscribe from Our news?</h1><form method=post><button>Yes</button></form>"],
  immediate: [200, html, "<h1>Goodbye</h1><p>You have been unsubscribed.</p>"],
  redirect: [302, { location: "/page" }, ""],
  login: [200, html, "<form method=post><input name=u><input type=password name=p><button>Log in</button></form>"],
  error: [500, html, "Sorry"],
};

const answerByPath: RequestListener = (request, response) => {
  const [status, headers, body] = answers[request.url?.slice(1) ?? ""] ?? [404, {}, ""];
  response.writeHead(status, headers).end(body);
};

async function openWorld(options = {}, answer = answerByPath) {
  const list = await startListServer(answer);
  const world = await openUnsubscribeWorld(options);
  const visit = (id: string, link = "header") => {
    world.clock.nowMs += 61_000;
    return world.ask("POST", `/api/tests/${id}/unsubscribe/visit`, { link });
  };
  return { ...world, list, visit, at: (path: string) => `https://unsub.example:${list.port}/${path}` };
}

test("opening an unsubscribe link says whether it only showed a page", async () => {
  const { arrive, visit, at, list } = await openWorld();
  const said: Record<string, unknown> = {};
  for (const path of Object.keys(answers)) {
    const id = await arrive({ unsubscribe: `<${at(path)}>` });
    const { status, json } = await visit(id);
    expect(status).toBe(200);
    const [{ result, says, link, target, location, shows }] = json.visits;
    expect([link, target]).toEqual(["header", at(path)]);
    said[path] = [result, says, location?.replace(/:\d+/, "") ?? null, shows];
  }
  expect(said).toMatchInlineSnapshot(`
    {
      "error": [
        "unclear",
        "The server responds with an error (500). Whether opening the link changed anything can’t be known.",
        null,
        "Sorry",
      ],
      "immediate": [
        "unsubscribed",
        "The page says “you have been unsubscribed”, although the link was only opened. Mail scanners open links too, so they would unsubscribe your recipients. Show a page with a button, and unsubscribe only when it sends a POST request.",
        null,
        "Goodbye You have been unsubscribed.",
      ],
      "login": [
        "unclear",
        "The page has a password field, so it may ask for a login. Whether opening the link changed anything can’t be known.",
        null,
        "Log in",
      ],
      "page": [
        "page",
        "The link only showed a page with a form that asks for confirmation.",
        null,
        "Unsubscribe from Our news? Yes",
      ],
      "redirect": [
        "page",
        "The link only showed a page with a form that asks for confirmation.",
        "https://unsub.example/page",
        "Unsubscribe from Our news? Yes",
      ],
    }
  `);
  expect(list.heard.map(({ method }) => method)).toEqual(Array(6).fill("GET"));
  for (const { headers } of list.heard) {
    expect(headers).not.toHaveProperty("cookie");
    expect(headers).not.toHaveProperty("authorization");
  }
});

test("an opened link whose response breaks off did respond, and what came is shown", async () => {
  const { arrive, visit, at } = await openWorld({}, (_, response) => {
    response.writeHead(200, { ...html, "content-length": "1000" });
    response.write("<p>You have been unsubscribed.</p>", () => response.socket?.end());
  });
  const id = await arrive({ unsubscribe: `<${at("u")}>` });
  const [{ result, status, says, shows }] = (await visit(id)).json.visits;
  expect([result, status, shows]).toEqual(["unclear", 200, "You have been unsubscribed."]);
  expect(says).toContain("broke off or did not end in time");
});

test("no unsubscribe link is opened without a click, and a click opens the chosen one", async () => {
  const { arrive, ask, read, visit, at, list } = await openWorld();
  const body = `<p><a href="${at("hidden")}" style="display:none">Unsubscribe</a> <a href="${at("error")}">Unsubscribe</a></p>`;
  const id = await arrive({ unsubscribe: `<${at("page")}>`, body });
  await ask("GET", `/api/tests/${id}`);
  await ask("GET", `/preview/${id}?images=1`);
  await ask("POST", `/api/tests/${id}/reanalyze`);
  const { links } = (await ask("GET", `/api/tests/${id}/eml`)).json;
  expect(links.map((link: { href: string; unsubscribes: boolean }) => [link.href, link.unsubscribes])).toEqual([
    [at("hidden"), false],
    [at("error"), true],
  ]);
  expect(await read(id)).toMatchObject({ visitableHeader: at("page"), visits: [] });
  expect(list.connections()).toBe(0);
  await visit(id, "body");
  await visit(id, "header");
  expect(list.heard.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /error", "GET /page"]);
  expect(await read(id)).toMatchObject({
    attempts: [],
    visits: [
      { link: "header", target: at("page"), result: "page" },
      { link: "body", target: at("error"), result: "unclear" },
    ],
  });
});

test("a visit is no request to unsubscribe: neither the proof nor later mail counts it", async () => {
  const { arrive, read, visit, click, at } = await openWorld();
  const unsubscribe = `<${at("immediate")}>`;
  const id = await arrive({ unsubscribe });
  await visit(id);
  const later = await arrive({ unsubscribe, number: 2 });
  expect((await read(later)).earlier).toBeNull();
  const { status, json } = await click(id);
  expect([status, json.attempts.length, json.visits.length]).toEqual([200, 1, 1]);
});

test("a page that shows the state after a request isn't accused, and a visit that unsubscribed spoils the proof", async () => {
  let isOff = false;
  const { arrive, visit, click, clock, at } = await openWorld({}, (request, response) => {
    if (request.method === "POST") isOff = true;
    response.writeHead(200, html);
    response.end(isOff ? "You have been unsubscribed." : "<form method=post><button>Unsubscribe</button></form>");
  });
  const unsubscribe = `<${at("u")}>`;
  const id = await arrive({ unsubscribe });
  expect((await visit(id)).json.visits[0].result).toBe("page");
  clock.nowMs += 61_000;
  await click(id);
  const [{ result, says, shows }] = (await visit(await arrive({ unsubscribe, number: 2 }))).json.visits;
  expect([result, shows]).toEqual(["unclear", "You have been unsubscribed."]);
  expect(says).toContain("that may have happened on 2026-");
  const other = await arrive({ unsubscribe, number: 3, listId: "other.news.example" });
  expect((await visit(other)).json.visits[0].result).toBe("unsubscribed");
  expect((await visit(other)).json.visits[0].result).toBe("unclear");
  clock.nowMs += 61_000;
  const [{ proof }] = (await click(other)).json.attempts;
  expect(proof.says).toContain("Opening the link may have unsubscribed the address before");
});

test("a message without an unsubscribe link can't be visited, and visits are limited like requests", async () => {
  const { arrive, ask, visit, at, list } = await openWorld();
  const bare = await arrive({ post: null, body: "<p>Hello</p>" });
  for (const link of ["header", "body"]) {
    const { status, json } = await visit(bare, link);
    expect([status, json.error]).toEqual([409, "conflict"]);
  }
  const id = await arrive({ unsubscribe: `<${at("page")}>` });
  await visit(id);
  for (let count = 0; count < 4; count++)
    expect((await ask("POST", `/api/tests/${id}/unsubscribe/visit`, { link: "header" })).status).toBe(200);
  expect((await ask("POST", `/api/tests/${id}/unsubscribe/visit`, { link: "header" })).status).toBe(429);
  expect(list.heard).toHaveLength(5);
});

test("a double click opens an unsubscribe link once", async () => {
  const { arrive, ask, at, list } = await openWorld();
  const id = await arrive({ unsubscribe: `<${at("page")}>` });
  const click = () => ask("POST", `/api/tests/${id}/unsubscribe/visit`, { link: "header" });
  const statuses = (await Promise.all([click(), click()])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 409]);
  expect(list.heard).toHaveLength(1);
});

test("the audit log records who opened which link", async () => {
  const { arrive, ask, visit, at } = await openWorld();
  await visit(await arrive({ unsubscribe: `<${at("page")}>` }));
  const { items } = (await ask("GET", "/api/audit")).json;
  expect(items[0]).toMatchObject({ action: "test.unsubscribe-visit", details: { request: { link: "header" } } });
});

const inside = [
  "127.0.0.2",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "169.254.1.1",
  "169.254.169.254",
  "0.0.0.0",
  "2130706433",
  "0x7f.1",
  "localhost",
  "[::1]",
  "[::]",
  "[fe80::1]",
  "[fd00::1]",
  "[fd00:ec2::254]",
  "[::ffff:10.0.0.1]",
  "[64:ff9b::a00:1]",
  "private.example",
  "private6.example",
  "metadata.example",
  "half.example",
];
const insideZone = {
  ...listZone,
  "private.example": { A: ["192.168.0.9"] },
  "private6.example": { AAAA: ["fd12::1"] },
  "metadata.example": { A: ["169.254.169.254"] },
  "half.example": { A: ["198.51.100.7", "10.1.2.3"] },
};

test("an unsubscribe link to an address that is not public is not opened", async () => {
  const world = await openWorld({ privateTargets: { all: false, networks: [] } });
  world.internet.zone = insideZone;
  for (const host of inside) {
    const id = await world.arrive({ unsubscribe: `<https://${host}:${world.list.port}/page>` });
    const [{ result, says }] = (await world.visit(id)).json.visits;
    expect([host, result]).toEqual([host, "refused"]);
    expect(says).toContain("not opened");
  }
  expect(world.list.connections()).toBe(0);
});

test("a redirect to an address that is not public is not followed, and never a pass", async () => {
  // Only the list server's own address is open.
  const world = await openWorld({ privateTargets: { all: false, networks: ["127.0.0.1/32"] } });
  world.internet.zone = insideZone;
  for (const host of inside.filter((one) => !["2130706433", "0x7f.1", "localhost"].includes(one))) {
    answers.inward = [302, { location: `https://${host}/page` }, ""];
    const id = await world.arrive({ unsubscribe: `<${world.at("inward")}>` });
    const [{ result, says }] = (await world.visit(id)).json.visits;
    expect([host, result]).toEqual([host, "unclear"]);
    expect(says).toContain("its last page was not opened");
  }
  expect(world.list.heard.every(({ path }) => path === "/inward")).toBe(true);
});
