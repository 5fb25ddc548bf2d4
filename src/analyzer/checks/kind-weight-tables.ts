// Words that point to a kind of message, with their points, in lowercase. A row counts once, where it is worth most: in the
// subject, in the first words (`opening`) or elsewhere (`body`). In inflected languages a row has several forms.

import type { Kind } from "./kind.ts";

type WordWeight = {
  readonly kind: Exclude<Kind, "auto-reply">;
  readonly subject: number;
  readonly opening: number;
  readonly body: number;
  /** Followed by the words found, in parentheses. */
  readonly says: string;
  /** The rows of a group together count no more than its limit. */
  readonly group: WordGroup;
  readonly words: readonly string[];
};

export type WordGroup =
  | "footer"
  | "issue"
  | "selling"
  | "appeal"
  | "pitch"
  | "ask"
  | "account"
  | "state"
  | "request"
  | "receipt"
  | "notice"
  | "watch";

export const groupLimits: Readonly<Record<WordGroup, number>> = {
  footer: 7,
  issue: 5,
  selling: 6,
  appeal: 5,
  pitch: 5,
  /** Counts only together with a pitch. */
  ask: 2,
  account: 5,
  state: 10,
  request: 5,
  receipt: 5,
  notice: 5,
  watch: 5,
};

const split = (rows: readonly string[]): string[] => rows.flatMap((row) => row.split("|"));

