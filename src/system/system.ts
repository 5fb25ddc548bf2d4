// Every effect but the database and our own sockets, in one required argument. Nothing imports an effect; tests pass a world of data.

import type { Dns } from "../dns/answer.ts";
import type { FetchDoor } from "./fetch.ts";
import type { Log } from "./log.ts";

export type System = {
  /** Milliseconds since 1970. Read once in a task and passed down. */
  readonly now: () => number;
  /** Bytes fit for secrets. */
  readonly random: (byteCount: number) => Uint8Array;
  readonly dns: Dns;
  /** For what members, messages or DNS name: public addresses only. */
  readonly fetchStranger: FetchDoor;
  /** For origins that stand in the configuration: may be private. */
  readonly fetchOperator: FetchDoor;
  readonly log: Log;
};
