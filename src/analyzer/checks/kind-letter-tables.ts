// Greetings, and the headers above forwarded messages, in many languages. In lowercase.

const split = (rows: readonly string[]): string[] => rows.flatMap((row) => row.split("|"));

/** Words before the recipient's name. Sorted, because the longest must match first. */
export const greetings: readonly string[] = split([
  "dear|hi|hello|hey|good morning|good afternoon|good evening|greetings|dear mr|dear mrs|dear ms|dear dr",
  "hallo|liebe|lieber|liebes|guten tag|guten morgen|guten abend|moin|servus|grüß gott|grüezi|sehr geehrter herr|sehr geehrte frau|sehr geehrter|sehr geehrte|werte|werter",
  "bonjour|bonsoir|salut|coucou|cher|chère|chers|chères|bonjour monsieur|bonjour madame|cher monsieur|chère madame",
  "hola|estimado|estimada|estimados|estimadas|querido|querida|queridos|queridas|buenos días|buenas tardes|apreciado|apreciada",
  "ciao|caro|cara|cari|care|gentile|gentili|egregio|egregi|buongiorno|buonasera|salve|spettabile",
  "olá|oi|prezado|prezada|prezados|prezadas|caros|caras|bom dia|boa tarde|boa noite|estimado|estimada",
  "hoi|beste|geachte|geachte heer|geachte mevrouw|lieve|dag|goedemorgen|goedemiddag",
  "cześć|witam|witaj|dzień dobry|drogi|droga|drodzy|szanowny|szanowna|szanowni|szanowny panie|szanowna pani|panie|pani|hej",
  "hejsan|hejhej|tjena|kära|käre|bästa|bäste|god morgon|kære|hei|kjære|goddag|moi|terve|hyvä|rakas",
  "ahoj|dobrý den|vážený|vážená|vážení|milý|milá|milí|szia|kedves|tisztelt|bună|dragă|dragi|stimate|stimată|stimați|merhaba|sevgili|sayın|değerli",
  "привет|здравствуйте|добрый день|дорогой|дорогая|дорогие|уважаемый|уважаемая|уважаемые|вітаю|шановний|шановна|шановні|dobrý deň|pozdravljeni|poštovani|dragi",
]);

/** Words for a group of recipients, at the start of what follows the greeting. */
export const crowds: ReadonlySet<string> = new Set(
  split([
    "congregation|parishioner|parishioners|community|families|supporter|supporters|friend|friends|customer|customers|client|clients|member|members|subscriber|subscribers|reader|readers|donor|donors|user|users|sir|madam|sir/madam|homeowner|homeowners|neighbor|neighbors|neighbour|neighbours|fan|fans|parent|parents|investor|investors|beneficiary|winner|webmaster|valued|guest|guests|resident|residents|alumni|partner|partners|entrepreneur|entrepreneurs|shopper|shoppers|traveler|travelers|traveller|beloved|dear|recipient|owner|manager|business|website",
    "gemeinde|gemeindemitglieder|vereinsmitglieder|nachbarn|anwohner|familien|freund|freunde|freundin|freundinnen|kunde|kunden|kundin|kundinnen|mitglied|mitglieder|leser|leserin|leserinnen|abonnent|abonnenten|unterstützer|unterstützerin|unterstützerinnen|spender|spenderin|spenderinnen|förderer|damen|interessent|interessenten|interessierte|nutzer|gäste|eltern|partner|fans",
    "ami|amis|amie|amies|client|cliente|clients|membre|membres|abonné|abonnés|lecteur|lecteurs|donateur|donateurs|donatrice|soutien|sympathisant|sympathisants|adhérent|adhérents|utilisateur|utilisateurs|partenaire|partenaires|voisins|visiteur",
    "amigo|amigos|amiga|amigas|cliente|clientes|socio|socios|suscriptor|suscriptores|lector|lectores|donante|donantes|colaborador|colaboradores|simpatizante|usuario|usuarios|vecinos|señores|señor/a|compañeros",
    "amico|amici|amica|amiche|clienti|socio|soci|iscritto|iscritti|abbonato|abbonati|lettore|lettori|sostenitore|sostenitori|sostenitrice|donatore|donatori|utente|utenti|signori",
    "apoiador|apoiadores|apoiadora|doador|doadores|assinante|assinantes|leitor|leitores|associado|associados|usuário|usuários|utilizador|senhores|empresário",
    "vriend|vrienden|vriendin|klant|klanten|lid|leden|abonnee|abonnees|lezer|lezers|donateur|donateurs|supporter|gebruiker|heer/mevrouw|relatie|relaties|ondernemer",
    "przyjacielu|przyjaciele|kliencie|klienci|członkowie|czytelniku|czytelnicy|subskrybencie|darczyńco|darczyńcy|użytkowniku|państwo|sympatycy|sympatyku",
    "vän|vänner|kund|kunder|medlem|medlemmar|läsare|prenumerant|prenumeranter|givare|supporter|användare|ven|venner|kunde|kunder|medlem|medlemmer|læser|læsere|bruger|støtte|asiakas|asiakkaamme|ystävä|ystävät|jäsen",
    "přátelé|příteli|zákazníku|zákazníci|čtenáři|členové|barát|barátunk|barátaink|ügyfelünk|vásárlónk|olvasó|olvasónk|prieten|prieteni|client|clienți|abonat|arkadaş|arkadaşlar|müşterimiz|müşteri|üyemiz|okur",
    "друг|друзья|клиент|клиенты|читатель|читатели|подписчик|подписчики|коллеги|друже|друзі|клієнт|клієнти|prijatelji|kupci",
  ]),
);
/** Also used among friends. */
export const looseCrowds: ReadonlySet<string> = new Set(
  split([
    "there|again|zusammen|ihr|à tous|todo el mundo|a todos|a tutti|pessoal|allen|allemaal|wszystkim|wszyscy|alla|všem|tous|toutes|todos|todas|tutti|tutte|à|a|allihopa|alle",
  ]),
);
/** At the start of a line in Japanese, Chinese or Korean, where the name comes first. */
export const crowdEndings: readonly string[] = [
  "お客様",
  "会員の皆様",
  "会員様",
  "皆様",
  "皆さま",
  "支援者の皆様",
  "各位",
  "尊敬的客户",
  "亲爱的朋友",
  "亲爱的用户",
  "各位朋友",
  "고객님",
  "회원님",
];