export const wordWeights: readonly WordWeight[] = [
  {
    group: "footer",
    kind: "bulk",
    subject: 0,
    opening: 3,
    body: 3,
    says: 'It has a "view in browser" line',
    words: split([
      "view in browser|view in your browser|view this email in your browser|view this email in a browser|view online|view it online|view it in your browser|view this email online|read online|read it online|view as web page|view as a web page|web version|online version|view as webpage|email not displaying correctly|trouble viewing this|trouble reading this|having trouble viewing|can't see this email|cannot see the images",
      "im browser ansehen|im browser anzeigen|im browser öffnen|online ansehen|online-version|webversion|newsletter im browser|e-mail im browser|wird dieser newsletter nicht richtig|nicht richtig angezeigt|nicht korrekt dargestellt|voir dans le navigateur|voir la version en ligne|version en ligne|lire en ligne|ouvrir dans le navigateur|afficher dans le navigateur|s'affiche pas correctement",
      "ver en el navegador|ver en tu navegador|ver en navegador|versión online|versión en línea|versión web|ver online|visualiza nel browser|apri nel browser|versione online|versione web|visualizza nel browser|visualizza online|leggi online|ver no navegador|ver no browser|versão online|versão web|visualizar no navegador",
      "bekijk in browser|bekijk in je browser|bekijk online|bekijk de webversie|online versie|webversie|bekijk deze e-mail in je browser|lees online|zobacz w przeglądarce|wyświetl w przeglądarce|otwórz w przeglądarce|wersja online|visa i webbläsare|visa i webbläsaren|öppna i webbläsare|webbversion|läs i webbläsaren|vis i browser|vis i nettleser|se i browser|näytä selaimessa|zobrazit v prohlížeči|zobrazit online|смотреть в браузере|открыть в браузере|веб-версия|переглянути в браузері|ブラウザで表示|ブラウザで見る|ブラウザでご覧|ウェブ版|在浏览器中查看|在瀏覽器中|브라우저에서 보기|tarayıcıda görüntüle",
    ]),
  },
  {
    group: "footer",
    kind: "bulk",
    subject: 0,
    opening: 4,
    body: 4,
    says: "It explains why the recipient is subscribed",
    words: split([
      "receiving this email because you subscribed|receiving this email because you signed up|receiving this email because you opted|receiving this because you subscribed|receiving this because you signed up|received this email because you subscribed|received this email because you signed up|received this email because you are subscribed|receive this email because you subscribed|you are subscribed to|you're subscribed to|you subscribed to|you have subscribed|you are on our mailing list|on our mailing list|our mailing list|join our mailing list|from our mailing list|you opted in|opted-in|opt-in|opted in to receive|because you signed up for|signed up to receive|you signed up to|registered to receive|as a subscriber|this mailing is|this newsletter was sent|this mailing was sent|you are receiving this newsletter|not a spam|this is not spam|to be removed|removed from our|remove your name|to remove yourself|to change your email address|to subscribe|subscribe to this|subscribe to our",
      "sie erhalten diese e-mail|sie erhalten diesen newsletter|du erhältst diese e-mail|du erhältst diesen newsletter|sie erhalten diese nachricht|sie bekommen diese e-mail|du bekommst diese e-mail|weil sie sich für|weil du dich für|diesen newsletter|vous recevez cet email|vous recevez cet e-mail|vous recevez ce message|vous recevez cette newsletter|vous recevez cette lettre|vous êtes inscrit|vous êtes abonné|car vous êtes inscrit",
      "recibes este correo porque|recibes este email porque|recibe este correo porque|recibe este mensaje porque|has recibido este correo|has recibido este email|te has suscrito|estás suscrito|se ha suscrito|ricevi questa email perché|ricevi questa e-mail perché|hai ricevuto questa email|ricevi questo messaggio|ti sei iscritto|sei iscritto|recebeu este email porque|você está recebendo este e-mail|você está recebendo|está a receber este|recebe este email|você recebeu este e-mail",
      "je ontvangt deze e-mail|u ontvangt deze e-mail|je ontvangt deze nieuwsbrief|u ontvangt deze nieuwsbrief|je ontvangt deze mail|omdat je bent ingeschreven|otrzymujesz tę wiadomość|otrzymujesz ten e-mail|otrzymałeś tę wiadomość|otrzymujesz newsletter|ponieważ zapisałeś|du får det här mejlet|du får detta mejl|du får detta e-post|du får detta nyhetsbrev|du får det här nyhetsbrevet|eftersom du har anmält|du modtager denne|du mottar denne|saat tämän viestin|tento e-mail jste obdrželi|вы получили это письмо|вы подписаны|вы подписались|ви отримали цей лист|このメールは|配信しています|配信停止|メールマガジンに登録|您收到此邮件|本メールは",
    ]),
  },
  {
    group: "footer",
    kind: "bulk",
    subject: 0,
    opening: 1,
    body: 1,
    says: "It explains who received it or why",
    words: split([
      "this message was sent to|this email was sent to|this e-mail was sent to|you received this email because|you are receiving this email because|you're receiving this email because|you are receiving this because|you're receiving this because|you are receiving this message because|you have received this email because|you received this message because|why did i get this",
      "diese e-mail wurde an|ce message a été envoyé à|cet email a été envoyé à|este correo fue enviado|questa email è stata inviata|este e-mail foi enviado|deze e-mail is verzonden|wiadomość została wysłana do|detta mejl skickades|本邮件由|このメールは次の",
    ]),
  },
  {
    group: "footer",
    kind: "bulk",
    subject: 0,
    opening: 1,
    body: 1,
    says: "It asks to be forwarded, followed, or added to contacts",
    words: split([
      "forward to a friend|forward this email|send to a friend|tell a friend|share this email|add us to your address book|to your address book|safe sender list|follow us on|follow us|like us on facebook|join us on|find us on|connect with us|stay connected|all rights reserved|sponsored by|advertisement|advertise|our sponsor|our sponsors",
      "an freunde weiterleiten|weiterempfehlen|folgen sie uns|folge uns|alle rechte vorbehalten|adressbuch|suivez-nous|suivez nous|tous droits réservés|carnet d'adresses|transférer à un ami|síguenos|todos los derechos reservados|libreta de direcciones|reenvía a un amigo|seguici|tutti i diritti riservati|siga-nos|segue-nos|todos os direitos reservados|volg ons|alle rechten voorbehouden|adresboek|obserwuj nas|wszelkie prawa zastrzeżone|följ oss|alla rättigheter|følg os|följ oss på|sledujte nás|мы в соцсетях|все права защищены|フォローする|無断転載",
    ]),
  },
  {
    group: "issue",
    kind: "bulk",
    subject: 4,
    opening: 3,
    body: 1.5,
    says: "It calls itself a newsletter or an issue",
    words: split([
      "newsletter|newsletters|e-newsletter|enewsletter|e-news|enews|weekly update|monthly update|weekly news|monthly news|weekly digest|in this issue|in this edition|top stories|tip of the day|editor's note|from the editor",
      "rundbrief|in dieser ausgabe|newsletter-ausgabe|lettre d'information|infolettre|dans ce numéro|boletín|boletín informativo|en este número|notiziario|in questo numero|boletim|informativo|esta edição|nesta edição",
      "nieuwsbrief|in dit nummer|biuletyn|w tym numerze|nyhetsbrev|nyhetsbrevet|nyhedsbrev|uutiskirje|zpravodaj|hírlevél|buletin|bülten|рассылка|дайджест|розсилка|ニュースレター|メールマガジン|メルマガ|新着情報|周报|電子報|뉴스레터",
    ]),
  },
  {
    group: "issue",
    kind: "bulk",
    subject: 2,
    opening: 1,
    body: 0.5,
    says: "It contains news",
    words: split([
      "digest|bulletin|gazette|roundup|round-up|this week's|this month's|issue|edition|volume|vol|news|headlines|dispatch|flash|daily|weekly|monthly|contents",
      "ausgabe|neuigkeiten|aktuelles|nachrichten|actualités|actus|numéro|édition|noticias|novedades|edición|notizie|novità|edizione|notícias|novidades|nieuws|editie|aktualności|nowości|wydanie|nyheter|veckans|månadens|nyheder|uutiset|novinky|haberler|новости|выпуск|новини|今週の|今月の|ニュース|最新情報|お知らせ|通讯|新闻|소식",
    ]),
  },
  {
    group: "issue",
    kind: "bulk",
    subject: 2.5,
    opening: 1.5,
    body: 0.5,
    says: "It makes an announcement",
    words: split([
      "introducing|announcing|we're excited|we are excited|we're thrilled|we are pleased to announce|is proud to|new arrivals|new collection|just landed|just arrived|now available|now in store|coming soon|save the date|webinar|live event|register now|register today|join us|early bird|sneak peek|what's new|read more|learn more|find out more|watch the demo|watch the video|see why|discover|explore|see more|read the full|full story|read the article|continue reading|more info|more information|dear customers|dear subscriber|dear subscribers|dear reader|dear readers|dear friends|dear friend|dear members|dear member|hello everyone|hi everyone|ladies and gentlemen",
      "neue kollektion|jetzt neu|neu eingetroffen|jetzt entdecken|mehr erfahren|weiterlesen|mehr lesen|jetzt anmelden|wir freuen uns|liebe kunden|liebe leser|liebe leserin|liebe leserinnen|liebe freunde|liebe mitglieder|sehr geehrte damen und herren|nouvelle collection|nouveautés|découvrez|découvrir|en savoir plus|lire la suite|chers clients|chers lecteurs|chers amis|chers abonnés|cher client|inscrivez-vous|nueva colección|descubre|descubrir|saber más|leer más|más información|estimados clientes|queridos amigos|inscríbete|nuova collezione|nuovi arrivi|scopri|scopri di più|leggi di più|leggi tutto|continua a leggere|cari clienti|gentili clienti|cari lettori|nova coleção|descubra|saiba mais|leia mais|ler mais|caros clientes|queridos clientes|inscreva-se",
      "nieuwe collectie|ontdek|lees meer|lees verder|meer informatie|beste klanten|beste lezer|beste lezers|meld je aan|nowa kolekcja|odkryj|czytaj więcej|dowiedz się więcej|zobacz więcej|sprawdź|drodzy klienci|szanowni państwo|zapisz się|ny kollektion|upptäck|läs mer|mer information|kära kunder|kära läsare|anmäl dig|opdag|læs mere|les mer|oppdag|lue lisää|tutustu|číst více|zjistit více|více informací|objevte|vážení zákazníci|tudj meg többet|află mai mult|keşfet|daha fazla|узнать больше|узнать подробнее|читать далее|подробнее|дізнатися більше|続きを読む|詳しくはこちら|詳細はこちら|新発売|新商品|お客様各位|了解更多|查看更多|阅读更多|자세히 보기|더 보기",
    ]),
  },
  {
    group: "selling",
    kind: "bulk",
    subject: 2,
    opening: 2,
    body: 1.5,
    says: "It urges the recipient to act",
    words: split([
      "click below|click the link below to order|order today|order now|buy now|call now|call today|call toll free|toll free|sign up now|sign up today|join now|join today|start your free trial|start a free trial|start my free trial|no commitment|visit our|visit us at|visit our website|apply now|download now|try it free|try it now|get started now|don't miss|do not miss|hurry|don't wait|for more information|fill out the form|simply reply|reply with|please reply|hier klicken|klicken sie hier|jetzt sichern|nicht verpassen|cliquez ici|ne manquez pas|haz clic aquí|haga clic aquí|no te pierdas|no se pierda|clicca qui|non perdere|clique aqui|não perca|klik hier|mis het niet|kliknij tutaj|nie przegap|klicka här|missa inte|нажмите здесь|не пропустите|звоните|ここをクリック|今すぐ|お見逃しなく|点击这里|点击此处",
    ]),
  },
  {
    group: "selling",
    kind: "bulk",
    subject: 2,
    opening: 1.5,
    body: 1,
    says: "It has promotional language",
    words: split([
      "free|absolutely free|for free|100% free|guaranteed|guarantee|satisfaction guaranteed|no obligation|no cost|save up to|save over|and save|save big|lowest price|lowest prices|low price|best price|best prices|wholesale|cheap|discounted|retail price|special price|as low as|only $|limited supply|exclusive|bonus|gift|gifts|win|winner|prize|sweepstakes|amazing|incredible|unbelievable|revolutionary|proven|miracle|secret|secrets|breakthrough|kostenlos|gratis|gratuit|gratuite|gratuitement|garantiert|garanti|exclusif|exklusiv|exclusivo|esclusivo|gratuito|garantizado|regalo|darmowy|za darmo|bezpłatnie|garantie|exclusief|bezplatno|бесплатно|гарантия|эксклюзив|подарок|скидки|無料|プレゼント|限定|特典|免费|限时|무료",
    ]),
  },
  {
    group: "selling",
    kind: "bulk",
    subject: 2,
    opening: 2,
    body: 1.5,
    says: "It sells typical mass-mail products",
    words: split([
      "viagra|cialis|xanax|valium|pharmacy|prescription|prescriptions|medication|weight loss|lose weight|diet|herbal|enlargement|enlarge|erection|penis|sex|sexual|sexy|porn|xxx|adult|teens|webcam|webcams|casino|gambling|lottery|mortgage|refinance|loan|loans|debt|credit card|credit cards|credit report|life insurance|insurance|investment|investments|investors|stock alert|penny stock|ink cartridges|cartridges|cable descrambler|dvd|software cd|bulk email|email addresses|mailing lists|email marketing|bulk mail|work at home|home based|home-based|home business|business opportunity|income|earnings|profit|profits|cash|rich|wealth|wealthy|millionaire|multi-level|mlm|network marketing|financial freedom|university diploma|diploma|diplomas|degree program|anti-aging|growth hormone|hgh|satellite tv|vacation|rolex|replica|replicas|seo|backlinks|crypto|bitcoin",
      "million dollars|million united states|million usd|next of kin|transfer of|foreign partner|your assistance|beneficiary|deceased|business proposal|business relationship|inheritance|barrister|urgent response|strictly confidential|nigeria|fund transfer|percentage of the|kredit|darlehen|hypothek|abnehmen|verdienen|geld verdienen|crédit|prêt|maigrir|gagner de l'argent|préstamo|hipoteca|adelgazar|ganar dinero|prestito|mutuo|dimagrire|guadagnare|empréstimo|emagrecer|ganhar dinheiro|lening|hypotheek|afvallen|pożyczka|kredyt|schudnąć|lån|gå ner i vikt|кредит|ипотека|заработок|похудеть|казино|ローン|副業|ダイエット|贷款|发票|赌场|대출|카지노",
    ]),
  },
  {
    group: "appeal",
    kind: "bulk",
    subject: 3,
    opening: 3.5,
    body: 2,
    says: "It asks for a donation",
    words: split([
      "donate|donate today|donate now|please donate|please give|make a donation|make a gift|give today|fundraiser|fundraising|support our work|support our campaign|support us|chip in|your support today|jetzt spenden|spenden sie|spende jetzt|spendet|bitte spenden|spendenaufruf|unterstützen sie uns|unterstützen sie unsere|mit ihrer spende|faites un don|faire un don|je donne|soutenez|soutenez-nous|appel aux dons|avec votre don",
      "dona ahora|dona hoy|done ahora|haz una donación|haga una donación|haz tu donativo|con tu donativo|colabora con nosotros|dona ora|dona oggi|fai una donazione|sostienici|con la tua donazione|sostieni|doe agora|doe hoje|faça uma doação|faça a sua doação|com a sua doação|doneer|doneer nu|doneer vandaag|steun ons|geef vandaag|met uw gift|przekaż darowiznę|wesprzyj|wesprzyj nas|wpłać|przekaż 1|skänk|skänk en gåva|ge en gåva|swisha|stöd oss|giv et bidrag|støt os|støtt oss|gi en gave|lahjoita|přispějte|darujte|adományozz|adományozzon|donează|bağış yapın|пожертвуйте|ご寄付|寄付を|ご支援をお願い|ご支援ください|捐款|후원",
    ]),
  },
  {
    group: "appeal",
    kind: "bulk",
    subject: 2,
    opening: 2.5,
    body: 1.5,
    says: "It asks the recipient to try or join something new",
    words: split([
      "we are launching|we're launching|today we launch|today we launched|we just launched|we've just launched|launching today|is launching|love for you to try|love you to try|like you to try|i'd love your feedback on|be the first to try|give it a try|try it today|is now open|are now open|sign up here|sign up at|join the waitlist|join our|get early access|early access|reserve your spot|save your seat|rsvp here|tickets are on sale|get your tickets",
      "probieren sie es aus|probier es aus|probiert es aus|jetzt ausprobieren|jetzt testen|wir starten|wir launchen|melden sie sich an|meldet euch an|jetzt anmelden|sichern sie sich|essayez-le|essayez-la|essayez gratuitement|nous lançons|inscrivez-vous|réservez votre place|pruébalo|pruébela|pruébelo|lanzamos|estamos lanzando|apúntate|inscríbete|reserva tu plaza|provalo|provala|lanciamo|stiamo lanciando|iscriviti|prenota il tuo posto|experimente|experimenta|estamos lançando|estamos a lançar|inscreva-se|garanta sua vaga",
      "probeer het|probeer het nu|we lanceren|wij lanceren|schrijf je in|schrijf u in|reserveer je plek|wypróbuj|wypróbuj teraz|startujemy z|zapisz się|zarezerwuj miejsce|prova gratis|prova det|prova den|vi lanserar|anmäl dig|boka din plats|prøv det|vi lancerer|vi lanserer|tilmeld dig|kokeile|ilmoittaudu|vyzkoušejte|próbáld ki|încearcă|deneyin|попробуйте|регистрируйтесь|お試しください|ぜひお試し|お申し込みはこちら|登録はこちら|立即试用|报名",
    ]),
  },
  {
    group: "appeal",
    kind: "bulk",
    subject: 2,
    opening: 3,
    body: 2,
    says: "It is an invitation to an event",
    words: split([
      "join us for|join us at our|invite you to our|invite you all|you are all invited|you're all invited|come along to|all are welcome|everyone is welcome|laden sie herzlich|laden wir sie herzlich|laden euch herzlich|laden wir euch|laden alle|herzliche einladung|alle sind willkommen|nous vous invitons à|nous avons le plaisir de vous inviter|venez nombreux|vous êtes tous invités|entrée libre|eintritt frei|les invitamos a|os invitamos|te invitamos a|le invitamos a|entrada libre",
      "vi invitiamo a|vi aspettiamo|ti aspettiamo|siete tutti invitati|ingresso libero|convidamos todos|convidamos a todos|venha participar|entrada gratuita|nodigen u van harte|nodigen jullie|nodigen je van harte|iedereen is welkom|toegang gratis|serdecznie zapraszamy|zapraszamy na|zapraszamy wszystkich|wstęp wolny|varmt välkommen|varmt välkomna|alla är välkomna|fri entré|alle er velkomne|tervetuloa|srdečně zveme|szeretettel várunk|приглашаем вас|приглашаем всех|皆様のご参加|ご参加をお待ち|诚邀",
    ]),
  },
  {
    group: "pitch",
    kind: "bulk",
    subject: 3,
    opening: 3.5,
    body: 3,
    says: "It pitches services to businesses",
    words: split([
      "companies like yours|businesses like yours|firms like yours|teams like yours|brands like yours|more leads|x more leads|lead generation|generate leads|generate more|qualified leads|b2b leads|more meetings|first page of google|page one of google|page 1 of google|top of google|rank higher|google ranking|google rankings|search engine ranking|search engine optimization|website traffic|traffic to your website|your website on|redesign your website|increase your traffic|increase your sales|increase your revenue|grow your business|boost your sales|seo services|seo service|seo results|seo audit|seo expert|seo agency|guaranteed seo|web design services|web development services|app development services|mobile app development|link building|guest post|sponsored post|outsourcing|our price list|business loan|business funding|email list of|decision makers",
      "unternehmen wie ihrem|unternehmen wie ihres|unternehmen wie ihre|unternehmen wie sie|firmen wie ihrer|firmen wie ihre|betrieben wie ihrem|betriebe wie ihren|mehr anfragen|mehr leads|mehr kunden|neukunden|neukundengewinnung|kundengewinnung|bei google auf|seite 1 bei google|auf seite 1|auf die erste seite|erste seite von google|ihre webseite optimieren|suchmaschinenoptimierung|umsatz steigern|entreprises comme la vôtre|sociétés comme la vôtre|plus de clients|plus de prospects|nouveaux clients|génération de leads|première page de google|référencement|augmenter vos ventes|votre chiffre d'affaires",
      "empresas como la suya|empresas como la tuya|empresas como la vuestra|negocios como el tuyo|más clientes|más leads|nuevos clientes|generación de leads|primera página de google|posicionamiento web|posicionamiento seo|aumentar sus ventas|aumentar tus ventas|aziende come la vostra|aziende come la tua|aziende come la sua|imprese come la vostra|più clienti|nuovi clienti|più contatti|prima pagina di google|posizionamento seo|posizionamento su google|aumentare le vendite|aumentare il fatturato|empresas como a sua|empresas como a vossa|mais clientes|novos clientes|mais leads|geração de leads|primeira página do google|aumentar as vendas|aumentar suas vendas",
      "bedrijven zoals het uwe|bedrijven zoals dat van u|bedrijven zoals die van u|bedrijven zoals jullie|bedrijven zoals die van jullie|meer klanten|nieuwe klanten|meer leads|meer aanvragen|eerste pagina van google|hoger in google|zoekmachineoptimalisatie|meer omzet|firmom takim jak|firmom takim jak państwa|firmy takie jak|więcej klientów|nowych klientów|więcej zapytań|pierwszej stronie google|pierwszą stronę google|pozycjonowanie|zwiększyć sprzedaż|företag som ert|företag som ditt|företag som er|fler kunder|nya kunder|fler leads|fler förfrågningar|första sidan på google|sökmotoroptimering|öka er försäljning|virksomheder som jeres|flere kunder|bedrifter som deres|yrityksille kuten|více zákazníků|több ügyfél|mai mulți clienți|daha fazla müşteri|привлечь клиентов|больше клиентов|продвижение сайта|集客|検索上位|売上アップ|新規顧客|獲得をお手伝い|贵公司的产品|谷歌首页",
    ]),
  },
  {
    group: "ask",
    kind: "bulk",
    subject: 2,
    opening: 2,
    body: 1.5,
    says: "It asks for a call or a reply, as in cold sales emails",
    words: split([
      "quick question|quick call|short call|book a call|book a demo|schedule a call|schedule a demo|a quick chat|15 minutes|15-minute|15 min|a 15|20 minutes|10 minutes|would you be open to|are you open to|open to a|case study|case studies|following up on my|follow up on my|just following up|circling back|bumping this|reaching out|i came across your|came across your website|i noticed that|i was on your website|the right person|did you have a chance to|have you had a chance|if you are not interested|if you're not interested|may i send you|can i send you|shall i send",
      "kurze frage|15 minuten|15-minütiges|kurzes gespräch|kurzes telefonat|unverbindlich|unverbindliches|fallstudie|der richtige ansprechpartner|die richtige ansprechpartnerin|auf ihre webseite|auf ihre website gestoßen|ich habe gesehen|question rapide|petite question|15 minutes|un échange rapide|un court appel|étude de cas|la bonne personne|pregunta rápida|15 minutos|una llamada rápida|una breve llamada|caso de éxito|la persona adecuada|he visto que|domanda veloce|una domanda rapida|15 minuti|una breve chiamata|caso studio|la persona giusta|ho visto che|ho notato che|pergunta rápida|uma chamada rápida|uma ligação rápida|caso de sucesso|a pessoa certa|vi que|notei que",
      "korte vraag|15 minuten|kort gesprek|kort belletje|vrijblijvend|de juiste persoon|ik zag dat|szybkie pytanie|krótkie pytanie|15 minut|krótką rozmowę|krótka rozmowa|niezobowiązująco|właściwa osoba|zauważyłem|zauważyłam|snabb fråga|kort fråga|15 minuter|ett kort samtal|rätt person|jag såg att|hurtigt spørgsmål|15 minutter|et kort opkald|15 minuuttia|15 perc|突然のご連絡|突然のメール|15分",
    ]),
  },
  {
    group: "selling",
    kind: "bulk",
    subject: 3,
    opening: 3,
    body: 2.5,
    says: "It promises easy money",
    words: split([
      "make money|earn money|make money online|earn from home|extra income|passive income|a day from home|a week from home|work from home and|from home and earn|make up to|earn up to|earn $|make $|earn €|this trick|with this trick|financial freedom|double your money|guaranteed returns|geld verdienen|schnell geld|von zuhause verdienen|von zu hause verdienen|nebenverdienst|passives einkommen|verdienen sie|verdiene|gagnez de l'argent|gagner de l'argent|gagnez jusqu'à|revenu complémentaire|revenus complémentaires|revenu passif|argent facile",
      "gana dinero|ganar dinero|gane dinero|gana hasta|ingresos extra|ingresos pasivos|dinero fácil|guadagna|guadagna fino|guadagnare da casa|soldi facili|reddito extra|ganhe dinheiro|ganhar dinheiro|ganhe r$|ganhe até|renda extra|trabalhando em casa|dinheiro fácil|thuis geld verdienen|verdien geld|verdien tot|verdien €|extra inkomen|snel geld|zarabiaj|zarobić|zarób|zarobki|dodatkowy dochód|łatwe pieniądze|tjäna pengar|tjäna upp|tjäna extra|extra inkomst|snabba pengar|tjen penge|tjen penger|ansaitse|vydělejte|keress pénzt|câștigă|para kazan|зарабатывайте|заработать|副業|在宅で稼|簡単に稼|稼げ|月収|日给|赚钱",
    ]),
  },
  {
    group: "selling",
    kind: "bulk",
    subject: 2.5,
    opening: 3,
    body: 2,
    says: "It reads like dating spam",
    words: split([
      "lonely girl|lonely woman|lonely women|lonely lady|looking for a man|looking for a serious|looking for love|see my photos|see my pictures|my private photos|my hot photos|hot girls|hot singles|meet singles|single women|single ladies|russian women|sexy girls|chat with me|einsame frau|einsames mädchen|suche einen mann|meine fotos|heiße singles|femme seule|jeune femme seule|cherche un homme|mes photos|rencontres|chica sola|mujer sola|busco un hombre|mira mis fotos|ragazza sola|cerco un uomo|guarda le mie foto|garota solitária|procuro um homem|veja minhas fotos|eenzame vrouw|zoek een man|mijn foto's bekijken|samotna dziewczyna|samotna kobieta|szukam mężczyzny|zobacz moje zdjęcia|ensam tjej|ensam kvinna|söker en man|se mina bilder|одинокая девушка|ищу мужчину|мои фото|出会い|私の写真",
    ]),
  },
  {
    group: "watch",
    kind: "transactional",
    subject: 3,
    opening: 2.5,
    body: 0.5,
    says: "It is a monitoring report",
    words: split([
      "service alert|host alert|service problem|host problem|notification type|problem started|problem name|problem has been resolved|resolved in|is down|went down|is currently down|currently down|downtime|is back online|back online|is back up|is unreachable|status ok|exit code|exit status|disk space|disk usage|low disk|disk full|cpu load|cpu usage|load average|memory usage|high load|backup report|backup completed|backup complete|backup finished|backup failed|backup succeeded|backup successful|backup of|backup job|nightly backup|logwatch|daily security run|cron job|build failed|build passed|build succeeded|pipeline failed|deployment failed|deployment succeeded|certificate will expire|certificate expires|degraded array|smart error|motion detected|motion seen|motion alert|person detected|camera motion|smoke detected|door opened|low battery|firmware update|scan completed|paper jam|toner low|quota exceeded",
      "nicht erreichbar|ist ausgefallen|wieder erreichbar|wieder online|störung|ausfall|speicherplatz|festplatte voll|sicherung abgeschlossen|sicherung erfolgreich|sicherung fehlgeschlagen|datensicherung|backup erfolgreich|backup abgeschlossen|backup fehlgeschlagen|bewegung erkannt|bewegungserkennung|batterie schwach|schweregrad|est hors ligne|hors service|injoignable|de nouveau en ligne|espace disque|sauvegarde terminée|sauvegarde réussie|sauvegarde échouée|échec de la sauvegarde|rapport de sauvegarde|mouvement détecté|détection de mouvement|batterie faible|está caído|no responde|fuera de servicio|espacio en disco|copia de seguridad|respaldo completado|movimiento detectado|detección de movimiento|batería baja|non raggiungibile|non risponde|di nuovo online|spazio su disco|backup completato|backup non riuscito|movimento rilevato|rilevato movimento|batteria scarica",
      "está fora do ar|fora do ar|indisponível|espaço em disco|cópia de segurança|backup concluído|falha no backup|movimento detectado|detecção de movimento|bateria fraca|onbereikbaar|niet bereikbaar|weer bereikbaar|weer online|schijfruimte|back-up voltooid|back-up mislukt|backup voltooid|backup mislukt|beweging gedetecteerd|batterij bijna leeg|niedostępny|nie odpowiada|awaria|mało miejsca|miejsce na dysku|kopia zapasowa|wykryto ruch|niski poziom baterii|ligger nere|inte nåbar|svarar inte|diskutrymme|säkerhetskopiering|säkerhetskopia|rörelse upptäckt|rörelse detekterad|lågt batteri|ikke tilgængelig|bevægelse registreret|sikkerhedskopi|varmuuskopiointi|liike havaittu|nedostupný|záloha dokončena|pohyb zaznamenán|nem elérhető|biztonsági mentés|indisponibil|erişilemiyor|недоступен|резервное копирование|обнаружено движение|障害発生|障害が発生|復旧しました|バックアップ完了|バックアップが完了|バックアップに失敗|動体検知|動きを検知|ディスク容量|空き容量|监控告警|告警|备份完成|磁盘空间",
    ]),
  },
  {
    group: "request",
    kind: "transactional",
    subject: 3,
    opening: 5,
    body: 5,
    says: "It explains what to do if the recipient did not request it",
    words: split([
      "if you did not request|if you didn't request|if you did not make this|if you didn't make this|if you did not create|if you didn't create|if you have not requested|if you haven't requested|if you did not sign up|if you didn't sign up|if you did not initiate|if you did not ask|if you didn't ask|if you did not expect|if you didn't expect|if you were not expecting|if you weren't expecting|if this wasn't you|if this was not you|if it wasn't you|if it was not you|if that wasn't you|if you did not attempt|if you did not authorize|if you did not perform|if you didn't attempt|if you don't recognize|if you did not register|if you don't want to|just ignore this|safely ignore|simply ignore|please ignore this|ignore this email|ignore this message|disregard this email|disregard this message|nothing will be changed|nothing will change|someone has requested|someone requested|someone has created|somebody created|you requested|you recently requested|you asked us|has requested|we received a request|request to reset|in response to your request",
      "falls sie das nicht waren|falls du das nicht warst|wenn sie das nicht waren|wenn du das nicht warst|falls sie dies nicht|falls du dies nicht|falls sie diese|wenn sie diese e-mail nicht|wenn sie dies nicht|nicht angefordert|nicht beantragt|nicht erstellt haben|ignorieren sie diese|ignoriere diese|diese nachricht ignorieren|diese e-mail ignorieren|diese e-mail einfach ignorieren|jemand hat|sie haben angefordert|beantragt haben|si vous n'êtes pas|si vous n'avez pas|si ce n'était pas vous|si ce n'est pas vous|ignorez ce message|ignorer ce message|ignorer cet e-mail|ignorer cet email|quelqu'un vient|quelqu'un a|vous avez demandé",
      "si no has sido tú|si no fuiste tú|si no solicitaste|si no ha solicitado|si no has solicitado|si no ha sido usted|si usted no|si no creaste|ignora este|ignore este|puede ignorar|puedes ignorar|simplemente ignore|alguien ha|alguien|se non sei stato tu|se non hai richiesto|se non hai|ignora questo|ignora questa|puoi ignorare|qualcuno ha|hai richiesto|se não foi você|se você não|caso não tenha|caso você não|se não solicitou|se não pediu|ignore esta|ignore este e-mail|desconsidere|alguém",
      "als je dit niet|als u dit niet|als je deze|als u deze|als je geen|als u geen|indien u|negeer deze|negeer dit|kunt u deze|iemand heeft|jeśli to nie ty|jeśli nie|jeżeli nie|zignoruj|zignorować|ktoś|om det inte var du|om du inte|ignorera detta|ignorera det här|bortse från|någon har|hvis du ikke|hvis det ikke var dig|ignorér|ignorer denne|se bort fra|nogen har|noen har|jos et|jos tämä et|voit jättää|joku|pokud jste|pokud nechcete|ignorujte|někdo|ak ste|niekto|ha nem ön|ha nem te|hagyja figyelmen kívül|valaki|eğer siz|dikkate almayın|если это были не вы|если вы не|проигнорируйте|игнорируйте|кто-то|якщо ви не|якщо це були не ви|проігноруйте|хтось|お心当たり|心当たり|無視してください|無視して|誰かが|申請|忽略|如果您没有|如果您不|若您|非本人|본인이 아니|무시",
    ]),
  },
  {
    group: "request",
    kind: "transactional",
    subject: 0,
    opening: 3,
    body: 3,
    says: "It has a link or code that expires",
    words: split([
      "link will expire|link expires|link is valid|link is only valid|link will be valid|code will expire|code expires|code is valid|valid for|expire within|expires in|expires within|will expire in|only valid for|link below to verify|link below to reset|link below to confirm|click the link below|click on the link below|click the button below|following link|link below|button below|paste this url|paste this link|paste the url|copy and paste|copy the link|use this link|if the button doesn't work|if you're having trouble|having trouble clicking|set a new password|choose a new password|create a new password|verification link|confirmation link",
      "link ist gültig|code ist gültig|ist gültig|gültig|läuft ab|link unten|unten stehenden link|folgenden link|auf den link|lien suivant|lien ci-dessous|ce lien expire|expirera|expire dans|valable|cliquez sur le lien|siguiente enlace|enlace de abajo|este enlace|caducará|expirará|expira en|haga clic en el enlace|haz clic en el enlace|link seguente|seguente link|link sottostante|link scadrà|scadrà|è valido|clicca sul link|link abaixo|seguinte link|este link|expira em|irá expirar|clique no link",
      "onderstaande link|volgende link|deze link|verloopt|is geldig|geldig|link jest ważny|poniższy link|link poniżej|poniższego linku|wygaśnie|jest ważny|länken nedan|följande länk|länken är giltig|giltig|går ut|linket nedenfor|lenken nedenfor|udløber|utløper|gyldig|linkkiä|linkki vanhenee|vanhenee|alla olevaa|voimassa|odkaz níže|odkaz vyprší|níže uvedený|platnost|odkaz je|érvényes|lejár|az alábbi|aşağıdaki|bağlantı|geçerli|ссылке|ссылка действительна|истекает|действительна|посиланням|посилання|дійсне|リンクをクリック|以下のリンク|下記のリンク|有効期限|このリンク|链接|連結|링크",
    ]),
  },
  {
    group: "account",
    kind: "transactional",
    subject: 4,
    opening: 3,
    body: 1,
    says: "It is about a password, a login, or an address to confirm",
    words: split([
      "password|passwords|passcode|username|login|log in|log in to|sign in|sign-in|signed in|two-factor|2fa|totp|verification|verify|email verification|verify your|confirm your|confirm email|email address change|your email address|activate|activation|magic link|your credentials|one-time|locked|your identity|security notice|new device|authentication",
      "passwort|kennwort|benutzername|anmelden|anmeldung|verifizieren|bestätigen sie|bestätige|bestätigung|aktivieren|zugangsdaten|mot de passe|identifiant|connexion|vérifier|vérification|confirmez|confirmer votre|activer|activez|contraseña|usuario|iniciar sesión|inicio de sesión|verificar|verificación|verifica|confirma|confirme|activar|password dimenticata|credenziali|accesso|verifica|verificare|conferma|attiva|attivare|senha|palavra-passe|acesso|verificação|verifique|confirmar|ativar",
      "wachtwoord|gebruikersnaam|inloggen|verifiëren|verifieer|bevestig|bevestigen|activeren|hasło|hasła|logowanie|logowania|zaloguj|zweryfikuj|weryfikacja|weryfikacji|potwierdź|aktywuj|lösenord|lösenordet|inloggning|logga in|verifiera|verifiering|bekräfta|aktivera|adgangskode|adgangskoden|log ind|bekræft|verificer|verificering|passord|passordet|logg inn|bekreft|salasana|salasanan|kirjautuminen|kirjaudu|vahvista|heslo|hesla|přihlášení|ověření|ověřte|ověřit|potvrďte|overenie|overte|prihlásenie|jelszó|jelszavát|bejelentkezés|megerősítés|parolă|parola|parolei|autentificare|şifre|şifreniz|parola|giriş|doğrula|doğrulama|пароль|пароля|вход|входа|подтвердить|подтверждение|підтвердження|підтвердити|вхід|паролю|κωδικός|κωδικού|επιβεβαίωση|סיסמה|كلمة المرور|パスワード|ログイン|確認してください|認証|メールアドレスの確認|密码|密碼|登录|登入|验证|驗證|비밀번호|로그인|인증|mật khẩu|kata sandi|รหัสผ่าน",
    ]),
  },
  {
    group: "account",
    kind: "transactional",
    subject: 3,
    opening: 2,
    body: 0.5,
    says: "It is about the recipient's account",
    words: split([
      "your account|an account|this account|your accounts|user account|account has been|thanks for joining|thank you for joining|get started|your trial|your subscription|your plan|your profile|your workspace|your team|your organization|organization|your membership|your request|your application|your administrator|administrator|your project|your settings",
      "ihr konto|dein konto|ihres kontos|ihrem konto|ihren account|ihr account|kundenkonto|konto|account|danke für ihre anmeldung|ihre registrierung|ihr abonnement|organisation|administrator|votre compte|un compte|compte|votre inscription|votre abonnement|administrateur|organisation|tu cuenta|su cuenta|una cuenta|cuenta|gracias por registrarte|tu suscripción|administrador|organización|il tuo account|un account|l'account|tuo account|grazie per esserti registrato|il tuo abbonamento|amministratore|organizzazione|sua conta|uma conta|conta|obrigado por se cadastrar|sua assinatura|administrador|organização",
      "je account|uw account|een account|bedankt voor je aanmelding|je abonnement|beheerder|twoje konto|twojego konta|konta|konto|dziękujemy za rejestrację|subskrypcja|administrator|organizacja|organizacji|ditt konto|ett konto|kontot|konto|tack för din registrering|ditt abonnemang|administratör|din konto|din kontoen|din bruger|kontoen din|tilisi|tili|tilin|účet|účtu|účtem|vášho účtu|fiók|fiókja|fiókot|contul|cont|hesabınız|hesap|hesabı|аккаунт|учетная запись|учётная запись|учетную запись|учётную запись|вашей учетной|обліковий запис|облікового запису|λογαριασμό|λογαριασμός|λογαριασμού|חשבון|الحساب|حساب|アカウント|会員登録|ご登録|账户|帐户|帳戶|账号|帳號|계정|tài khoản|akun|บัญชี",
    ]),
  },
  {
    group: "state",
    kind: "transactional",
    subject: 10,
    opening: 8,
    body: 1.5,
    says: "It is about the recipient's own trial, plan, or setup",
    words: split([
      "your trial ends|your trial is ending|your trial is about|your trial is almost|your trial is over|your trial is active|your trial will|your trial ended|your trial has|your trial expires|your trial expired|your trial starts|your trial started|your trial begins|your free trial ends|your free trial is|your free trial will|your free trial ended|your free trial has|your free trial expires|your free trial expired|your free trial started|trial ends|trial ended|trial ending|trial ends soon|trial expires|trial expired|trial expiring|trial has ended|trial has expired|trial has started|trial is ending|trial is over|trial is about to end|trial will end|trial will expire|trial starts now|trial started|trial extended|trial reminder|trial period ends|trial period has|trial period is|trial period will|left in your trial|left in your free trial|left on your trial|left on your free trial|left of your trial|through your trial|extended your trial|end of your trial|of your trial",
      "your subscription has|your subscription was|your subscription will|your subscription ends|your subscription expires|your subscription expired|your subscription renews|your subscription is about|your subscription is active|your subscription is now|your subscription is set|your plan renews|your plan will|your plan was|your plan has been|your membership has|your membership will|your membership expires|your membership renews|plan renews on|subscription renews|subscription will renew|will automatically renew|automatically renews|renewal reminder|renewal notice|upcoming renewal|subscription activated|subscription confirmed|subscription confirmation|subscription canceled|subscription cancelled|subscription expired|subscription renewed|subscription ended|payment failed|payment has failed|payment was declined|payment declined|payment didn't go through|payment did not go through|payment was unsuccessful|payment unsuccessful|failed payment|payment is overdue|payment overdue|card was declined|card has been declined|card is about to expire|card will expire|card expires|card is expiring|card has expired|unable to charge|couldn't charge|could not charge|couldn't process your payment|could not process your payment|unable to process your payment|problem with your payment|issue with your payment|update your payment|update your billing|update your card|past due|overdue invoice|upcoming invoice|upcoming charge|next billing date|you've been upgraded|you have been upgraded|you've upgraded|you've downgraded|plan has changed|plan changed|usage limit|usage alert|of your monthly|approaching your limit|reached your limit|exceeded your|limit reached|will be charged|you'll be charged|been charged|has been upgraded|was upgraded|has been downgraded|was downgraded|thanks for upgrading|thank you for upgrading|your next bill|your next invoice|your next payment|latest payment|recent payment|payment attempt|update your payment info|renews soon",
      "finish setting up|finish your setup|finish setup|finish your registration|finish creating your account|complete your setup|complete your profile|complete your registration|complete your account|complete your onboarding|complete setup|set up your account|set up your profile|set up your workspace|setting up your account|account is ready|workspace is ready|account is almost ready|almost set up|account has been created|account was created|account is now active|account is active|account has been approved|account created|thanks for signing up|thank you for signing up|thanks for creating|thank you for creating|thanks for registering|thank you for registering|thanks for trying|thank you for trying|you signed up|you recently signed up|you've signed up|you just created|you recently created|you created an account|you haven't finished|you haven't created|you haven't completed|you haven't set up|you haven't connected|you haven't added|you haven't logged in|you haven't started|your setup|welcome aboard|welcome on board|glad to have you|happy to have you|great to have you|excited to have you|thrilled to have you",
      "testversion läuft|testversion endet|testversion ist|testversion hat|kostenlose testversion endet|testmonat endet|testphase endet|testphase läuft|testphase ist|testphase hat|testzeitraum endet|testzeitraum läuft|testzeitraum ist|probezeitraum endet|probeabo endet|probeabo läuft|ihr abo wurde|dein abo wurde|ihr abo verlängert|dein abo verlängert|ihr abonnement wurde|dein abonnement wurde|ihr abonnement verlängert|dein abonnement verlängert|abo läuft|abo endet|abonnement endet|abonnement läuft|zahlung fehlgeschlagen|zahlung ist fehlgeschlagen|zahlung nicht|zahlung konnte|zahlungsmethode aktualisieren|zahlungsdaten aktualisieren|karte läuft|karte wurde abgelehnt|einrichtung abschließen|einrichtung abzuschließen|konto einrichten|konto wurde erstellt|konto ist bereit|profil vervollständigen|registrierung abschließen|danke für ihre registrierung|danke für deine registrierung|danke für ihre anmeldung|danke für deine anmeldung|willkommen an bord|période d'essai se termine|période d'essai prend fin|période d'essai expire|période d'essai est|période d'essai a|essai gratuit se termine|essai gratuit expire|essai gratuit a|essai se termine|abonnement a été|abonnement sera|abonnement expire|abonnement se renouvelle|renouvellement de votre abonnement|échec du paiement|échec de paiement|paiement a échoué|paiement a été refusé|carte expire|carte a été refusée|mettez à jour votre moyen|mettre à jour votre moyen|finalisez votre inscription|finaliser votre inscription|terminez la configuration|terminer la configuration|complétez votre profil|compléter votre profil|compte est prêt|compte a été créé|merci pour votre inscription|merci de votre inscription|merci de vous être inscrit",
      "periodo de prueba termina|período de prueba termina|periodo de prueba ha|período de prueba ha|periodo de prueba finaliza|período de prueba finaliza|prueba gratuita termina|prueba gratuita finaliza|prueba gratuita ha|prueba gratis termina|suscripción ha sido|suscripción se renovará|suscripción vence|suscripción caduca|suscripción ha|pago fallido|pago rechazado|pago ha sido rechazado|no hemos podido cobrar|no pudimos procesar tu pago|no pudimos procesar su pago|tarjeta caduca|tarjeta está por vencer|actualiza tu método|actualice su método|termina de configurar|completa tu perfil|completa tu registro|cuenta está lista|cuenta ha sido creada|cuenta fue creada|gracias por registrarte|gracias por registrarse|prova gratuita termina|prova gratuita scade|prova gratuita sta|prova gratuita è|periodo di prova termina|periodo di prova scade|periodo di prova scadrà|prova gratuita scadrà|pagamento è fallito|periodo di prova è|periodo di prova sta|abbonamento è stato|abbonamento verrà|abbonamento scade|abbonamento si rinnova|pagamento non riuscito|pagamento rifiutato|pagamento non andato|carta sta per scadere|carta in scadenza|aggiorna il metodo|completa la configurazione|completa il tuo profilo|completa la registrazione|account è pronto|account è stato creato|grazie per esserti registrato|grazie per la registrazione|período de teste termina|período de teste acaba|período de teste terminou|período de teste expira|teste gratuito termina|teste gratuito terminou|teste grátis termina|teste grátis acaba|assinatura foi|assinatura será|assinatura expira|assinatura vence|subscrição foi|subscrição será|pagamento recusado|pagamento falhou|falha no pagamento|pagamento não foi|cartão expira|cartão está|atualize seu método|atualize o método|conclua a configuração|complete seu perfil|complete o seu perfil|conta está pronta|conta foi criada|obrigado por se cadastrar|obrigado por se registrar|obrigado pelo seu registo",
      "proefperiode loopt|proefperiode eindigt|proefperiode is|proefperiode verloopt|proefabonnement eindigt|abonnement is|abonnement wordt|abonnement loopt|abonnement verloopt|betaling mislukt|betaling is mislukt|betaling niet|kaart verloopt|werk je betaalmethode|werk uw betaalmethode|rond je registratie|voltooi je profiel|voltooi je registratie|account is klaar|account is aangemaakt|bedankt voor je registratie|bedankt voor je aanmelding|bedankt voor uw aanmelding|okres próbny kończy|okres próbny dobiega|okres próbny zakończył|okres próbny wygasa|okres próbny się|subskrypcja została|subskrypcja wygasa|subskrypcja odnowi|subskrypcja wygasła|płatność nie powiodła|płatność odrzucona|płatność została odrzucona|karta wygasa|zaktualizuj metodę|dokończ konfigurację|dokończ rejestrację|uzupełnij profil|uzupełnij swój profil|konto jest gotowe|konto zostało utworzone|dziękujemy za rejestrację|provperiod går|provperiod löper|provperiod slutar|provperiod har|provperioden går|prenumeration har|prenumeration förnyas|betalning misslyckades|betalningen misslyckades|kort går ut|slutför din registrering|slutför din profil|konto är klart|konto har skapats|tack för din registrering|prøveperiode udløber|prøveperiode slutter|prøveperiode utløper|prøveperioden utløper|prøveperioden udløber|abonnement er|abonnement fornyes|betaling mislykkedes|betalingen mislykkedes|betalingen mislyktes|fuldfør din|fullfør din|tak for din tilmelding|takk for registreringen|kokeilujakso päättyy|kokeilujaksosi päättyy|tilauksesi on|maksu epäonnistui|пробный период заканчивается|пробный период закончился|пробный период истекает|подписка продлена|подписка истекает|подписка закончилась|не удалось списать|платёж не прошёл|платеж не прошел|завершите регистрацию|завершите настройку|аккаунт создан|спасибо за регистрацию|пробний період закінчується|дякуємо за реєстрацію|無料トライアルが終了|トライアル期間が終了|トライアル終了|トライアル期間終了|お支払いに失敗|お支払いができません|決済に失敗|自動更新のお知らせ|アカウントの設定を完了|ご登録ありがとうございます|会員登録ありがとう|试用期即将结束|试用即将到期|订阅已续订|付款失败|扣款失败|感谢您的注册|試用期即將結束|付款失敗|무료 체험이 종료|체험 기간이 종료|결제에 실패|결제 실패|가입해 주셔서 감사",
    ]),
  },
  {
    group: "state",
    kind: "transactional",
    subject: 5,
    opening: 4,
    body: 1,
    says: "It says how far the recipient is in using something",
    words: split([
      "welcome to|willkommen bei|bienvenue chez|bienvenido a|bienvenida a|benvenuto su|benvenuto in|bem-vindo|bem-vinda|welkom bij|witaj w|witamy w|välkommen till|velkommen til|ようこそ",
      "you haven't|you have not|you've used|you have used|you've been using|you have been using|you're now on|you are now on|you're on the|you're halfway|you've created|you've completed|you've reached|you've joined|you have joined|you've been added|you started|you didn't finish|you left off|where you left off|since you joined|since you signed|hitting your limit|your limit|of your free|your plan includes|your usage|weekly usage|monthly usage|usage report|usage summary|your progress|almost full|almost out of|running low|setup guide|set-up guide|get you set up|get set up|getting set up|how to get started|first steps|next steps|start setup|complete setup|finish setup|create your first|run your first|add your first|post your first|connect your first|publish your first|build your first|send your first|import your first|first report|what you've done|your data will be|is one step away|one step away|steps left|steps are left|is ready|is now ready|are ready to view|needs attention|needs your attention|added to your account|you've added|you've logged|you're in|quick start|quickstart",
      "sie haben noch|du hast noch|ihr limit|dein limit|erste schritte|ersten schritte|so geht's los|vous n'avez pas|vous n'avez pas encore|premiers pas|votre limite|aún no has|todavía no has|primeros pasos|tu límite|non hai ancora|primi passi|il tuo limite|você ainda não|primeiros passos|seu limite|je hebt nog|eerste stappen|je limiet|jeszcze nie|pierwsze kroki|du har inte|kom igång|kom i gang|første skridt|ensimmäiset askeleet|první kroky|первые шаги|はじめに|ご利用状況|利用状況",
    ]),
  },
  {
    group: "notice",
    kind: "transactional",
    subject: 4,
    opening: 4,
    body: 1.5,
    says: "It announces an activity or an invitation",
    words: split([
      "invited you|has invited you|you have been invited|you've been invited|you were invited|you are invited to join|invites you|invitation to join|accept invitation|accept invite|accept the invitation|accept the invite|join the team|shared with you|shared a|shared you|commented on|mentioned you|replied to your|assigned to you|assigned you|sent you a|new message from|new comment|new follower|is now following you|left you a review|has been added to|you have been added|has been updated|status update|workflow|failed|deactivated|your export|your download|your report|your statement|your results|ticket|your appointment|appointment|reminder|upcoming|your reservation|check-in|your trip|your booking|your flight",
      "eingeladen|hat sie eingeladen|hat dich eingeladen|einladung|mit ihnen geteilt|mit dir geteilt|kommentiert|ihr termin|dein termin|erinnerung|vous a invité|vous invite|vous avez été invité|invitation|a partagé|a commenté|votre rendez-vous|rappel|te ha invitado|le ha invitado|invitado|invitación|ha compartido|tu cita|su cita|recordatorio|ti ha invitato|sei stato invitato|invito|ha condiviso|il tuo appuntamento|promemoria|convidou você|convidou|você foi convidado|convidado|convite|compartilhou|sua consulta|lembrete",
      "heeft je uitgenodigd|uitgenodigd|uitnodiging|heeft gedeeld|je afspraak|uw afspraak|herinnering|zaprosił|zaproszony|zaproszenie|udostępnił|twoja wizyta|przypomnienie|bjudit in dig|inbjuden|inbjudan|har delat|din bokning|påminnelse|inviteret|invitation til|invitert|invitasjon|kutsunut|kutsuttu|kutsu|pozvánka|pozváni|pozval|pozvánku|meghívó|meghívták|invitație|invitat|davet|davet edildiniz|пригласил|приглашены|приглашение|запросив|запрошення|запрошено|πρόσκληση|προσκληθήκατε|הזמנה|دعوة|招待|ご招待|リマインダー|ご予約|邀请|邀請|초대",
    ]),
  },
  {
    group: "receipt",
    kind: "transactional",
    subject: 4,
    opening: 3,
    body: 2,
    says: "It is about an order, a payment, or a delivery",
    words: split([
      "order number|order summary|order details|order id|order date|order total|your order|your orders|your purchase|thanks for your purchase|thank you for your purchase|thank you for your order|invoice|invoices|receipt|receipts|billing|billed|billing address|shipping address|payment method|payment details|amount due|amount paid|total due|due date|date paid|subtotal|sub total|sub-total|grand total|refund|refunded|tracking number|track your|shipped|delivered|your delivery|your package|your parcel|credit card ending|card ending|charged|transaction|withdrawal|payout",
      "bestellung|bestellnummer|rechnung|rechnungsadresse|lieferadresse|zwischensumme|gesamtbetrag|zahlung|zahlungsart|versandt|sendungsverfolgung|lieferung|quittung|erstattung|commande|facture|adresse de livraison|adresse de facturation|sous-total|montant|moyen de paiement|expédié|expédiée|livraison|reçu|remboursement|pedido|factura|dirección de envío|importe|método de pago|enviado|entrega|recibo|reembolso|ordine|fattura|indirizzo di spedizione|subtotale|totale|metodo di pagamento|spedito|consegna|ricevuta|rimborso|encomenda|fatura|endereço de entrega|valor total|forma de pagamento|enviada|recibo",
      "bestelling|factuur|afleveradres|bezorgadres|subtotaal|totaal|betaalmethode|betaling|verzonden|bezorging|zamówienie|zamówienia|faktura|adres dostawy|suma|płatność|płatności|wysłane|dostawa|paragon|zwrot|beställning|din order|faktura|leveransadress|delsumma|totalt|betalning|levererad|leverans|kvitto|återbetalning|ordre|bestilling|leveringsadresse|betaling|kvittering|tilaus|lasku|toimitus|maksu|objednávka|objednávky|platba|doručení|rendelés|számla|fizetés|szállítás|comanda|plata|livrare|sipariş|fatura|ödeme|teslimat|заказ|заказа|оплата|оплаты|доставка|чек|замовлення|рахунок|ご注文|注文|請求書|お支払い|合計|小計|配送|発送|領収書|订单|發票|付款|订购|配送|주문|결제|배송",
    ]),
  },
];

