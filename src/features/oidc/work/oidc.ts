// Login at an organization's issuer by OpenID Connect: authorization code with PKCE, a nonce, and a state that is bound to
// the browser (src/decisions.md, "Log in with an organization").

import { createHash } from "node:crypto";
import { toOwnPath } from "../../../platform/contract/login-cookie.ts";
import { createSecret, hashSecret, secretBytes } from "../../../platform/contract/secrets.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { type Failure, toFailure } from "../../../platform/system/oauth-failure.ts";
import { hasFactor } from "../../people/rows/second-factors.ts";
import { findSession } from "../../people/rows/sessions.ts";
import type { Accounts } from "../../people/work/accounts.ts";
import type { OtherLogins } from "../../people/work/other-logins.ts";
import type { Browser, StartedSession } from "../../people/work/sessions.ts";
import { useOnce } from "../rows.ts";
import type { Issuer } from "../rules.ts";
import type { LogInProblem } from "../words.ts";
import { type ArrivalTerms, arrive, connectIdentity, readSaidEmail } from "./arrive.ts";
import { createIssuerClients, type IssuerClients, type Proofs, type Said } from "./issuer-clients.ts";
import { createLogOutNotes, findLogOutUrl, type NoteLogOut } from "./log-out.ts";
import { createSessionCheck } from "./session-check.ts";
import { createTicketOffice, type Ticket, type TicketOffice } from "./tickets.ts";

export type Oidc = OtherLogins & {
  /** Refuses an unknown name. */
  readonly find: (name: string) => Issuer;
  readonly begin: (issuer: Issuer, asked: Beginning) => Promise<Begun>;
  readonly finish: (issuer: Issuer, back: CameBack) => Promise<Finished>;
  /** For our own page: a path that begins to connect the account with the issuer. */
  readonly toConnectPath: (issuer: Issuer, userId: string, next: string) => string;
  /** Connects the account whose password is given with the person in the cookie. Returns where to log in. */
  readonly link: (cookie: string | null, password: string) => Promise<string>;
  /** The account whose password `link` asks for. */
  readonly findLinkedEmail: (cookie: string | null) => string | undefined;
  readonly noteLogOut: NoteLogOut;
};

type Beginning = {
  readonly next: string | undefined;
  /** From `toConnectPath`. */
  readonly connect: string | undefined;
  /** Asks the issuer for another login than the one that it remembers. */
  readonly asOther: boolean;
};

/** `cookie`: the value to set. */
type Begun =
  | { readonly ok: true; readonly url: string; readonly cookie: string }
  | { readonly ok: false; readonly problem: LogInProblem };

type CameBack = {
  readonly query: Readonly<Partial<Record<"state" | "code" | "iss" | "error", string | undefined>>>;
  /** The cookie of the login. */
  readonly cookie: string | null;
  /** The value of the session cookie. */
  readonly session: string | null;
  readonly browser: Browser;
};

type Finished =
  | { readonly ok: true; readonly next: string; readonly session: StartedSession | null }
  | {
      readonly ok: false;
      readonly problem: LogInProblem;
      readonly next: string;
      /** For connecting the account with the same email address. */
      readonly cookie: string | null;
      /** Whom the issuer named, if Assay then refused them. */
      readonly refused?: string;
    };

type OidcTerms = ArrivalTerms & {
  readonly issuers: readonly Issuer[];
  readonly system: ArrivalTerms["system"] & Parameters<typeof createIssuerClients>[0]["system"];
  readonly config: Pick<Config, "login">;
  readonly checkPassword: Accounts["checkPassword"];
  readonly baseUrl: () => string;
};

type Parts = OidcTerms & { readonly clients: IssuerClients; readonly office: TicketOffice };

export function createOidc(terms: OidcTerms): Oidc {
  const { issuers, baseUrl } = terms;
  const clients = createIssuerClients(terms);
  const parts = { ...terms, clients, office: createTicketOffice(terms.sealer, terms.system) };
  return {
    ways: new Map(issuers.map(({ key, name, label }) => [key, { name, label, path: toStartPath({ name }) }])),
    find: (name) => {
      const issuer = clients.find(name);
      if (issuer === undefined) throw new Refusal("not_found", "No such login.");
      return issuer;
    },
    begin: (issuer, asked) => begin(parts, issuer, asked),
    finish: (issuer, back) => finish(parts, issuer, back),
    toConnectPath: (issuer, userId, next) => {
      const connect = parts.office.issue("connect", { issuer: issuer.key, userId, next: toOwnPath(next) });
      return `${toStartPath(issuer)}?${new URLSearchParams({ connect })}`;
    },
    link: (cookie, password) => link(parts, cookie, password),
    findLinkedEmail: (cookie) => parts.office.read("link", cookie)?.email,
    findLogOutUrl: async (session) =>
      session === null ? null : await findLogOutUrl(parts, hashSecret(session), `${baseUrl()}/login?out=1`),
    noteLogOut: createLogOutNotes(parts),
    admits: createSessionCheck(parts),
  };
}

function toStartPath({ name }: Pick<Issuer, "name">): string {
  return `/api/oidc/${name}/start`;
}

/** Each issuer has its own, so that an answer of one can't be taken for another's (RFC 9700 §4.4). */
export function toCallback({ baseUrl }: Pick<Parts, "baseUrl">, { name }: Issuer): string {
  return `${baseUrl()}/api/oidc/${name}/callback`;
}

