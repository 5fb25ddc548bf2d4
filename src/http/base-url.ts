import type { Config } from "../config.ts";
import { toHostPort } from "../setting-kinds.ts";

/** What links to this server begin with, without a slash at its end. `port`: the one that was bound. */
export function toBaseUrl(
  { baseUrl, httpHost, httpTlsCert }: Pick<Config, "baseUrl" | "httpHost" | "httpTlsCert">,
  port: number,
): string {
  const scheme = httpTlsCert === null ? "http" : "https";
  return baseUrl ?? `${scheme}://${toHostPort({ host: httpHost, port })}`;
}
