// One rule for paths: a path names something only as it is written in the table. A doubled slash, a dot segment or an
// escape names nothing (404), because every tolerance is a second name for a thing and a way around some check. One slash
// at the end names nothing either, but redirects to the path without it. What is no address at all is refused (400).

import { Refusal } from "../errors.ts";
import { pathNotFound } from "./errors.ts";

const longestTarget = 4096;
const plainPath = /^\/$|^(?:\/(?!\.\.?(?:\/|$))[\w.~!$&'()*+,;=:@-]+)+$/;

export type Target = {
  /** Without the slash at its end. */
  readonly path: string;
  readonly query: string;
  /** Where a request with one slash too many at its end is sent; null for the others. */
  readonly redirectTo: string | null;
};

/** `target` is the request line's (RFC 9112 §3.2): a path, or a whole address. */
export function parseTarget(target: string): Target {
  if (target.length > longestTarget)
    throw malformed(`The address is longer than ${longestTarget} characters.`);
  const local = target.replace(/^https?:\/\/[^/?#]*/i, "") || "/";
  const [path = "", ...rest] = local.split("?");
  const query = rest.join("?");
  if (!path.startsWith("/")) throw malformed("The address does not begin with a slash.");
  if (!isDecodable(path) || !isDecodable(query))
    throw malformed("The address has a percent sign that is no escape of UTF-8 text, or a NUL.");
  const plain = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  if (!plainPath.test(plain)) throw pathNotFound();
  const redirectTo = plain === path ? null : plain + (query === "" ? "" : `?${query}`);
  return { path: plain, query, redirectTo };
}

function isDecodable(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes("\0");
  } catch {
    return false;
  }
}

function malformed(message: string): Refusal {
  return new Refusal("invalid_request", message);
}