async function begin(parts: Parts, issuer: Issuer, { next, connect, asOther }: Beginning): Promise<Begun> {
  const { clients, office, system } = parts;
  const ticket = connect === undefined ? null : office.read("connect", connect);
  if (ticket === undefined || (ticket !== null && ticket.issuer !== issuer.key))
    return { ok: false, problem: "interrupted" };
  const newSecret = () => createSecret(system.random(secretBytes));
  const proofs: Proofs = { state: newSecret(), nonce: newSecret(), verifier: newSecret() };
  try {
    const { library, configuration } = await clients.open(issuer);
    const url = library.buildAuthorizationUrl(configuration, {
      ...issuer.parameters,
      ...(asOther && { prompt: "login" }),
      redirect_uri: toCallback(parts, issuer),
      scope: issuer.scopes.join(" "),
      state: proofs.state,
      nonce: proofs.nonce,
      code_challenge: createHash("sha256").update(proofs.verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const cookie = office.issue("login", {
      ...proofs,
      issuer: issuer.key,
      next: ticket?.next ?? toOwnPath(next),
      userId: ticket?.userId ?? null,
    });
    return { ok: true, url: url.href, cookie };
  } catch (error) {
    const failure = toFailure(error);
    system.log.warn("An OpenID Connect login could not begin.", { issuer: issuer.name, code: failure.code });
    return { ok: false, problem: toProblem(failure) };
  }
}

function toProblem({ kind }: Failure): LogInProblem {
  if (kind === "silent") return "silent";
  return kind === "denied" ? "denied" : "refused";
}

async function finish(parts: Parts, issuer: Issuer, back: CameBack): Promise<Finished> {
  const { clients, office, store, system } = parts;
  const ticket = office.read("login", back.cookie);
  const isTheirs = ticket?.issuer === issuer.key && ticket.state === back.query.state;
  if (ticket === undefined || !isTheirs) return failed("interrupted", "/");
  const isFirst = await store.write((db) => useOnce(db, ticket.state, system.now()));
  if (!isFirst) return failed("interrupted", ticket.next);
  const callback = new URL(toCallback(parts, issuer));
  for (const [name, value] of Object.entries(back.query))
    if (value !== undefined) callback.searchParams.set(name, value);
  const outcome = await clients.redeem(issuer, callback, ticket);
  if (!outcome.ok) return failed(toProblem(outcome), ticket.next);
  return ticket.userId === null
    ? await logIn(parts, issuer, outcome.said, { ticket, browser: back.browser })
    : await connect(parts, issuer, outcome.said, { ...ticket, userId: ticket.userId, session: back.session });
}

function failed(
  problem: LogInProblem,
  next: string,
  { cookie = null, ...more }: { readonly cookie?: string | null; readonly refused?: string } = {},
): Finished {
  return { ok: false, problem, next, cookie, ...more };
}

async function logIn(
  parts: Parts,
  issuer: Issuer,
  said: Said,
  { ticket: { next }, browser }: { readonly ticket: Ticket<"login">; readonly browser: Browser },
): Promise<Finished> {
  const arrival = await arrive(parts, issuer, said, browser);
  if (arrival.ok) return { ok: true, next, session: arrival.session };
  const { problem, email } = arrival;
  if (email === undefined) {
    const refused = readSaidEmail(issuer, said.claims).address ?? said.subject;
    return failed(problem, next, { refused });
  }
  const { subject } = said;
  const cookie = parts.office.issue("link", { issuer: issuer.key, subject, email, next });
  return failed(problem, next, { cookie });
}

type Connecting = { readonly userId: string; readonly next: string; readonly session: string | null };

/** The person who began must still be logged in here. */
async function connect(
  parts: Parts,
  issuer: Issuer,
  said: Said,
  { userId, next, session: secret }: Connecting,
): Promise<Finished> {
  const { store, system } = parts;
  const session = secret === null ? undefined : await findSession(store.read, hashSecret(secret), system.now());
  if (session?.user_id !== userId) return failed("other_person", next);
  const person = { issuer: issuer.key, subject: said.subject, email: readSaidEmail(issuer, said.claims).address };
  const identity = await connectIdentity(parts, userId, person);
  return identity === undefined ? failed("taken", next) : { ok: true, next, session: null };
}

function factorMissing({ label }: Issuer, { login }: OidcTerms["config"]): Refusal {
  const fix =
    login === "oidc"
      ? "Ask your administrator to remove it (assay user reset-second-factor)."
      : `Log in with your password and the second factor, and then connect ${label} under Settings, Account.`;
  return new Refusal("second_factor_required", `This account needs a second factor. ${fix}`);
}

async function link(parts: Parts, cookie: string | null, password: string): Promise<string> {
  const ticket = parts.office.read("link", cookie);
  const issuer = parts.issuers.find(({ key }) => key === ticket?.issuer);
  if (ticket === undefined || issuer === undefined)
    throw new Refusal("invalid_link", "This login took longer than ten minutes. Start again.");
  const user = await parts.checkPassword(ticket.email, password);
  // Later logins at the issuer don't ask for it, so the password alone must not lead to them.
  if (await hasFactor(parts.store.read, user.id)) throw factorMissing(issuer, parts.config);
  const { subject, email, next } = ticket;
  const identity = await connectIdentity(parts, user.id, { issuer: issuer.key, subject, email });
  if (identity === undefined)
    throw new Refusal("conflict", `This person at ${issuer.label} is already connected with another account.`);
  parts.system.log.info("An account was connected with an issuer.", { issuer: issuer.name, userId: user.id });
  // The issuer remembers the person, so this asks for nothing more.
  return `${toStartPath(issuer)}?${new URLSearchParams({ next })}`;
}
