// Hosts and paths that reveal what a link really is. Each row has an example that matches and one that doesn't; a test
// runs them.

type LinkPattern = {
  readonly name: string;
  /** The host is one of these or a subdomain of one. Without it: any host. */
  readonly hosts?: readonly string[];
  /** Matches path and query together, from the beginning. */
  readonly path?: RegExp;
  readonly holds: string;
  readonly fails: string;
};

/** Services that count clicks and redirect. The target is hidden, or in the query. */
export const clickTrackers: readonly LinkPattern[] = [
  {
    name: "SendGrid",
    path: /^\/(?:ls|wf|ss\/c|uni)\/(?:click\b|[\w.-]{20,})/,
    holds: "https://u1.ct.sendgrid.net/ls/click?upn=abc",
    fails: "https://shop.example/ls/shoes",
  },
  { name: "SendGrid", hosts: ["sendgrid.net"], holds: "https://u1.ct.sendgrid.net/x", fails: "https://sendgrid.com/x" },
  {
    name: "Amazon SES",
    path: /^\/CL0\/http/,
    holds: "https://x.r.us-east-1.example/CL0/https:%2F%2Fa.example/1/",
    fails: "https://a.example/CL0",
  },
  {
    name: "Amazon SES",
    hosts: ["awstrack.me"],
    holds: "https://abc.r.eu-west-1.awstrack.me/L0/https:%2F%2Fa.example",
    fails: "https://awstrack.example/",
  },
  {
    name: "HubSpot",
    path: /^\/e\dt\/(?:Ctc|c)\//,
    holds: "https://d1.a.example/e3t/Ctc/x",
    fails: "https://a.example/e3/Ctc/",
  },
  {
    name: "HubSpot",
    hosts: ["hubspotlinks.com", "hubspotemail.net"],
    holds: "https://d1.hubspotlinks.com/Ctc/a",
    fails: "https://hubspot.com/",
  },
  {
    name: "Mailgun",
    path: /^\/c\/eJ[\w-]{20,}/,
    holds: "https://email.a.example/c/eJwNxbEJwCAMBdDpT0a8Qk4",
    fails: "https://a.example/c/eJ",
  },
  {
    name: "Mailchimp",
    hosts: ["list-manage.com", "mailchi.mp"],
    holds: "https://a.us1.list-manage.com/track/click?u=1",
    fails: "https://mailchimp.com/",
  },
  {
    name: "Mandrill",
    hosts: ["mandrillapp.com"],
    holds: "https://mandrillapp.com/track/click/1",
    fails: "https://mandrill.example/",
  },
  {
    name: "SparkPost",
    path: /^\/f\/a\/[\w~-]{10,}/,
    holds: "https://links.a.example/f/a/AbCdEfGhIjKlMn~~/AA",
    fails: "https://a.example/f/a/b",
  },
  {
    name: "Postmark",
    hosts: ["pstmrk.it"],
    holds: "https://click.pstmrk.it/3s/a.example",
    fails: "https://postmarkapp.com/",
  },
  {
    name: "Brevo",
    hosts: ["sendibm1.com", "sendibm2.com", "sendibm3.com", "sendibt2.com", "sendibt3.com"],
    holds: "https://r.sp1.sendibm3.com/mk/cl/f/x",
    fails: "https://www.brevo.com/",
  },
  { name: "Mailjet", hosts: ["mjt.lu"], holds: "https://x1.mjt.lu/lnk/AA", fails: "https://mailjet.com/" },
  {
    name: "Mailjet",
    path: /^\/lnk\/[\w-]{8,}\//,
    holds: "https://t.a.example/lnk/AUoAAABb/1/x",
    fails: "https://a.example/lnk/a",
  },
  {
    name: "Klaviyo",
    hosts: ["klclick.com", "klclick1.com", "klclick2.com", "klclick3.com", "klaviyomail.com"],
    holds: "https://ctrk.klclick.com/l/x",
    fails: "https://klaviyo.com/",
  },
  {
    name: "Customer.io",
    hosts: ["customeriomail.com"],
    path: /^\/e\/c\//,
    holds: "https://e.customeriomail.com/e/c/x",
    fails: "https://customer.io/e/c/x",
  },
  {
    name: "Constant Contact",
    hosts: ["rs6.net"],
    holds: "https://r20.rs6.net/tn.jsp?f=1",
    fails: "https://constantcontact.com/",
  },
  {
    name: "Campaign Monitor",
    hosts: ["cmail19.com", "cmail20.com", "createsend1.com", "createsend.com"],
    holds: "https://a.cmail20.com/t/r-l",
    fails: "https://campaignmonitor.com/",
  },
  {
    name: "ActiveCampaign",
    path: /^\/lt\.php\?/,
    holds: "https://a.example/lt.php?s=1",
    fails: "https://a.example/alt.php?s=1",
  },
  {
    name: "Salesforce",
    hosts: ["exct.net", "sfmc-content.com"],
    path: /^\//,
    holds: "https://click.s7.exct.net/?qs=1",
    fails: "https://salesforce.com/",
  },
  {
    name: "beehiiv",
    hosts: ["mail.beehiiv.com"],
    path: /^\/ss\/c\//,
    holds: "https://link.mail.beehiiv.com/ss/c/x",
    fails: "https://www.beehiiv.com/ss/c/x",
  },
  {
    name: "Mautic",
    path: /^\/r\/[a-f0-9]{20,40}\?ct=/,
    holds: "https://m.a.example/r/1234567890abcdef1234567890?ct=YTo",
    fails: "https://a.example/r/abc",
  },
  {
    name: "Sendy, phpList, others",
    path: /^\/(?:track\/click|lists\/lt\.php|l\/[\w]{10,}\/[\w]{10,}\/)/,
    holds: "https://a.example/track/click.php?u=1",
    fails: "https://a.example/tracks/click",
  },
];

