// Organizations that phishers imitate most, with their sending and web domains. A line is "Name, Other name = domain domain".
// The first domain is the best known. A domain covers its subdomains, and one ending in * covers all names with that prefix.
// Country domains with the same name need no entry: dhl.fr belongs to DHL.

import { accountWords, parcelWords } from "./impersonation/name-words-table.ts";
import { localBrands, localWordsToo } from "./local-brands-table.ts";
import { whenNeeded } from "./when-needed.ts";

export type BrandRow = {
  readonly name: string;
  readonly also: readonly string[];
  readonly domains: readonly string[];
  /** Words that a name needs next to the brand before it claims to be the brand. */
  readonly needs: Need;
};

/**
 * nothing: an unmistakable name. service: the name has other meanings, so it needs a service word next to it. A set: only
 * these words count.
 */
type Need = "nothing" | "service" | ReadonlySet<string>;

const unmistakable = `
PayPal, PayPal Credit, PayPal Business = paypal.com paypal-communication.com paypal-notify.com paypalgivingfund.org paypal-prepaid.com paypal-exchanges.com paypalcorp.com
Microsoft, Microsoft 365, Microsoft Office, Microsoft Office 365, Office 365, Office365, O365, M365, Microsoft Teams, Microsoft Outlook, Microsoft Exchange, Microsoft Azure, Microsoft Defender, Microsoft Security, Microsoft OneDrive, Microsoft SharePoint, Windows Defender, Windows Security, Windows Support, OneDrive, Hotmail, MSN = microsoft.com microsoftonline.com office.com office365.com sharepointonline.com sharepoint.com microsoftemail.com microsoftstore.com microsoftadvertising.com microsoft365.com azure.com windows.com windowsazure.com onedrive.com msn.com bing.com skype.com xbox.com linkedin.com visualstudio.com dynamics.com
Skype = skype.com microsoft.com
Xbox, Xbox Live = xbox.com microsoft.com
Google, Gmail, Google Drive, Google Docs, Google Ads, Google Workspace, Google Pay, Google Play, Google Cloud, Google Chrome, Google Photos, Google Voice, G Suite = google.com withgoogle.com googleplay.com android.com youtube.com chromium.org google-mail.com
YouTube = youtube.com google.com
iCloud, Apple ID, AppleID, App Store, iTunes, iTunes Store, Apple Store, Apple Pay, Apple Music, Apple Inc, FaceTime = apple.com icloud.com itunes.com me.com applemusic.com privaterelay.appleid.com
Amazon, Amazon.com, Amazon Prime, Amazon Pay, Amazon Web Services, Amazon AWS, Prime Video = amazon.com amazonpay.com amazonses.com primevideo.com audible.com aws.com kindle.com sns.amazonaws.com amazon-jobs.com amazon.jobs amazonsellerservices.com
Facebook, Facebook Ads, Facebook Business, Meta Business, Meta for Business, Meta Platforms, Meta Verified, Meta Ads = facebook.com facebookmail.com fb.com meta.com metamail.com workplace.com
Instagram = instagram.com facebookmail.com facebook.com meta.com
WhatsApp, WhatsApp Web, WhatsApp Messenger = whatsapp.com whatsapp.net facebook.com facebookmail.com meta.com
LinkedIn = linkedin.com linkedinlabs.com linkedin-ei.com
Twitter, X Twitter = twitter.com x.com twttr.com
TikTok, TikTok Shop = tiktok.com tiktokglobalshop.com bytedance.com tiktokv.com
Snapchat = snapchat.com snap.com
Pinterest = pinterest.com
Telegram Messenger = telegram.org
Discord = discord.com discordapp.com
Reddit = reddit.com redditmail.com redditgifts.com
Netflix = netflix.com netflix.net
Spotify = spotify.com spotifymail.com
Disney Plus, Disney+ = disneyplus.com disney.com disneyonline.com disneystreaming.com go.com
Twitch = twitch.tv
Hulu = hulu.com hulumail.com
Crunchyroll = crunchyroll.com
Roblox = roblox.com
Epic Games, Fortnite = epicgames.com
PlayStation, PlayStation Network, PlayStation Store = playstation.com playstationemail.com sony.com sonyentertainmentnetwork.com
Nintendo = nintendo.com nintendo.net
Steam Support, Steam Guard, Steam Community = steampowered.com steamcommunity.com valvesoftware.com
Riot Games = riotgames.com
Dropbox, Dropbox Sign, HelloSign = dropbox.com dropboxmail.com hellosign.com
Adobe, Adobe Document Cloud, Adobe Sign, Adobe Acrobat, Acrobat Sign, Creative Cloud, Adobe Creative Cloud = adobe.com adobesign.com echosign.com adobesystems.com behance.net
DocuSign = docusign.com docusign.net
WeTransfer = wetransfer.com
GitHub = github.com githubapp.com
Shopify = shopify.com shopifyemail.com shop.app
GoDaddy = godaddy.com secureserver.net
Cloudflare = cloudflare.com cloudflareaccess.com
Namecheap = namecheap.com registrar-servers.com
OVHcloud, OVH = ovh.com ovhcloud.com ovh.net
IONOS, 1&1 IONOS, 1&1 = ionos.com 1und1.de 1and1.com ionos.de kundenserver.de
Strato AG = strato.de strato.com strato-hosting.eu
Hetzner = hetzner.com hetzner.de your-server.de
Bluehost = bluehost.com
HostGator = hostgator.com
SiteGround = siteground.com
DigitalOcean = digitalocean.com
OpenAI, ChatGPT = openai.com chatgpt.com tm.openai.com tm1.openai.com
Anthropic = anthropic.com claude.com claude.ai
LastPass = lastpass.com goto.com logme.in
1Password = 1password.com 1password.email agilebits.com
Bitwarden = bitwarden.com
Dashlane = dashlane.com
Norton LifeLock, Norton AntiVirus, Norton 360, NortonLifeLock = norton.com nortonlifelock.com symantec.com gendigital.com lifelock.com
McAfee, McAfee Antivirus, McAfee Total Protection, McAfee LiveSafe = mcafee.com mcafeesecure.com
Kaspersky = kaspersky.com kaspersky-labs.com
Avast = avast.com
Bitdefender = bitdefender.com
Geek Squad, GeekSquad = geeksquad.com bestbuy.com
Best Buy, BestBuy = bestbuy.com bestbuycanada.ca
QuickBooks, Intuit, Intuit QuickBooks, TurboTax = intuit.com quickbooks.com turbotax.com intuit.net
DocuSign eSignature = docusign.com docusign.net
Yahoo, Yahoo Mail = yahoo.com yahoo-inc.com yahooinc.com yahoo.co.jp aol.com
AOL, AOL Mail = aol.com aol.net yahooinc.com yahoo.com
ProtonMail, Proton Mail = proton.me protonmail.com proton.ch
GMX = gmx.net gmx.de gmx.com gmxnet.de 1und1.de united-internet.de
Web.de = web.de webde.de 1und1.de
T-Online = t-online.de telekom.de
eBay, eBay Kleinanzeigen = ebay.com ebayinc.com ebay-kleinanzeigen.de kleinanzeigen.de
Walmart = walmart.com walmartlabs.com wal-mart.com walmart-jobs.com
Costco, Costco Wholesale = costco.com costcophotocenter.com
Home Depot, The Home Depot = homedepot.com thehomedepot.com
AliExpress = aliexpress.com alibaba.com
Alibaba, Alibaba.com = alibaba.com alibaba-inc.com aliyun.com
Alipay = alipay.com alibaba.com
Temu = temu.com temuemail.com
Etsy = etsy.com
Zalando = zalando.com zalando.de zalando-lounge.de zalando-lounge.com
MercadoLibre, Mercado Livre, Mercado Pago = mercadolibre.com mercadolivre.com.br mercadopago.com
Rakuten, 楽天, 楽天市場, 楽天カード, 楽天銀行 = rakuten.co.jp rakuten.com rakuten-card.co.jp rakuten-bank.co.jp rakuten-sec.co.jp
Flipkart = flipkart.com
IKEA = ikea.com ikea-family.com
Media Markt = mediamarkt.de mediamarktsaturn.com mediamarkt.com
Leboncoin = leboncoin.fr
Cdiscount = cdiscount.com
Vinted = vinted.com vinted.fr
Allegro.pl = allegro.pl
Bol.com = bol.com
Coolblue = coolblue.nl
Mercari, メルカリ = mercari.com mercari.jp
Taobao, 淘宝 = taobao.com alibaba.com
JD.com, 京东 = jd.com
WeChat, 微信 = wechat.com qq.com tencent.com
支付宝 = alipay.com
アマゾン = amazon.co.jp amazon.com
Naver, 네이버 = naver.com navercorp.com
えきねっと = eki-net.com jreast.co.jp
三井住友カード, 三井住友銀行, SMBC = smbc-card.com smbc.co.jp vpass.ne.jp smbcnikko.co.jp
三菱UFJ銀行, 三菱UFJニコス, MUFG = mufg.jp bk.mufg.jp cr.mufg.jp
みずほ銀行 = mizuhobank.co.jp mizuho-fg.co.jp
ゆうちょ銀行 = jp-bank.japanpost.jp japanpost.jp yuchobank.co.jp
イオンカード, イオン銀行 = aeon.co.jp aeonbank.co.jp aeonfinancial.co.jp
エポスカード = eposcard.co.jp
セゾンカード = saisoncard.co.jp
ヤマト運輸, クロネコヤマト = kuronekoyamato.co.jp yamatotransport.co.jp ytc.co.jp
佐川急便 = sagawa-exp.co.jp
日本郵便, Japan Post = japanpost.jp post.japanpost.jp
国税庁 = nta.go.jp e-tax.nta.go.jp
NTTドコモ, NTT Docomo, Docomo = docomo.ne.jp nttdocomo.co.jp ntt.com
DHL, DHL Express, DHL Paket, DHL Parcel, DHL Worldwide Express = dhl.com dhl.de deutschepost.de dpdhl.com dhlparcel.nl dhlexpress.com dhlecommerce.com dhl-news.com
Deutsche Post = deutschepost.de dpdhl.com dhl.de dhl.com
FedEx, FedEx Express, Federal Express = fedex.com fedexoffice.com tnt.com
UPS Store, The UPS Store, UPS My Choice, United Parcel Service = ups.com theupsstore.com upsstore.com upsemail.com upsemails.com
USPS, United States Postal Service, US Postal Service, USPS.com = usps.com usps.gov uspis.gov email.usps.com
Royal Mail = royalmail.com royalmailgroup.com royalmail.co.uk
Parcelforce = parcelforce.com parcelforce.co.uk royalmail.com
Evri = evri.com hermes-europe.co.uk myhermes.co.uk
Hermes Paket, Hermes Germany = hermesworld.com myhermes.de hermes-germany.de hlg.de
DPD, DPD Germany, DPDgroup = dpd.com dpd.de dpd.co.uk dpdgroup.co.uk dpdgroup.com dpd.fr dpd.nl geopost.com predict.dpd.fr dpdlocal.co.uk
PostNL, Post NL = postnl.nl post.nl postnl.com
bpost = bpost.be bpost.cloud
La Poste, Colissimo, Chronopost = laposte.fr laposte.net laposte.info colissimo.fr chronopost.fr notif-colissimo-laposte.info
Mondial Relay = mondialrelay.fr mondialrelay.com inpost.fr
Poste Italiane, PostePay, BancoPosta = poste.it posteitaliane.it postepay.it
Correos Express, Correos de España, Correos España = correos.es correos.com correosexpress.com
Swiss Post, Die Schweizerische Post = post.ch swisspost.ch swisspost.com
PostFinance = postfinance.ch
Österreichische Post = post.at
PostNord = postnord.com postnord.se postnord.dk postnord.no
InPost = inpost.pl inpost.co.uk inpost.it inpost.com paczkomaty.pl
Poczta Polska = poczta-polska.pl pocztex.pl
Canada Post, Postes Canada = canadapost.ca canadapost-postescanada.ca postescanada.ca
Australia Post, AusPost = auspost.com.au auspost.digital
Purolator = purolator.com
SingPost = singpost.com
India Post = indiapost.gov.in
Correios = correios.com.br
Aramex = aramex.com
An Post = anpost.com anpost.ie
Česká pošta = ceskaposta.cz cpost.cz
JPMorgan, JP Morgan, J.P. Morgan, JPMorgan Chase, Chase Bank = chase.com jpmorgan.com jpmchase.com jpmorganchase.com
Bank of America, BankofAmerica, BofA = bankofamerica.com bofa.com ealerts.bankofamerica.com ml.com merrilledge.com
Wells Fargo = wellsfargo.com wellsfargoemail.com wellsfargoadvisors.com
Citibank, Citi Bank, Citi Cards = citi.com citibank.com citicards.com info6.citi.com
Capital One, CapitalOne = capitalone.com capitalone360.com capitalonebank.com
American Express, Amex, AmericanExpress = americanexpress.com aexp.com amex.com americanexpress.co.uk
Mastercard = mastercard.com mastercard.us
US Bank, U.S. Bank, USBank = usbank.com
PNC Bank = pnc.com
TD Bank, TD Canada Trust = td.com tdbank.com
Truist = truist.com
Navy Federal, Navy Federal Credit Union = navyfederal.org nfcu.org
USAA = usaa.com
Charles Schwab = schwab.com
Morgan Stanley = morganstanley.com etrade.com
Goldman Sachs = gs.com goldmansachs.com marcus.com
Venmo = venmo.com
Cash App, CashApp = cash.app square.com squareup.com block.xyz
Zelle Pay = zellepay.com zelle.com earlywarning.com
카카오, KakaoTalk, KakaoBank = kakao.com kakaocorp.com kakaobank.com
Western Union = westernunion.com wu.com
MoneyGram = moneygram.com
TransferWise = wise.com transferwise.com
Revolut = revolut.com
Monzo = monzo.com
Klarna = klarna.com klarna.se klarna.de
Skrill = skrill.com paysafe.com
Payoneer = payoneer.com
Afterpay = afterpay.com
Barclays, Barclaycard = barclays.co.uk barclays.com barclaycard.co.uk barclaycard.de barclaycardus.com barclays.net
Lloyds Bank, Lloyds TSB = lloydsbank.com lloydsbank.co.uk lloydsbanking.com
NatWest = natwest.com rbs.co.uk rbs.com natwestgroup.com
HSBC = hsbc.com hsbc.co.uk hsbcnet.com firstdirect.com notification.hsbc.com.hk
Nationwide Building Society = nationwide.co.uk
TSB Bank = tsb.co.uk
Starling Bank = starlingbank.com
Halifax Bank, Bank of Scotland = halifax.co.uk bankofscotland.co.uk lloydsbanking.com
Deutsche Bank = deutsche-bank.de db.com deutschebank.com deutsche-bank.com
Commerzbank = commerzbank.de commerzbank.com
Sparkasse = sparkasse.de sparkasse-* spk-* kreissparkasse-* ksk-* stadtsparkasse-* sskm.de haspa.de sskduesseldorf.de berliner-sparkasse.de naspa.de s-kreditpartner.de dsgv.de starmoney.de ospa.de
Volksbank, Volksbanken Raiffeisenbanken, VR Bank = volksbank.de vr.de volksbank-* vb-* vr-* vrbank-* vrbank.de raiffeisenbank-* berliner-volksbank.de atruvia.de fiducia.de
Postbank = postbank.de
Comdirect = comdirect.de
DKB, Deutsche Kreditbank = dkb.de
ING-DiBa, ING DiBa = ing.de ing-diba.de ing.com
N26, N26 Bank = n26.com number26.de number26.com
BNP Paribas = bnpparibas.com bnpparibas.net bnpparibas.fr mabanque.bnpparibas bnpparibas-pf.com
Société Générale = societegenerale.fr societegenerale.com socgen.com sg.fr particuliers.sg.fr
Crédit Agricole = credit-agricole.fr credit-agricole.com ca-* creditagricole.fr creditagricole.info
Crédit Mutuel, CIC Banque = creditmutuel.fr creditmutuel.com cic.fr
Caisse d'Epargne = caisse-epargne.fr bpce.fr
Banque Populaire = banquepopulaire.fr bpce.fr
La Banque Postale, Banque Postale = labanquepostale.fr
Boursorama, BoursoBank = boursorama.fr boursorama.com boursobank.com
CaixaBank = caixabank.es caixabank.com lacaixa.es
BBVA = bbva.com bbva.es bbva.mx
Banco Santander, Santander Bank, Santander Consumer Bank = santander.com santander.co.uk gruposantander.com santanderbank.com openbank.es santander.de santanderconsumer.com
Banco Sabadell = bancsabadell.com
UniCredit, HypoVereinsbank = unicredit.it unicredit.eu unicreditgroup.eu hypovereinsbank.de
Intesa Sanpaolo, Intesa San Paolo = intesasanpaolo.com intesasanpaolo.it
Banca Sella = sella.it
Rabobank = rabobank.nl rabobank.com
ABN AMRO = abnamro.nl abnamro.com
KBC Bank = kbc.be kbc.com
Belfius = belfius.be
Swedbank = swedbank.se swedbank.com
Nordea = nordea.com nordea.se nordea.fi
Danske Bank, DanskeBank = danskebank.dk danskebank.com
Handelsbanken = handelsbanken.se
DNB Bank = dnb.no
MobilePay = mobilepay.dk mobilepay.com
MitID, NemID = mitid.dk nets.eu digst.dk nemid.nu
BankID = bankid.com bankid.no
Raiffeisen, Raiffeisenbank, Raiffeisen Bank = raiffeisen.ch raiffeisen.at raiffeisen.com rbinternational.com raiffeisenbank.cz raiffeisenbank-* raiffeisen-* rb-* rb.cz
Erste Bank = erstebank.at sparkasse.at erstegroup.com
UBS, UBS Switzerland = ubs.com credit-suisse.com
PKO Bank Polski, PKO BP = pkobp.pl pkobp.com ipko.pl
mBank = mbank.pl
Sberbank, Сбербанк = sberbank.ru sber.ru
Tinkoff, Тинькофф = tinkoff.ru tbank.ru
Госуслуги, Gosuslugi = gosuslugi.ru
Akbank = akbank.com
Garanti BBVA = garantibbva.com.tr garanti.com.tr
Scotiabank = scotiabank.com
CIBC = cibc.com
Royal Bank of Canada, RBC Royal Bank = rbc.com royalbank.com
BMO Bank, Bank of Montreal = bmo.com
Interac, Interac e-Transfer = interac.ca payments.interac.ca
Commonwealth Bank, CommBank = commbank.com.au cba.com.au
Westpac = westpac.com.au westpac.co.nz
NAB Bank, National Australia Bank = nab.com.au
ANZ Bank = anz.com anz.com.au
DBS Bank = dbs.com
OCBC = ocbc.com
Maybank = maybank2u.com.my maybank.com.my maybank.com
Standard Chartered = sc.com standardchartered.com
State Bank of India = sbi.co.in onlinesbi.com sbi.bank.in
ICICI Bank, ICICI = icicibank.com icici.bank.in
HDFC Bank, HDFC = hdfcbank.com hdfcbank.net hdfc.bank.in
Axis Bank = axisbank.com axis.bank.in
Paytm = paytm.com
Itaú, Banco Itaú, Itau Unibanco = itau.com.br itau-unibanco.com.br
Bradesco, Banco Bradesco = bradesco.com.br
Banco do Brasil = bb.com.br
Nubank = nubank.com.br
Caixa Econômica Federal = caixa.gov.br
Bancolombia = bancolombia.com.co bancolombia.com notificacionesbancolombia.com
Banorte = banorte.com
Absa = absa.co.za absa.africa
First National Bank = fnb.co.za
Capitec = capitecbank.co.za
Coinbase = coinbase.com
Binance = binance.com binance.us
Crypto.com = crypto.com
Blockchain.com = blockchain.com blockchain.info
MetaMask = metamask.io consensys.net consensys.io
Trezor = trezor.io satoshilabs.com
Ledger Live, Ledger Wallet, Ledger Nano = ledger.com ledger.fr
Trust Wallet = trustwallet.com
Bitfinex = bitfinex.com
Bitstamp = bitstamp.net
KuCoin = kucoin.com
Bybit = bybit.com
OKX = okx.com
Bitpanda = bitpanda.com
Bitvavo = bitvavo.com
OpenSea = opensea.io
Uniswap = uniswap.org
eToro = etoro.com
Kraken Exchange = kraken.com
Booking.com = booking.com
Airbnb = airbnb.com airbnbmail.com
Expedia = expedia.com expediagroup.com expediamail.com hotels.com vrbo.com
TripAdvisor = tripadvisor.com
Uber Eats, UberEats = uber.com ubereats.com
Lyft = lyft.com lyftmail.com
DoorDash = doordash.com
Deliveroo = deliveroo.co.uk deliveroo.com
Lufthansa, Miles & More = lufthansa.com lufthansagroup.com lufthansa-group.com miles-and-more.com milesandmore.com
Ryanair = ryanair.com ryanairmail.com
easyJet = easyjet.com
British Airways = britishairways.com ba.com iairgroup.com avios.com
Emirates Airline = emirates.com emirates.email
Qatar Airways = qatarairways.com qatarairways.com.qa
Turkish Airlines = turkishairlines.com thy.com
Air France = airfrance.fr airfrance.com airfrance-klm.com flyingblue.com info-airfrance.com service-airfrance.com account-airfrance.com info-flyingblue.com service-flyingblue.com
KLM = klm.com klm.nl airfrance-klm.com flyingblue.com klm-info.com service-klm.com info-flyingblue.com service-flyingblue.com
American Airlines = aa.com americanairlines.com
Delta Air Lines, Delta Airlines = delta.com
United Airlines = united.com
Southwest Airlines = southwest.com ifly.southwest.com southwestairlines.com luv.southwest.com
Qantas = qantas.com qantas.com.au
Singapore Airlines = singaporeair.com
Deutsche Bahn, DB Bahn = bahn.de deutschebahn.com dbahn.de bahncard.de
SNCF, SNCF Connect = sncf.com sncf.fr sncf-connect.com oui.sncf voyages-sncf.com ouigo.com
Verizon, Verizon Wireless = verizon.com verizonwireless.com verizon.net vzw.com
Xfinity, Comcast, Comcast Xfinity = xfinity.com comcast.com comcast.net
AT&T, ATT Wireless = att.com att-mail.com att.net
T-Mobile = t-mobile.com t-mobile.nl t-mobile.at magenta.at telekom.de
Vodafone = vodafone.com vodafone.de vodafone.it vodafone.co.uk kabel-deutschland.de unitymedia.de
Telekom Deutschland, Deutsche Telekom = telekom.de telekom.com t-mobile.com t-online.de
Telefónica, Movistar = telefonica.com telefonica.es telefonica.de movistar.com movistar.es
Telstra = telstra.com telstra.com.au bigpond.com
BT Group, British Telecom = bt.com btinternet.com
EE Limited = ee.co.uk bt.com
Bouygues Telecom = bouyguestelecom.fr bbox.fr
Free Mobile = free.fr free-mobile.fr mobile.free.fr iliad.fr
Swisscom = swisscom.com swisscom.ch bluewin.ch
KPN = kpn.com kpn.nl
Ziggo = ziggo.nl vodafoneziggo.com
Proximus = proximus.be proximus.com
TIM Telecom Italia, Telecom Italia = tim.it telecomitalia.it
Bell Canada = bell.ca
Internal Revenue Service, IRS.gov = irs.gov
HMRC, HM Revenue & Customs, HM Revenue and Customs = hmrc.gov.uk gov.uk
GOV.UK = gov.uk
DVLA = gov.uk dvla.gov.uk
TV Licensing = tvlicensing.co.uk
Social Security Administration = ssa.gov
Bundeszentralamt für Steuern, ELSTER Finanzamt, Mein ELSTER = bzst.de bund.de elster.de elster.bund.de
Impots.gouv.fr, Impôts.gouv, Direction générale des Finances publiques, DGFiP = impots.gouv.fr dgfip.finances.gouv.fr gouv.fr
Assurance Maladie, L'Assurance Maladie = ameli.fr assurance-maladie.fr
ANTAI = antai.gouv.fr antai.fr gouv.fr
FranceConnect = franceconnect.gouv.fr gouv.fr
Agenzia delle Entrate = agenziaentrate.gov.it agenziaentrate.it gov.it
INPS = inps.it inps.gov.it
Agencia Tributaria = agenciatributaria.gob.es agenciatributaria.es correo.aeat.es gob.es
Belastingdienst = belastingdienst.nl
DigiD = digid.nl logius.nl
Skatteverket = skatteverket.se
Skatteetaten = skatteetaten.no
Receita Federal = gov.br receita.fazenda.gov.br
Australian Taxation Office = ato.gov.au my.gov.au
myGov = my.gov.au servicesaustralia.gov.au
Canada Revenue Agency = cra-arc.gc.ca canada.ca gc.ca
E-ZPass, EZPass, EZ Pass = e-zpassny.com ezpassnj.com e-zpassiag.com ezpass.com
Samsung, Samsung Account = samsung.com samsung-mail.com samsungmail.com samsungusa.com
Huawei = huawei.com
Xiaomi = xiaomi.com mi.com
Nvidia = nvidia.com nvidiagrid.net
Tesla Motors = tesla.com teslamotors.com
Zoom Video, Zoom Meetings, Zoom.us = zoom.us zoom.com
Atlassian = atlassian.com atlassian.net trello.com
Canva = canva.com
WordPress.com = wordpress.com automattic.com
Squarespace = squarespace.com
Wix.com = wix.com
Ticketmaster = ticketmaster.com ticketmaster.co.uk email.ticketmaster.com livenation.com ticketmaster.de
StubHub = stubhub.com
Carrefour = carrefour.fr carrefour.com carrefour.es carrefour.it
Lidl = lidl.de lidl.com lidl-shop.de lidlplus.com lidl-plus.com lidl.co.uk
Aldi, Aldi Süd, Aldi Nord = aldi-sued.de aldi-nord.de aldi.com aldi.us aldi.co.uk
Tesco, Tesco Bank, Tesco Clubcard = tesco.com tescobank.com tesco.ie
Sainsbury's = sainsburys.co.uk
Decathlon = decathlon.com decathlon.fr decathlon.net
SHEIN = shein.com sheinemail.com sheingroup.com
Costa Coffee = costa.co.uk costacoffee.com
Starbucks = starbucks.com
McDonald's = mcdonalds.com mcd.com
Coca-Cola = coca-cola.com coke.com coca-colacompany.com
`;

