// What the response to a one-click request shows. A 2xx status is all that RFC 8058 asks for. Whether the address is really
// unsubscribed only shows later, when mail of the list arrives or not.

import { namesUnsubscribing } from "../mail/links/unsubscribe-words.ts";
import { toVisibleCut } from "../visible-text.ts";

export type Answered = {
  readonly ok: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly setsCookie?: true;
  readonly isPart?: true;
};
export type Unanswered = { readonly ok: false; readonly failure: string; readonly problem: string };

export const unsubscribeResults = ["accepted", "rejected", "unclear", "unreachable", "refused"] as const;
/**
 * `unclear`: the response asks for more. `unreachable`: no response. `refused`: not sent, because the address is not public.
 */
type UnsubscribeResult = (typeof unsubscribeResults)[number];

export const requirementIds = ["tls", "status", "redirect", "login", "cookie", "time"] as const;

type Requirement = {
  readonly id: (typeof requirementIds)[number];
  /** Null: it can't be known from this response. */
  readonly met: boolean | null;
  readonly says: string;
};

export type UnsubscribeOutcome = {
  readonly result: UnsubscribeResult;
  readonly says: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly bodyBytes: number | null;
  readonly isBodyCut: boolean;
  /** Where it redirects to. The redirect is not followed. */
  readonly location: string | null;
  readonly requirements: readonly Requirement[];
  /** The relay's reply, for a message. */
  readonly reply: string | null;
};

export const unsubscribePatienceMs = 15_000;
/** No standard names a limit. A person who waits longer than this presses "spam". */
const slowMs = 5_000;
export const unsubscribeMaxBytes = 262_144;
const longestLocation = 500;

export function judgeResponse(outcome: Answered | Unanswered, durationMs: number): UnsubscribeOutcome {
  if (!outcome.ok) return judgeFailure(outcome, durationMs);
  const { status, body, headers, setsCookie } = outcome;
  const location = isRedirect(status) ? toVisibleCut(headers.location ?? "", longestLocation) : null;
  const page = readPage(outcome);
  const requirements: readonly Requirement[] = [
    { id: "tls", met: true, says: "The server has a trusted certificate for its name." },
    statusRow(status),
    redirectRow(location),
    loginRow(status, page),
    {
      id: "cookie",
      met: setsCookie ? null : true,
      says: setsCookie
        ? "The response sets a cookie. Receivers send none, so the server must not need it."
        : "The response does not set a cookie.",
    },
    timeRow(durationMs),
  ];
  return {
    ...judgePage(status, location, page),
    status,
    durationMs,
    location,
    requirements,
    reply: null,
    bodyBytes: body.length,
    isBodyCut: body.length >= unsubscribeMaxBytes,
  };
}

function judgeFailure({ failure, problem }: Unanswered, durationMs: number): UnsubscribeOutcome {
  const isGuarded = failure === "refused_address" || failure === "invalid_url";
  const row: readonly Requirement[] =
    failure === "tls"
      ? [{ id: "tls", met: false, says: problem }]
      : failure === "timeout"
        ? [{ id: "time", met: false, says: problem }]
        : [];
  return {
    result: isGuarded ? "refused" : "unreachable",
    says: isGuarded
      ? `The request was not sent: ${problem}`
      : failure === "timeout"
        ? `${problem} The server may have processed the request.`
        : problem,
    status: null,
    durationMs,
    bodyBytes: null,
    isBodyCut: false,
    location: null,
    reply: null,
    requirements: row,
  };
}

type Page = "none" | "login" | "form" | "other";

/**
 * A page with a password field is a login page, unless it says something about unsubscribing: sites also have logins in
 * their headers. A form may be a login or a second click, and the page does not show which.
 */
function readPage({ body, headers }: Answered): Page {
  if (!/html/i.test(headers["content-type"] ?? "") || body.length === 0) return "none";
  const text = Buffer.from(body).toString("utf8");
  const hasPassword = text
    .split(/<input\b/i)
    .slice(1)
    .some(isPassword);
  if (hasPassword && !namesUnsubscribing(text)) return "login";
  return hasPassword || /<form\b/i.test(text) ? "form" : "other";
}

const longestTag = 500;

/** `text`: what follows the tag's name. */
function isPassword(text: string): boolean {
  const [tag = ""] = text.slice(0, longestTag).split(">", 1);
  return tag.split(/\s/).some((part) => /^type=["']?password["']?\/?$/i.test(part));
}

function judgePage(status: number, location: string | null, page: Page): Pick<UnsubscribeOutcome, "result" | "says"> {
  if (location !== null)
    return {
      result: "rejected",
      says: `The server redirects (${status}). Receivers don’t follow redirects of a POST request, so nothing may have happened.`,
    };
  if (status < 200 || status > 299)
    return { result: "rejected", says: `The server responds with an error (${status}).` };
  if (page === "login")
    return {
      result: "unclear",
      says: `The server responds with ${status} and a login page, so it probably did not unsubscribe the address.`,
    };
  if (page === "form")
    return {
      result: "unclear",
      says: `The server responds with ${status} and a page that has a form. It may expect another click.`,
    };
  return { result: "accepted", says: `The server accepted the request (${status}).` };
}

function statusRow(status: number): Requirement {
  const isFine = status >= 200 && status <= 299;
  return {
    id: "status",
    met: isFine,
    says: isFine ? `The status is ${status}.` : `The status is ${status}. Receivers require 2xx.`,
  };
}

function redirectRow(location: string | null): Requirement {
  if (location === null) return { id: "redirect", met: true, says: "The response does not redirect." };
  const where = location === "" ? "without a target" : `to ${location}`;
  return { id: "redirect", met: false, says: `The response redirects ${where}. RFC 8058 §3.1 forbids redirects.` };
}

function loginRow(status: number, page: Page): Requirement {
  if (status === 401 || status === 403 || status === 407)
    return { id: "login", met: false, says: `The status ${status} asks for a login or denies access.` };
  if (page === "login")
    return { id: "login", met: false, says: "The page has a password field, so it is a login page." };
  if (page === "form")
    return { id: "login", met: null, says: "The page has a form. It may be a login or another step." };
  return { id: "login", met: true, says: "The response does not ask for a login." };
}

function timeRow(durationMs: number): Requirement {
  const time = durationMs < 1_000 ? `${durationMs} ms` : `${(durationMs / 1_000).toFixed(1)} s`;
  return durationMs <= slowMs
    ? { id: "time", met: true, says: `The response took ${time}.` }
    : { id: "time", met: false, says: `The response took ${time}. Receivers may stop waiting earlier.` };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status <= 399 && status !== 304;
}

/** For a message that the relay accepted or rejected. */
export function judgeDelivery(
  outcome: { readonly accepted: boolean; readonly reply: string },
  durationMs: number,
): UnsubscribeOutcome {
  const { accepted, reply } = outcome;
  return {
    result: accepted ? "accepted" : "rejected",
    says: accepted
      ? "The relay accepted the unsubscribe message. Whether the list processes it only shows later."
      : "The unsubscribe message was not delivered to the relay.",
    status: null,
    durationMs,
    bodyBytes: null,
    isBodyCut: false,
    location: null,
    requirements: [],
    reply,
  };
}
