// All effects except the database and our own sockets, in one required argument. No other module imports an effect. Tests
// pass a world of data.

import type { Dns } from "../../analyzer/dns/answer.ts";
import type { FetchDoor } from "../../analyzer/facts/fetch.ts";
import type { Log } from "./log.ts";

export type System = {
  /** Milliseconds since 1970. Read once per task and passed on. */
  readonly now: () => number;
  /** Random bytes for secrets. */
  readonly random: (byteCount: number) => Uint8Array;
  readonly dns: Dns;
  /** For URLs from members, messages or DNS. Only public addresses. */
  readonly fetchStranger: FetchDoor;
  /** For URLs from the configuration. May be private. */
  readonly fetchOperator: FetchDoor;
  readonly log: Log;
};