const wordsToo = `
Salesforce = salesforce.com salesforce-email.com exacttarget.com
HubSpot = hubspot.com hubspotemail.net
Okta = okta.com oktapreview.com
Bitbucket = bitbucket.org atlassian.com
Twilio = twilio.com
SendGrid = sendgrid.com sendgrid.net twilio.com
Mailchimp = mailchimp.com mailchimpapp.net intuit.com rocketsciencegroup.com
Webex, Cisco Webex = webex.com cisco.com
Zelle = zellepay.com zelle.com earlywarning.com
Desjardins = desjardins.com
Kakao = kakao.com kakaocorp.com kakaobank.com
Apple = apple.com icloud.com me.com itunes.com
Ameli = ameli.fr assurance-maladie.fr
Outlook = outlook.com microsoft.com office.com office365.com
SharePoint, SharePoint Online = sharepoint.com sharepointonline.com microsoft.com
Meta = meta.com facebook.com facebookmail.com metamail.com
Steam = steampowered.com steamcommunity.com valvesoftware.com
Slack = slack.com slack-mail.com
Zoom = zoom.us zoom.com
Notion = notion.so notion.com makenotion.com
Stripe = stripe.com
Square = squareup.com square.com messaging.squareup.com
Chase = chase.com jpmorgan.com jpmchase.com
Citi = citi.com citibank.com citicards.com
Santander = santander.com santander.co.uk gruposantander.com santanderbank.com openbank.es santanderconsumer.com santander.de
Halifax = halifax.co.uk lloydsbanking.com
Lloyds = lloydsbank.com lloydsbank.co.uk lloydsbanking.com
Ally = ally.com
Wise = wise.com transferwise.com
Gemini = gemini.com google.com
Kraken = kraken.com
Ledger = ledger.com ledger.fr
Exodus = exodus.com exodus.io
Phantom = phantom.app phantom.com
Robinhood = robinhood.com
Norton = norton.com nortonlifelock.com gendigital.com
Quicken = quicken.com
Telekom = telekom.de telekom.com t-online.de
Strato = strato.de strato.com
Uber = uber.com ubereats.com
Bol = bol.com
Trello = trello.com atlassian.com
Itau = itau.com.br
Telegram = telegram.org t.me
Signal = signal.org
Correos [parcels alone] = correos.es correos.com correosexpress.com correosdemexico.gob.mx
KBC = kbc.be kbc.com
RBC = rbc.com royalbank.com
BMO = bmo.com
PNC = pnc.com
ANZ = anz.com anz.com.au
SBI = sbi.co.in sbicard.com sbi.bank.in netbk.co.jp sbisec.co.jp
FNB = fnb.co.za
DNB = dnb.no
SEB = seb.se seb.ee sebgroup.com
`;

