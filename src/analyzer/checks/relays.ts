// Whether a domain belongs to a service that sends on behalf of others.

import { espOfDomain } from "./esp.ts";

// Services that send for others and keep the other's name in From. A brand name there does not have to match the domain.

/** Alias services that forward mail to a hidden address and show the author's address in the name. */
const aliasDomains: readonly string[] =
  "simplelogin.co simplelogin.com slmail.me slmails.com aleeas.com dralias.com silomails.com 8alias.com mozmail.com duck.com anonaddy.me anonaddy.com addy.io addymail.com 4wrd.cc privaterelay.appleid.com passmail.net passinbox.com passmail.com firefox.com erine.email 33mail.com".split(
    " ",
  );

/** Help desks, recruiting and human resources, signatures and surveys. */
const relayDomains: readonly string[] =
  // Help desks and shared inboxes
  (
    "zendesk.com freshdesk.com freshworks.com intercom-mail.com intercom.io helpscout.net helpscoutapp.com frontapp.com gorgias.io gorgias.com kayako.com desk.com zohodesk.com zohosupport.com service-now.com atlassian.net salesforce.com force.com dynamics.com jitbit.com groups.io googlegroups.com govdelivery.com " +
    // Recruiting, human resources, learning
    "myworkday.com myworkdayjobs.com greenhouse.io greenhouse-mail.io icims.com talent.icims.com smartrecruiters.com successfactors.com successfactors.eu ashbyhq.com lever.co hire.lever.co taleo.net avature.net jobvite.com workable.com workablemail.com bamboohr.com personio.de personio.com adp.com ultipro.com ukg.com dayforce.com paychex.com gusto.com rippling.com cornerstoneondemand.com csod.com eightfold.ai phenompeople.com glassdoor.com indeed.com indeedemail.com linkedin.com xing.com hackerrank.com hackerrankforwork.com " +
    // Signatures, events, surveys, meetings, benefits
    "docusign.net docusign.com echosign.com adobesign.com hellosign.com pandadoc.net dropboxsign.com eventbrite.com eventbriteemail.com cvent.com cvent-planner.com on24event.com qualtrics.com qualtrics-survey.com qemailserver.com surveymonkey.com surveymonkeyuser.com medallia.com calendly.com zoom.us teams.microsoft.com slack.com notion.so asana.com trello.com box.com wetransfer.com egnyte.com citrix.com sharefile.com trustpilot.com trustpilotmail.com bazaarvoice.com edenred.com groupon.com meetup.com patreon.com kickstarter.com hackerone.com bugcrowd.com"
  ).split(" ");

/**
 * Services where anyone can open an account and send under any name, so that passing authentication says nothing about
 * that name. Tenants have a subdomain. Hosting gives one away, and expects customers to send from their own domain.
 */
const sharedServices = {
  tenants:
    "zendesk.com=Zendesk freshdesk.com=Freshdesk zohodesk.com=Zoho_Desk intercom-mail.com=Intercom atlassian.net=Atlassian myshopify.com=Shopify " +
    "bitrix24.com=Bitrix24 odoo.com=Odoo hs-inbox.com=HubSpot",
  hosting:
    "firebaseapp.com=Firebase web.app=Firebase onmicrosoft.com=Microsoft_365 herokuapp.com=Heroku azurewebsites.net=Azure netlify.app=Netlify " +
    "vercel.app=Vercel pages.dev=Cloudflare_Pages github.io=GitHub_Pages",
  platforms:
    "circle.so=Circle substack.com=Substack beehiiv.com=beehiiv kajabimail.net=Kajabi eventbrite.com=Eventbrite meetup.com=Meetup calendly.com=Calendly " +
    "appsheet.com=AppSheet appspotmail.com=App_Engine googlegroups.com=Google_Groups groups.io=Groups.io salesforce.com=Salesforce hubspotemail.net=HubSpot " +
    "hubspotfree.net=HubSpot sendgrid.net=SendGrid mailgun.org=Mailgun brevosend.com=Brevo zohosubscriptions.com=Zoho_Billing patreon.com=Patreon trello.com=Trello",
} as const;

const serviceOf: ReadonlyMap<string, readonly [string, string]> = new Map(
  Object.entries(sharedServices).flatMap(([kind, lines]) =>
    lines.split(" ").map((line) => {
      const [domain = "", name = ""] = line.split("=");
      return [domain, [name.replaceAll("_", " "), kind]] as const;
    }),
  ),
);

type SharedService = {
  readonly name: string;
  /** Null if customers share an address. */
  readonly customer: string | null;
  readonly isHosting: boolean;
};

export function sharedServiceOf(domain: string): SharedService | null {
  const labels = domain.split(".");
  const at = labels.length - 2;
  const [name, kind] = serviceOf.get(labels.slice(at).join(".")) ?? [];
  if (name === undefined) return null;
  return { name, customer: kind === "platforms" ? null : (labels[at - 1] ?? ""), isHosting: kind === "hosting" };
}

const aliases: ReadonlySet<string> = new Set(aliasDomains);
const relays: ReadonlySet<string> = new Set(relayDomains);

/** Matches the domain or a parent domain. */
export function isAliasService(domain: string): boolean {
  return isBelow(aliases, domain);
}

export function sendsForOthers(domain: string): boolean {
  return isBelow(aliases, domain) || isBelow(relays, domain) || espOfDomain(domain) !== null;
}

function isBelow(known: ReadonlySet<string>, domain: string): boolean {
  for (let name = domain; name.includes("."); name = name.slice(name.indexOf(".") + 1))
    if (known.has(name)) return true;
  return false;
}
