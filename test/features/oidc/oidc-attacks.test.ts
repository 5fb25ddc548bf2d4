// What must not log anyone in or out: invalid and foreign tokens, responses that another browser requested, and
// redirects to other sites.

import { SignJWT, UnsecuredJWT } from "jose";
import { expect, test } from "vitest";
import { toOwnPath } from "../../../src/platform/contract/login-cookie.ts";
import { loginCookie, readRoles, toIssuer, worldWithIssuer } from "../../http/oidc-world.ts";
import { clientId, newJti, openBrowser, type StrangeIssuer, startStrange } from "../../oidc-issuer.ts";

const everyone = [{ when: "everyone", role: "member" }];
const logOutEvent = { "http://schemas.openid.net/event/backchannel-logout": {} };

async function start() {
  const [issuer, other] = [await startStrange(), await startStrange()];
  const world = await worldWithIssuer({
    company: toIssuer(issuer.url, { roles: everyone }),
    second: toIssuer(other.url, { roles: everyone }),
  });
  return { world, issuer, other };
}

type World = Awaited<ReturnType<typeof start>>["world"];
type Asked = { readonly state: string; readonly nonce: string };

/** Goes as far as the issuer's login page. */
async function begin({ base }: World, browser: ReturnType<typeof openBrowser>, name = "company"): Promise<Asked> {
  const { at } = await browser.open(`${base}/api/oidc/${name}/start`, (url) => url.pathname === "/authorize");
  const { state = "", nonce = "", code_challenge_method } = Object.fromEntries(at.searchParams);
  expect(code_challenge_method).toBe("S256");
  return { state, nonce };
}

/** Comes back, and returns the problem, or null for someone who is in. */
async function comeBack(
  { base }: World,
  browser: ReturnType<typeof openBrowser>,
  query: Readonly<Record<string, string>>,
  name = "company",
): Promise<string | null> {
  const url = `${base}/api/oidc/${name}/callback?${new URLSearchParams(query)}`;
  const { at } = await browser.open(url, (place) => !place.pathname.startsWith("/api/"));
  return at.searchParams.get("problem");
}

type Claims = Readonly<Record<string, unknown>>;
const nowSeconds = () => Math.floor(Date.now() / 1_000);

function rightClaims(issuer: StrangeIssuer, nonce: string): Claims {
  return {
    iss: issuer.url,
    aud: clientId,
    sub: "eve",
    nonce,
    iat: nowSeconds(),
    exp: nowSeconds() + 300,
    email: "eve@example.com",
    email_verified: true,
    sid: "login-1",
  };
}

const sign = ({ privateKey, kid }: StrangeIssuer, claims: Claims) =>
  new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey);

const toAnswer = (id_token: string) => ({ access_token: "access", token_type: "Bearer", expires_in: 60, id_token });

test("a login needs a token that the issuer signed for us, now, and for this request", async () => {
  const { world, issuer, other } = await start();
  const cases: readonly (readonly [string, (claims: Claims) => Promise<string>])[] = [
    ["another nonce", (claims) => sign(issuer, { ...claims, nonce: "other" })],
    ["no nonce", (claims) => sign(issuer, { ...claims, nonce: undefined })],
    ["another audience", (claims) => sign(issuer, { ...claims, aud: "another-client" })],
    [
      "several audiences without azp",
      (claims) => sign(issuer, { ...claims, aud: [clientId, "another"], azp: "another" }),
    ],
    ["another issuer", (claims) => sign(issuer, { ...claims, iss: other.url })],
    ["expired", (claims) => sign(issuer, { ...claims, iat: nowSeconds() - 900, exp: nowSeconds() - 300 })],
    ["a foreign key", (claims) => sign({ ...other, kid: issuer.kid }, claims)],
    ["no signature", async (claims) => new UnsecuredJWT(claims as never).encode()],
    [
      "the client's secret as key",
      (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: "HS256" })
          .sign(Buffer.from("the-secret-of-the-client-0123456789")),
    ],
    [
      "a changed body",
      async (claims) => {
        const [head, , tail] = (await sign(issuer, claims)).split(".");
        return `${head}.${Buffer.from(JSON.stringify({ ...claims, sub: "root" })).toString("base64url")}.${tail}`;
      },
    ],
    ["no token", async () => ""],
  ];
  for (const [name, make] of cases) {
    const browser = openBrowser();
    const { state, nonce } = await begin(world, browser);
    issuer.next.tokens = async () => toAnswer(await make(rightClaims(issuer, nonce)));
    expect([name, await comeBack(world, browser, { state, code: "a-code" })]).toEqual([name, "refused"]);
    expect(await readRoles(world, browser)).toBe(401);
    // The limit of login requests is not what this is about.
    world.clock.nowMs += 10_000;
  }
  expect(await world.store.read.selectFrom("users").selectAll().execute()).toEqual([]);
  const browser = openBrowser();
  const { state, nonce } = await begin(world, browser);
  issuer.next.tokens = async (fields) => {
    expect(fields.get("code_verifier")).toMatch(/^[\w-]{43}$/);
    return toAnswer(await sign(issuer, rightClaims(issuer, nonce)));
  };
  expect(await comeBack(world, browser, { state, code: "a-code" })).toBeNull();
  expect(await readRoles(world, browser)).toEqual({ Server: "member" });
});

