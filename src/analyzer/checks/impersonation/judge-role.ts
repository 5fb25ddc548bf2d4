// Whether a sender name claims to be the recipient's own organization: by name ("Acme IT Support"), or by a typical in-house
// role ("IT Helpdesk", "Mailbox Administrator").

import { toWords, type Word } from "./fold.ts";
import { fillerWords, placeWords } from "./name-words-table.ts";
import { folded, isIn, type Looks } from "./word-sets.ts";

const looksOf = (words: string): Looks => folded(words.split(" "));

// Each row is a role. A name matches if it has a word from each set of the row and no unknown word.
type Role = { readonly isMailbox: boolean; readonly sets: readonly Looks[] };

const admins = "admin admins administrator administrators administrateur administrador amministratore administration";
const mails = "mail mails email emails server system domain messagerie correo posta";
const units =
  "support help helpdesk desk service services servicedesk department dept team unit division admin administrator center centre abteilung";

const roles: readonly Role[] = [
  { isMailbox: true, sets: [looksOf("mailbox webmail postfach owa roundcube zimbra mailserver")] },
  {
    isMailbox: true,
    sets: [looksOf("mail mails email emails messagerie correo posta"), looksOf(`${admins} quota upgrade`)],
  },
  { isMailbox: false, sets: [looksOf(mails), looksOf(admins)] },
  { isMailbox: false, sets: [looksOf("it ict edv informatique informatica"), looksOf(units)] },
  { isMailbox: false, sets: [looksOf("hr payroll personalabteilung")] },
  {
    isMailbox: false,
    sets: [looksOf("human ressources recursos risorse"), looksOf("resources humaines humanos umane")],
  },
  {
    isMailbox: false,
    sets: [
      looksOf("security fraud sicherheits seguridad"),
      looksOf("alert alerts warning notice notification department center"),
    ],
  },
  {
    isMailbox: false,
    sets: [looksOf("account"), looksOf("team security verification notice alert alerts notification")],
  },
  { isMailbox: false, sets: [looksOf("ceo cfo coo cto")] },
  { isMailbox: false, sets: [looksOf("chief managing"), looksOf("executive financial director")] },
];
const beside = looksOf(
  `${fillerWords.join(" ")} ${placeWords.join(" ")} ${admins} ${mails} ${units} officer security account accounts update updates notification notifications alert alerts notice message messages storage quota upgrade verification noreply validation maintenance network systems user users workplace`,
);

type RoleClaim = "mailbox" | "in-house";

export function findRole(words: readonly Word[]): RoleClaim | null {
  if (words.length === 0 || words.length > 8) return null;
  const found = roles.find(
    ({ sets }) =>
      sets.every((set) => words.some((word) => isIn(set, word))) &&
      words.every((word) => isIn(beside, word) || sets.some((set) => isIn(set, word)) || /^\d+$/.test(word.plain)),
  );
  if (found === undefined) return null;
  return found.isMailbox ? "mailbox" : "in-house";
}

/** In-house words next to an organization's name: "Acme HR". */
const inHouse = looksOf(
  "it ict edv helpdesk help desk hr payroll human resources support servicedesk service admin administrator administration administrators mailbox webmail email mail server security account accounts password portal intranet ceo cfo director management finance accounting",
);

/** The recipient's organization that the name claims to be, by the first label of its domain. */
export function findOrganization(words: readonly Word[], organizations: readonly string[]): string | null {
  if (words.length < 2) return null;
  for (const organization of organizations) {
    const label = toWords(organization.split(".", 1)[0] ?? "");
    const look = label.map(({ asI }) => asI).join("");
    // A domain named "service" or "mail" identifies no organization.
    if (look.length < shortestLabel || inHouse().has(look) || beside().has(look)) continue;
    const at = findRun(words, look);
    if (at === null) continue;
    const rest = words.filter((_, index) => index < at.from || index >= at.to);
    if (
      rest.some((word) => isIn(inHouse, word)) &&
      rest.every((word) => isIn(inHouse, word) || isIn(beside, word) || isEnding(word, organization))
    )
      return organization;
  }
  return null;
}

const shortestLabel = 4;

function isEnding({ plain }: Word, organization: string): boolean {
  return organization.split(".").includes(plain);
}

function findRun(words: readonly Word[], look: string): { readonly from: number; readonly to: number } | null {
  for (const from of words.keys()) {
    let joined = "";
    for (let to = from; to < words.length && joined.length < look.length; to++) {
      joined += words[to]?.asI ?? "";
      if (joined === look) return { from, to: to + 1 };
    }
  }
  return null;
}