/** Single words that are enough in a subject, as in template names and short subjects. */
export const transactionSubjects: ReadonlySet<string> = new Set(
  split([
    "receipt|invoice|invitation|invite|verification|verify|confirm|confirmation|reset|password|passcode|otp|login|shipped|shipping|shipment|delivered|delivery|refund|refunded|payment|reminder|dunning|statement|ticket|activation|activate|billing|notification|alert|expiring|expired|failed|receipts|appointment|reservation|booking",
    "quittung|rechnung|einladung|bestätigung|zahlung|mahnung|lieferung|buchung|reçu|facture|confirmation|paiement|livraison|rappel|recibo|factura|invitación|confirmación|pago|envío|ricevuta|fattura|invito|conferma|pagamento|convite|confirmação|fatura|factuur|uitnodiging|bevestiging|betaling|levering|faktura|zaproszenie|potwierdzenie|płatność|kvitto|inbjudan|bekräftelse|betalning",
  ]),
);

/** Parts of the local part in campaign addresses. */
export const campaignMailboxes: ReadonlySet<string> = new Set(
  split([
    "appeal|appeals|donate|donation|donations|donor|donors|fundraising|fundraiser|charity|giving|campaigns|outreach|launch|waitlist|newsletter|newsletters|news|enews|marketing|offers|offer|deals|deal|promo|promos|promotion|promotions|digest|updates|campaign|campaigns|sale|specials|magazine|weekly|daily|events|announce|announcements|mailinglist|list|lists|listmanager|subscribe|subscriber|subscriptions|mailing|mailings|bulletin|headlines|editor|editors|press|webinar|webinars|loyalty|rewards|club",
    "spenden|spende|spendenaktion|dons|don|donaciones|donativos|donazioni|doacoes|giften|darowizny|gavor|insamling|veranstaltungen|evenements|eventos|eventi|evenementen|wydarzenia|rundbrief|infoletter|infobrief|angebote|angebot|aktion|aktionen|nachrichten|lettre|infolettre|actualites|actus|offres|promotions|noticias|boletin|ofertas|promociones|novedades|notizie|offerte|promozioni|novita|noticias|novidades|promocoes|nieuws|nieuwsbrief|aanbiedingen|acties|oferty|promocje|nowosci|biuletyn|nyhetsbrev|nyheter|erbjudanden|nyhedsbrev|tilbud|uutiskirje|novinky|mailmagazine|mailmag|melmaga",
  ]),
);

