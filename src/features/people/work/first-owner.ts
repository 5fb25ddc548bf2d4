// Until the server has an owner, its web address leads to setup. The setup link always works. On the server's own
// computer, a short code from the terminal works too, for people who open the web address. A short code can be guessed,
// so it has few tries, and it is gone with a restart, with the first owner, or after a day.

import { timingSafeEqual } from "node:crypto";
import { hashSecret } from "../../../platform/contract/secrets.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { System } from "../../../platform/system/system.ts";
import { hasOwner } from "../rows/memberships.ts";
import { readFirstWorkspaceId } from "../rows/workspaces.ts";
import { links } from "../rules/links.ts";

export type FirstOwner = {
  /** Whether the server still has to be set up. */
  readonly isMissing: () => Promise<boolean>;
  /** For the terminal: eight characters in two groups. */
  readonly code: string;
  /** Throws unless it is the code. Counts a wrong one. `alsoWrong`: what else to say then. */
  readonly checkCode: (typed: string, alsoWrong: string) => void;
};

/** No characters that look alike: 32 of them, so five bits each. */
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const codeLength = 8;
const maxWrongCodes = 10;

export function createFirstOwner(
  { read }: Pick<Store, "read">,
  { now, random }: Pick<System, "now" | "random">,
): FirstOwner {
  const secret = [...random(codeLength)].map((byte) => alphabet[byte & 31]).join("");
  const expiresAt = now() + links.setUp.lifeMs;
  let wrongCodes = 0;
  let isThere = false;
  return {
    code: `${secret.slice(0, 4)}-${secret.slice(4)}`,
    isMissing: async () => {
      // The last owner can't leave, so this never becomes false again.
      if (isThere) return false;
      const workspaceId = await readFirstWorkspaceId(read);
      if (workspaceId === undefined) return false;
      isThere = await hasOwner(inWorkspace(read, workspaceId));
      return !isThere;
    },
    checkCode: (typed, alsoWrong) => {
      if (wrongCodes >= maxWrongCodes || now() >= expiresAt)
        throw wrongCode(
          "The setup code no longer works. Open the setup link from the terminal, or restart Assay for a new code.",
        );
      if (isSame(typed.toUpperCase().replaceAll(/[\s-]/g, ""), secret)) return;
      wrongCodes += 1;
      throw wrongCode(`This is not the setup code. The terminal shows it after “Code”.${alsoWrong}`);
    },
  };
}

/** Takes the same time whatever was typed. timingSafeEqual needs equal lengths. */
function isSame(typed: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(typed)), Buffer.from(hashSecret(secret)));
}

function wrongCode(message: string): Refusal {
  return new Refusal("invalid_link", message, { field: "code" });
}