test("only the browser that started a login can finish it, once, and with the same issuer", async () => {
  const { world, issuer, other } = await start();
  const attacker = openBrowser();
  const asked = await begin(world, attacker);
  issuer.next.tokens = async () => toAnswer(await sign(issuer, rightClaims(issuer, asked.nonce)));
  const back = { state: asked.state, code: "a-code" };
  // Login CSRF: the attacker's answer in another person's browser, with and without a login of its own.
  const victim = openBrowser();
  expect(await comeBack(world, victim, back)).toBe("interrupted");
  await begin(world, victim);
  expect(await comeBack(world, victim, back)).toBe("interrupted");
  // Mix-up: the answer at another issuer's callback, or with another issuer's name.
  const cookie = attacker.cookieOf(world.base, loginCookie) ?? "";
  const again = () => attacker.setCookie(world.base, loginCookie, cookie);
  expect(await comeBack(world, attacker, back, "second")).toBe("interrupted");
  expect(other.asked.filter((one) => one.startsWith("POST"))).toEqual([]);
  again();
  expect(await comeBack(world, attacker, { ...back, state: `${asked.state}x` })).toBe("interrupted");
  again();
  expect(await comeBack(world, attacker, back)).toBeNull();
  expect(await comeBack(world, attacker, back)).toBe("interrupted");
  // A state works once, even if the cookie was kept and the issuer takes the code again.
  again();
  expect(await comeBack(world, attacker, back)).toBe("interrupted");
  const misled = openBrowser();
  const { state: misledState } = await begin(world, misled);
  const mixedUp = { state: misledState, code: "a-code", iss: other.url };
  expect(await comeBack(world, misled, mixedUp)).toBe("refused");
  expect(issuer.asked.filter((one) => one.startsWith("POST"))).toHaveLength(1);
  attacker.setCookie(world.base, loginCookie, `${cookie.slice(0, -4)}AAAA`);
  expect(await comeBack(world, attacker, back)).toBe("interrupted");
  // Ten minutes later.
  const late = openBrowser();
  const { state } = await begin(world, late);
  world.clock.nowMs += 600_000;
  expect(await comeBack(world, late, { state, code: "a-code" })).toBe("interrupted");
});

test("an issuer whose metadata names another one is rejected", async () => {
  const { world, issuer, other } = await start();
  issuer.next.metadata = { issuer: other.url };
  const { at } = await openBrowser().open(
    `${world.base}/api/oidc/company/start`,
    (place) => place.pathname === "/login",
  );
  expect(at.search).toBe("?problem=refused&at=company");
  expect((await world.ask("GET", "/api/oidc/nobody/start")).status).toBe(404);
});