/** Local parts of a team or company, not a person. */
export const deskMailboxes: ReadonlySet<string> = new Set(
  split([
    "info|hello|hi|hey|contact|contacts|support|team|office|sales|shop|store|service|services|customerservice|customercare|customer|customers|care|help|helpdesk|admin|administrator|webmaster|postmaster|mail|mailer|email|crm|community|members|membership|online|web|webstore|website|register|registration|welcome|success|feedback|survey|enquiries|inquiries|reception|company|press|media|hr|jobs|careers|replies|reply|post|concierge",
    "library|bibliothek|bibliotheque|biblioteca|bibliotheek|biblioteka|school|schule|ecole|escuela|scuola|escola|kita|gemeinde|gym|fitness|restaurant|werkstatt|garage|vet|tierarzt|friseur|praxis|klinik|termine|termin|empfang|rezeption|kanzlei|verein|cabinet|clinique|secretariat|accueil|clinica|citas|secretaria|recepcion|studio|segreteria|ambulatorio|consultorio|agendamento|praktijk|afspraken|receptie|przychodnia|rejestracja|gabinet|recepcja|mottagning|bokning|reception|clinic|dental|dentist|surgery|doctor|appointments|bookings|salon|hotel|church|parish|foundation|trust|founders|hq|kontakt|kundenservice|kundendienst|hallo|moin|bonjour|service-client|serviceclient|clients|contacto|hola|atencion|atencionalcliente|tienda|contatto|contatti|ciao|assistenza|negozio|servizioclienti|contato|ola|atendimento|loja|klantenservice|winkel|hoi|kontaktformular|sklep|biuro|czesc|obsluga|hej|kundtjanst|butik|asiakaspalvelu|obchod|podpora",
  ]),
);