/** Common words and ambiguous abbreviations. They need one of the words in brackets next to them; [parcels] means carrier words, and [alone] means that no other word is needed. */
const fewSigns = `
Azure [account subscription security verification] = microsoft.com azure.com
AWS [account verification login root console] = amazon.com amazonaws.com aws.com
Visa [secure card cardholder debit credit] = visa.com visa-email.com
Discover [card bank cardmember] = discover.com discovercard.com
Nationwide [bank banking account card building society internet] = nationwide.co.uk nationwide.com
Target [account giftcard card redcard order orders refund] = target.com targetinc.com
Orange [client clients facture messagerie boite mail espace compte assistance bank mobile facturation] = orange.fr orange.com orangebank.fr orange.es orange.be orange.pl wanadoo.fr orange-business.com
Free [facture facturation abonné mobile] = free.fr free-mobile.fr iliad.fr
Delta [skymiles airline airlines] = delta.com
UPS [delivery deliveries parcel parcels package packages shipping shipment shipments tracking express courier customs paket paquete colis quantum notification] = ups.com upsemail.com upsemails.com theupsstore.com
GLS [delivery parcel package paket pakete colis shipping tracking express paquete sendung zustellung notification] = gls-group.com gls-group.eu gls-germany.com gls-pakete.de gls-us.com gls-italy.com gls-one.de
TNT [delivery parcel package shipping shipment tracking express courier] = tnt.com fedex.com
Hermes [delivery parcel package paket paketdienst tracking sendung zustellung courier versand paketshop] = hermesworld.com myhermes.de hermes-germany.de hlg.de evri.com
Posten [pakke paket leverans levering sporing forsendelse] = posten.no posten.se postnord.se bring.com
IRS [tax taxes refund rebate payment treasury notice service] = irs.gov
ATO [tax refund notice] = ato.gov.au my.gov.au
ELSTER [steuererstattung erstattung bescheid steuer steuern finanzamt steuerbescheid portal konto] = elster.de elster.bund.de bzst.de bund.de
ING [rekening rekeningen betaalpas pas internetbankieren beveiliging rachunek bankowość bank banking banque konto kundenservice direct klantenservice cuenta carta] = ing.com ing.de ing.nl ing.be ing.es ing.it ing-diba.de ing.pl ing.com.au
Otto [kundenservice kundendienst rechnung rechnungen bestellung konto] = otto.de ottogroup.com
Post [packstation sendungsverfolgung] = post.ch post.at deutschepost.de
TD [bank banking easyweb] = td.com tdbank.com
NAB [bank banking internetbanking] = nab.com.au
BB [banco cartão] = bb.com.br
EE [mobile bill billing] = ee.co.uk bt.com
O2 [bill billing rechnung kundenservice mobile kundenbetreuung] = o2.de o2online.de o2.co.uk telefonica.de o2mail.de
BT [bill billing broadband email mail] = bt.com btinternet.com
TIM [fattura bolletta] = tim.it telecomitalia.it
SFR [facture client clients mail messagerie facturation] = sfr.fr sfr.com red-by-sfr.fr sfr.net
CIC [banque filbanque] = cic.fr
LCL [banque client clients compte] = lcl.fr lcl.com
JCB [カード card] = jcb.co.jp jcb.com
NHS [vaccine covid vaccination login] = nhs.uk nhs.net
Three [bill billing mobile] = three.co.uk three.ie
`;

