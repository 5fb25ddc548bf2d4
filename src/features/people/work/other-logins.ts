// Ways to log in besides a password here. A feature that has some opens its own in place of this one, which has none.

import type { Server } from "../../../platform/server.ts";
import { hasLoginElsewhere } from "../rows/sessions.ts";
import type { SessionsTable } from "../tables.ts";
import { mayUsePassword } from "./password-use.ts";

export type OtherLogins = {
  /** By the issuer that identities name. */
  readonly ways: ReadonlyMap<string, OtherWay>;
  /** Whether a session may go on, wherever it began. */
  readonly admits: (session: Pick<SessionsTable, "id" | "user_id">) => Promise<boolean>;
  /** Where the session with this secret ends elsewhere, too. Null: nowhere. */
  readonly findLogOutUrl: (secret: string | null) => Promise<string | null>;
};

type OtherWay = {
  readonly name: string;
  /** On the button. */
  readonly label: string;
  /** Where a browser begins. */
  readonly path: string;
};

export function createNoOtherLogins(server: Pick<Server, "store" | "config">): OtherLogins {
  return {
    ways: new Map(),
    // A session that began elsewhere can't be checked there.
    admits: async ({ id, user_id }) =>
      !(await hasLoginElsewhere(server.store.read, id)) && (await mayUsePassword(server, user_id)),
    findLogOutUrl: async () => null,
  };
}
