// Mailboxes that nobody reads, by what they are called.

const forms =
  "no reply|noreply|noreplies|do not reply|donotreply|dont reply|dontreply|not reply|no response|noresponse|do not respond|donotrespond|unmonitored|keine antwort|keineantwort|nicht antworten|nichtantworten|bitte nicht antworten|ne pas repondre|nepasrepondre|pas de reponse|no responder|noresponder|no responda|noresponda|no contestar|nocontestar|nao responda|naoresponda|nao responder|naoresponder|non rispondere|nonrispondere|niet beantwoorden|nietbeantwoorden|niet antwoorden|geen antwoord|geenantwoord|nie odpowiadaj|nieodpowiadaj|nie odpowiadac|nieodpowiadac|neodpovidat|neodpovidejte|neodpovedat|nu raspunde|nuraspunde|nu raspundeti|ne valaszolj|nevalaszolj|svara inte|svarainte|svara ej|svaraej|svar ikke|svarikke|ikke svar|ikkesvar|besvar ikke|ala vastaa|alavastaa|ei vastata|ne otvechat|neotvechat|cevap vermeyin|cevaplamayin|yanitlamayin|nebalas|jangan balas";

const form = new RegExp(`(?:^|[-._+=])(?:${forms.replaceAll(" ", "[-._]?")})(?:$|[-._+=\\d])`);

export function isNoReply(local: string): boolean {
  return form.test(local.toLowerCase());
}
