import { defineCheck, notApplicable, passed, type Raised, skipped } from "../check.ts";
import type { Facts } from "../facts.ts";
import { takesMail } from "../mail-domain.ts";
import { authorOf, noAuthor, type Party, quoted, toParty } from "../party.ts";

// Names of mailboxes that do not take replies.

const forms =
  "no reply|noreply|noreplies|do not reply|donotreply|dont reply|dontreply|not reply|no response|noresponse|do not respond|donotrespond|unmonitored|keine antwort|keineantwort|nicht antworten|nichtantworten|bitte nicht antworten|ne pas repondre|nepasrepondre|pas de reponse|no responder|noresponder|no responda|noresponda|no contestar|nocontestar|nao responda|naoresponda|nao responder|naoresponder|non rispondere|nonrispondere|niet beantwoorden|nietbeantwoorden|niet antwoorden|geen antwoord|geenantwoord|nie odpowiadaj|nieodpowiadaj|nie odpowiadac|nieodpowiadac|neodpovidat|neodpovidejte|neodpovedat|nu raspunde|nuraspunde|nu raspundeti|ne valaszolj|nevalaszolj|svara inte|svarainte|svara ej|svaraej|svar ikke|svarikke|ikke svar|ikkesvar|besvar ikke|ala vastaa|alavastaa|ei vastata|ne otvechat|neotvechat|cevap vermeyin|cevaplamayin|yanitlamayin|nebalas|jangan balas";

const form = new RegExp(`(?:^|[-._+=])(?:${forms.replaceAll(" ", "[-._]?")})(?:$|[-._+=\\d])`);

export function isNoReply(local: string): boolean {
  return form.test(local.toLowerCase());
}

export const replyAddress = defineCheck({
  id: "reply-address",
  helpPage: "fix-mx",
  label: "Reply address",
  owner: "email-service",
  asks: "whether recipients can reply",
  why: "Microsoft asks for a working reply address.",
  refs: ["Microsoft sender rules"],
  needs: ["message", "mx"],
  kinds: ["bulk", "transactional", "personal"],
  passes: "Replies go to {address}.",
  findings: {
    dead: {
      severity: "minor",
      cost: 8,
      title: "Reply address cannot receive mail",
      says: "Replies go to {address}, but its domain cannot receive mail.",
      fix: "Set Reply-To to a monitored mailbox.",
    },
    "no-reply": {
      helpPage: "fix-sender-identity",
      severity: "info",
      title: "No-reply address",
      says: "Replies go to the no-reply address {address}.",
      fix: "Optional: use a monitored mailbox.",
    },
  },
  run({ message, mx }) {
    const author = authorOf(message);
    const answering = answeringOf(message, author);
    const [first] = answering;
    if (first === undefined) return notApplicable(author === null ? noAuthor : "Reply-To has no address.");
    const raised: Raised<"dead" | "no-reply">[] = [];
    // Only the first Reply-To domain was looked up. `from-domain` judges the domain in From.
    const alive = first.domain === author?.domain ? null : takesMail(mx, first.domain);
    if (alive?.known && !alive.value) raised.push({ finding: "dead", data: { address: quoted(first.address) } });
    if (raised.length === 0 && answering.every(({ local }) => isNoReply(local)))
      raised.push({ finding: "no-reply", data: { address: quoted(first.address) } });
    if (raised.length > 0) return raised;
    if (alive !== null && !alive.known) return skipped(alive.why);
    return passed({ address: quoted(first.address) });
  },
});

const maxAnswering = 20;

function answeringOf({ replyTo }: Facts["message"], author: Party | null): Party[] {
  if (replyTo.count === 0) return author === null ? [] : [author];
  return replyTo.list.slice(0, maxAnswering).flatMap((mailbox) => toParty(mailbox) ?? []);
}