/** Headers that email clients put above a forwarded message. */
export const passedFrom: readonly string[] = split([
  "from|von|de|da|van|od|från|fra|lähettäjä|feladó|gönderen|kimden|expéditeur|mittente|remitente|afzender|nadawca|avsändare|от|от кого|від|από|差出人|送信者|发件人|寄件者|보낸 사람",
]);
export const passedOthers: readonly string[] = split([
  "sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|envoyé|à|objet|date d'envoi|enviado|enviado el|fecha|para|asunto|inviato|data|a|oggetto|enviada em|assunto|verzonden|aan|onderwerp|wysłano|do|temat|skickat|till|ämne|sendt|til|emne|lähetetty|päivämäärä|vastaanottaja|aihe|předmět|komu|odesláno|címzett|tárgy|dátum|küldve|către|subiect|trimis|tarih|kime|konu|дата|отправлено|кому|тема|надіслано|送信日時|日時|日付|宛先|件名|发送时间|日期|收件人|主题|寄件日期|收件者|主旨|보낸 날짜|날짜|받는 사람|제목",
]);
/** Separate lines above such headers. */
export const passedOn: readonly string[] = split([
  "begin forwarded message|forwarded message|original message|forwarded mail|weitergeleitete nachricht|anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-mail|ursprüngliche nachricht|originalnachricht|message transféré|début du message transféré|début du message réexpédié|message d'origine|message original|mensaje reenviado|inicio del mensaje reenviado|mensaje original|messaggio inoltrato|inizio messaggio inoltrato|messaggio originale|mensagem encaminhada|início da mensagem reencaminhada|início da mensagem encaminhada|mensagem original|doorgestuurd bericht|begin doorgestuurd bericht|oorspronkelijk bericht|wiadomość przekazana dalej|przekazana wiadomość|treść przekazanej wiadomości|początek przekazywanej wiadomości|wiadomość oryginalna|vidarebefordrat meddelande|vidarebefordrat brev|ursprungligt meddelande|videresendt besked|videresendt meddelelse|videresendt melding|oprindelig meddelelse|edelleenlähetetty viesti|välitetty viesti|alkuperäinen viesti|přeposlaná zpráva|původní zpráva|továbbított üzenet|eredeti üzenet|mesaj redirecționat|mesaj original|iletilen ileti|пересылаемое сообщение|начало переадресованного сообщения|переслане повідомлення|転送メッセージ|転送されたメッセージ|転送されたメール|元のメッセージ|转发的邮件|原始邮件|轉寄的郵件|전달된 메시지|원본 메일|원본 메시지",
]);