/** First labels of click trackers in the sender's own domain. */
export const trackerLabels: ReadonlySet<string> = new Set(
  "click clicks link links email go t trk track tracking e em ct url r lnk ablink".split(" "),
);

/** Security software that rewrites links for its recipients. It says nothing about the sender. */
export const linkGuards: readonly LinkPattern[] = [
  {
    name: "Microsoft Safe Links",
    hosts: ["safelinks.protection.outlook.com"],
    holds: "https://eur01.safelinks.protection.outlook.com/?url=x",
    fails: "https://outlook.com/?url=x",
  },
  {
    name: "Proofpoint",
    hosts: ["urldefense.proofpoint.com", "urldefense.com"],
    holds: "https://urldefense.com/v3/__https://a.example/__;!!x",
    fails: "https://proofpoint.com/",
  },
  {
    name: "Barracuda",
    hosts: ["linkprotect.cudasvc.com"],
    holds: "https://linkprotect.cudasvc.com/url?a=x",
    fails: "https://barracuda.com/",
  },
  {
    name: "Mimecast",
    hosts: ["protect-us.mimecast.com", "protect-eu.mimecast.com", "protect.mimecast.com", "mimecastprotect.com"],
    holds: "https://protect-eu.mimecast.com/s/x",
    fails: "https://mimecast.com/",
  },
  {
    name: "Cisco Secure Email",
    hosts: ["secure-web.cisco.com"],
    holds: "https://secure-web.cisco.com/1x/x",
    fails: "https://cisco.com/",
  },
  {
    name: "Trend Micro",
    hosts: ["imsva91-ctp.trendmicro.com"],
    holds: "https://imsva91-ctp.trendmicro.com/wis/clicktime/v1/query?url=x",
    fails: "https://trendmicro.com/",
  },
  {
    name: "Internet Archive",
    hosts: ["web.archive.org"],
    holds: "https://web.archive.org/web/2020/https://a.example/",
    fails: "https://archive.org/",
  },
  {
    name: "Sophos",
    hosts: ["protection.sophos.com"],
    holds: "https://eu-central-1.protection.sophos.com/?d=x",
    fails: "https://sophos.com/",
  },
];

/** Public services that redirect anyone anywhere by the address in the query or path. */
export const openRedirectors: readonly LinkPattern[] = [
  {
    name: "Google",
    hosts: ["google.com"],
    path: /^\/(?:url|amp\/s|travel\/clk)\b/,
    holds: "https://www.google.com/url?q=https://a.example/",
    fails: "https://www.google.com/search?q=a",
  },
  {
    name: "DoubleClick",
    hosts: ["doubleclick.net", "googleadservices.com"],
    path: /^\/(?:pcs\/click|aclk|clk|ddm\/clk|pagead)\b/,
    holds: "https://adclick.g.doubleclick.net/pcs/click?adurl=https://a.example",
    fails: "https://doubleclick.net/about",
  },
  {
    name: "Facebook",
    hosts: ["l.facebook.com", "lm.facebook.com", "l.instagram.com", "l.messenger.com"],
    path: /^\/(?:l\.php)?\?/,
    holds: "https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example",
    fails: "https://www.facebook.com/page",
  },
  {
    name: "LinkedIn",
    hosts: ["linkedin.com"],
    path: /^\/(?:redir|slink|safety\/go)\b/,
    holds: "https://www.linkedin.com/redir/redirect?url=https://a.example",
    fails: "https://www.linkedin.com/in/a",
  },
  {
    name: "YouTube",
    hosts: ["youtube.com"],
    path: /^\/redirect\b/,
    holds: "https://www.youtube.com/redirect?q=https://a.example",
    fails: "https://www.youtube.com/watch?v=1",
  },
  {
    name: "Bing",
    hosts: ["bing.com"],
    path: /^\/ck\//,
    holds: "https://www.bing.com/ck/a?!&&u=https://a.example",
    fails: "https://www.bing.com/search?q=a",
  },
  {
    name: "VK",
    hosts: ["vk.com"],
    path: /^\/away\.php/,
    holds: "https://vk.com/away.php?to=https://a.example",
    fails: "https://vk.com/feed",
  },
  {
    name: "Reddit",
    hosts: ["out.reddit.com"],
    holds: "https://out.reddit.com/t3_x?url=https://a.example",
    fails: "https://www.reddit.com/r/a",
  },
  {
    name: "Steam",
    hosts: ["steamcommunity.com"],
    path: /^\/linkfilter\b/,
    holds: "https://steamcommunity.com/linkfilter/?url=https://a.example",
    fails: "https://steamcommunity.com/app/1",
  },
  {
    name: "Baidu",
    hosts: ["baidu.com"],
    path: /^\/link\?/,
    holds: "https://www.baidu.com/link?url=https://a.example",
    fails: "https://www.baidu.com/s?wd=a",
  },
  {
    name: "Medium",
    hosts: ["medium.com"],
    path: /^\/r\/\?url=/,
    holds: "https://medium.com/r/?url=https://a.example",
    fails: "https://medium.com/@a",
  },
  {
    name: "TikTok",
    hosts: ["tiktok.com"],
    path: /^\/link\/v2/,
    holds: "https://www.tiktok.com/link/v2?target=https://a.example",
    fails: "https://www.tiktok.com/@a",
  },
];

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