export const brandRows = whenNeeded((): readonly BrandRow[] => [
  ...readRows(unmistakable, "nothing"),
  ...readRows(localBrands, "nothing"),
  ...readRows(wordsToo, "service"),
  ...readRows(localWordsToo, "service"),
  ...readRows(fewSigns, "service"),
]);

function readRows(text: string, need: "nothing" | "service"): BrandRow[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [left = "", domains = ""] = line.split(" = ", 2);
      const [names = "", signs] = left.split(" [", 2);
      const [name = "", ...also] = names.split(", ");
      const needs = signs === undefined ? need : new Set(toSigns(signs.replace("]", "")));
      return { name, also, domains: domains.split(" "), needs };
    });
}

function toSigns(signs: string): readonly string[] {
  if (signs === "parcels alone") return ["alone", ...toSigns("parcels")];
  return signs === "parcels" ? [...accountWords, ...parcelWords] : signs.split(" ");
}

/** Domains that lookalikes are compared with. Nearly all names of up to three letters are left out, because too many others look like them. */
export const brandDomains = whenNeeded((): readonly string[] => [
  ...new Set([
    ...brandRows().flatMap(({ domains }) => domains.filter((domain) => /^[a-z0-9-]{4,}\.[a-z.]+$/.test(domain))),
    ...(
      "gmail.com outlook.com hotmail.com live.com icloud.com protonmail.com mozilla.org gitlab.com intel.com wordpress.com duosecurity.com " +
      "dhl.com dpd.com irs.gov"
    ).split(" "),
  ]),
]);