test("a logout token ends sessions immediately, but only with a valid signature and purpose", async () => {
  const { world, issuer, other } = await start();
  const browser = openBrowser();
  const { state, nonce } = await begin(world, browser);
  issuer.next.tokens = async () => toAnswer(await sign(issuer, rightClaims(issuer, nonce)));
  await comeBack(world, browser, { state, code: "a-code" });
  world.clock.nowMs = Date.now();
  const right = {
    iss: issuer.url,
    aud: clientId,
    sub: "eve",
    iat: nowSeconds(),
    exp: nowSeconds() + 120,
    jti: newJti(),
    events: logOutEvent,
  };
  const send = async (token: string, name = "company") => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ logout_token: token }).toString();
    return (await world.ask("POST", `/api/oidc/${name}/logout`, { body, headers })).status;
  };
  const wrong: readonly Claims[] = [
    rightClaims(issuer, nonce),
    { ...right, nonce },
    { ...right, aud: "another-client" },
    { ...right, iss: other.url },
    { ...right, events: {} },
    { ...right, jti: undefined },
    { ...right, sub: undefined },
    { ...right, iat: nowSeconds() - 900, exp: nowSeconds() - 600 },
    { ...right, iat: nowSeconds() - 900, exp: undefined },
    { ...right, iat: nowSeconds() + 900, exp: nowSeconds() + 1_900 },
  ];
  for (const claims of wrong) expect([claims, await send(await sign(issuer, claims))]).toEqual([claims, 400]);
  expect(await send(new UnsecuredJWT(right as never).encode())).toBe(400);
  expect(await send(await sign({ ...other, kid: issuer.kid }, right))).toBe(400);
  expect(await send(await sign(issuer, right), "second")).toBe(400);
  for (const junk of ["", "a.b.c", "x".repeat(9_000)]) expect(await send(junk)).toBe(400);
  expect(await send(await sign(issuer, { ...right, sid: "another-login" }))).toBe(200);
  expect(await readRoles(world, browser)).toEqual({ Server: "member" });
  const used = await sign(issuer, { ...right, jti: newJti(), sub: undefined, sid: "login-1" });
  expect(await send(used)).toBe(200);
  expect(await readRoles(world, browser)).toBe(401);
  // The same token ends no session that began after it was used, even one with the same ID at the issuer.
  const again = await begin(world, browser);
  issuer.next.tokens = async () => toAnswer(await sign(issuer, rightClaims(issuer, again.nonce)));
  await comeBack(world, browser, { state: again.state, code: "a-code" });
  expect(await send(used)).toBe(200);
  expect(await readRoles(world, browser)).toEqual({ Server: "member" });
  expect(await send(await sign(issuer, { ...right, jti: newJti(), sid: "login-1" }))).toBe(200);
  expect(await readRoles(world, browser)).toBe(401);
});

test("a login never redirects to another site", async () => {
  const elsewhere = [
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "evil.example",
    "",
    "/.//evil.example",
    "/a/..//evil.example",
    "/%0d%0aX: y\r\nX: y",
    "/\u2028",
    `/${"x".repeat(600)}`,
    "/..//evil.example",
    "/./\\evil.example",
  ];
  for (const path of elsewhere) {
    const led = new URL(toOwnPath(path), "https://own.example");
    expect([path, led.origin]).toEqual([path, "https://own.example"]);
    expect(toOwnPath(path)).not.toMatch(/^\/[/\\]|[\r\n]/);
  }
  expect(toOwnPath("/tests?q=a%20b#x")).toBe("/tests?q=a%20b#x");
  const { world, issuer } = await start();
  const browser = openBrowser();
  const { at } = await browser.open(
    `${world.base}/api/oidc/company/start?next=${encodeURIComponent("//evil.example")}`,
    (url) => url.pathname === "/authorize",
  );
  const { state = "", nonce = "" } = Object.fromEntries(at.searchParams);
  issuer.next.tokens = async () => toAnswer(await sign(issuer, rightClaims(issuer, nonce)));
  const back = await browser.open(
    `${world.base}/api/oidc/company/callback?${new URLSearchParams({ state, code: "c" })}`,
    (place) => !place.pathname.startsWith("/api/"),
  );
  expect(back.at.href).toBe(`${world.base}/`);
});
