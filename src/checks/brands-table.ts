// Domains that forgers imitate most: banks, parcels, shops, accounts. One domain a brand: what its name looks like under
// another ending is found as well. Names of three letters and less are left out: too much looks like them.

export const brandDomains: readonly string[] = (
  "paypal.com google.com gmail.com youtube.com microsoft.com outlook.com hotmail.com office.com office365.com live.com linkedin.com apple.com icloud.com amazon.com facebook.com instagram.com whatsapp.com twitter.com tiktok.com snapchat.com telegram.org netflix.com spotify.com disneyplus.com twitch.tv steampowered.com steamcommunity.com roblox.com epicgames.com playstation.com nintendo.com " +
  "dropbox.com adobe.com docusign.com docusign.net zoom.us slack.com github.com gitlab.com atlassian.com salesforce.com shopify.com wordpress.com godaddy.com cloudflare.com namecheap.com wetransfer.com mailchimp.com sendgrid.com notion.so openai.com anthropic.com discord.com reddit.com yahoo.com proton.me protonmail.com mozilla.org " +
  "ebay.com walmart.com target.com bestbuy.com costco.com homedepot.com alibaba.com aliexpress.com etsy.com zalando.com mercadolibre.com rakuten.co.jp flipkart.com ikea.com otto.de mediamarkt.de allegro.pl " +
  "fedex.com dhl.com usps.com royalmail.com hermesworld.com dpd.com correos.es laposte.fr poste.it swisspost.ch postnl.nl bpost.be evri.com canadapost.ca auspost.com.au " +
  "chase.com bankofamerica.com wellsfargo.com citibank.com capitalone.com americanexpress.com mastercard.com visa.com stripe.com square.com venmo.com wise.com transferwise.com revolut.com monzo.com klarna.com skrill.com payoneer.com westernunion.com moneygram.com " +
  "barclays.co.uk lloydsbank.com natwest.com santander.com hsbc.com halifax.co.uk nationwide.co.uk deutsche-bank.de commerzbank.de sparkasse.de volksbank.de postbank.de comdirect.de bnpparibas.com societegenerale.fr credit-agricole.fr caixabank.es bbva.com unicredit.it intesasanpaolo.com rabobank.nl abnamro.nl swedbank.se nordea.com danskebank.dk postfinance.ch raiffeisen.ch erstebank.at scotiabank.com desjardins.com commbank.com.au westpac.com.au icicibank.com hdfcbank.com itau.com.br bradesco.com.br " +
  "coinbase.com binance.com kraken.com blockchain.com metamask.io ledger.com trezor.io crypto.com gemini.com bitfinex.com " +
  "booking.com airbnb.com expedia.com tripadvisor.com uber.com lufthansa.com ryanair.com easyjet.com britishairways.com emirates.com " +
  "verizon.com comcast.com xfinity.com t-mobile.com vodafone.com telekom.de orange.fr telefonica.com telstra.com " +
  "irs.gov elster.de norton.com mcafee.com kaspersky.com avast.com lastpass.com 1password.com bitwarden.com okta.com duosecurity.com samsung.com huawei.com xiaomi.com nvidia.com intel.com tesla.com"
).split(" ");
