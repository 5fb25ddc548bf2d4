// Hosts and paths that reveal what a link really is. Each row has an example that matches and one that doesn't; a test
// runs them.

import patterns from "./link-patterns.json" with { type: "json" };

type LinkPattern = {
  readonly name: string;
  /** The host is one of these or a subdomain of one. Without it: any host. */
  readonly hosts?: readonly string[];
  /** Matches path and query together, from the beginning. */
  readonly path?: RegExp;
  readonly holds: string;
  readonly fails: string;
};

type PatternRow = Omit<LinkPattern, "path"> & { readonly path?: string };

function toPattern({ path, ...row }: PatternRow): LinkPattern {
  return path === undefined ? row : { ...row, path: new RegExp(path) };
}

/** Services that count clicks and redirect. The target is hidden, or in the query. */
export const clickTrackers = patterns.clickTrackers.map(toPattern);

/** First labels of click trackers in the sender's own domain. */
export const trackerLabels: ReadonlySet<string> = new Set(
  "click clicks link links email go t trk track tracking e em ct url r lnk ablink".split(" "),
);

/** Security software that rewrites links for its recipients. It says nothing about the sender. */
export const linkGuards = patterns.linkGuards.map(toPattern);

/** Public services that redirect anyone anywhere by the address in the query or path. */
export const openRedirectors = patterns.openRedirectors.map(toPattern);

export const targetParameters =
  "url u q target redirect redirect_uri redirect_url dest destination link r to ued adurl".split(" ");

export const socialHosts: ReadonlySet<string> = new Set(
  "facebook.com instagram.com twitter.com x.com linkedin.com youtube.com youtu.be tiktok.com pinterest.com snapchat.com threads.net whatsapp.com wa.me t.me telegram.me reddit.com xing.com vimeo.com flickr.com mastodon.social bsky.app discord.com discord.gg spotify.com vk.com weibo.com line.me tumblr.com medium.com twitch.tv".split(
    " ",
  ),
);

/** Form and login hosts. An unsubscribe link should not lead there. */
export const formHosts: ReadonlySet<string> = new Set(
  "docs.google.com forms.gle forms.office.com forms.microsoft.com typeform.com surveymonkey.com jotform.com wufoo.com airtable.com formstack.com cognitoforms.com tally.so".split(
    " ",
  ),
);

/** Public shorteners. Their reputation depends on all their users. */
export const publicShorteners: ReadonlySet<string> = new Set(
  "bit.ly bitly.com bit.do bitly.ws j.mp b.link buff.ly clck.ru conta.cc cutt.ly dlvr.it eepurl.com goo.gl han.gl hub.am is.gd v.gd n9.cl ouo.io ow.ly owl.li page.link rb.gy rebrand.ly s.id shar.es short.gy shorturl.at shorturl.asia smarturl.it snip.ly t.ly t2m.io tgr.ph tiny.cc tiny.one tinyurl.com tr.im trib.al u.nu u.to urlz.at x.co zurl.ws app.link grabify.link iplogger.org adf.ly soo.gd tny.im zpr.io bl.ink short.io tinu.be dub.sh dub.co cli.re rotf.lol 0rz.tw urls.im kisa.link".split(
    " ",
  ),
);

/** Shorteners of one brand for its own pages, and link-list pages. */
export const brandShorteners: ReadonlyMap<string, string> = new Map([
  ["amzn.to", "amazon.com"],
  ["a.co", "amazon.com"],
  ["youtu.be", "youtube.com"],
  ["lnkd.in", "linkedin.com"],
  ["fb.me", "facebook.com"],
  ["fb.com", "facebook.com"],
  ["wp.me", "wordpress.com"],
  ["flic.kr", "flickr.com"],
  ["db.tt", "dropbox.com"],
  ["spoti.fi", "spotify.com"],
  ["apple.co", "apple.com"],
  ["g.co", "google.com"],
  ["aka.ms", "microsoft.com"],
  ["t.co", "x.com"],
  ["qr.ae", "quora.com"],
  ["4sq.com", "foursquare.com"],
  ["yhoo.it", "yahoo.com"],
  ["wa.me", "whatsapp.com"],
  ["m.me", "facebook.com"],
  ["ig.me", "instagram.com"],
  ["pin.it", "pinterest.com"],
  ["goo.gl", "google.com"],
  ["g.page", "google.com"],
  ["s.team", "steamcommunity.com"],
  ["discord.gg", "discord.com"],
  ["linktr.ee", "linktr.ee"],
  ["lnk.bio", "lnk.bio"],
]);

/** Top-level domains with a large share of abuse. */
export const riskyEndings: ReadonlySet<string> = new Set(
  "tk ml ga cf gq zip mov top xyz icu click link work rest cam sbs cfd quest bond lol monster cyou buzz".split(" "),
);