/** Sign-offs, each at the start of a line. */
export const signOffs: readonly string[] = split([
  "best|best regards|regards|kind regards|warm regards|cheers|thanks|thank you|many thanks|thx|sincerely|yours|yours sincerely|yours truly|take care|love|all the best|talk soon|see you|greetings|ciao|later|xo",
  "viele grüße|liebe grüße|beste grüße|schöne grüße|herzliche grüße|grüße|gruß|lg|mfg|mit freundlichen grüßen|freundliche grüße|bis bald|danke|cordialement|bien cordialement|bien à vous|amicalement|bises|à bientôt|merci|saludos|un saludo|un abrazo|atentamente|gracias|saluti|cordiali saluti|un saluto|a presto|grazie|abraços|um abraço|atenciosamente|cumprimentos|obrigado|obrigada|groet|groeten|groetjes|met vriendelijke groet|hartelijke groet|bedankt|pozdrawiam|pozdrowienia|z poważaniem|dzięki|hälsningar|vänliga hälsningar|med vänlig hälsning|mvh|hilsen|med venlig hilsen|med vennlig hilsen|terveisin|s pozdravem|zdravím|díky|üdvözlettel|cu stimă|sevgiler|saygılarımla|с уважением|всего доброго|привет|з повагою|よろしくお願いします|よろしくお願いいたします|敬具",
]);
