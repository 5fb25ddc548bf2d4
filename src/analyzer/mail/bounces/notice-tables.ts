// How mail systems write "not delivered": senders, subjects, first sentences, and the line between notice and returned
// message. Used by signs.ts and notice-text.ts. Patterns meet lower-case text with single spaces and are linear.

/** Addresses and names that only mail systems send as. */
export const daemonSender =
  /^(?:mail(?:er)?[-_. ]?d(?:a|ae)emon|mdaemon|post[-_]?master|mail[-_. ]?(?:delivery|system|failure|return)[\w.-]{0,30}|mmdf|bounce(?:s|d|r)?|delivery[-_.]?(?:failure|status|notification|subsystem)?|smtp(?:d|gateway)?|uucp|mta(?:admin)?|notes[-_]?mailer|no-?delivery|undeliverable)@|mail(?:er)?[- ]?(?:d(?:a|ae)emon|delivery (?:sub ?)?system|delivery service|delivery notification|delivery system)|delivery subsystem|\bpost[- ]?master\b|mail administrator|microsoft outlook|microsoft exchange|internet mail delivery|system attendant|content-filter at|mail system (?:internal|administrator)/;

/** Addresses that mail systems send as, but others do too. */
export const officeSender =
  /^(?:(?:sys|mail|web|email|list|fml|ml|server)?-?admin\w{0,10}|system|root|majordomo|[\w.-]{1,60}-(?:admin|owner|request|errors|bounces?)|owner-[\w.-]{1,60}|staff|no-?reply|donotreply|do-not-reply|notify|notification|support|info|mailsecurity|virus\w{0,10}|spam\w{0,10}|antispam|quarantine|security|amavis\w{0,5}|mail|daemon|server|gateway|error|errors|return|returns|failure)@/;

/**
 * How a bounce's subject begins, after an optional bracketed tag of the gateway. Replies and forwards begin with their
 * own word and don't match.
 */
export const bounceSubject = new RegExp(
  `^(?:\\*+ ?|\\[[\\w .*-]{1,30}\\] ?|warning: ?|error: ?|notification: ?|auto(?:matic)? ?:? |re: your mail ?- ?)?(?:${[
    "(?:mail |message |e-?mail |your )*(?:is |was |could |can ?not |has )?(?:be |been )?un-?deliver(?:able|ed)",
    "undeliver",
    "delivery[ :-](?:status|fail|failure|error|notification|report|problem|has failed|to .{1,80} (?:failed|delayed)|delay|unsuccessful|incomplete|failure notice|attempt)",
    "returned (?:mail|e-?mail|message|to sender)|return(?:ed|ing)? (?:mail|message|to sender)|mail returned",
    "(?:e-?mail |mail |message )?(?:system )?(?:error|failure|failed|delivery)[ :-]{1,3}(?:returned|notice|delivery|in delivering|mail|message|delivering|sending)",
    "mail (?:system )?(?:delivery|error|failure|failed|could not|not delivered|undeliver|bounced|server report|transaction|rejected)",
    "(?:mail|message|e-?mail)s? (?:delivery|you sent|not delivered|not sent|bounced|failed|failure|status|error|could not|cannot|can't|couldn't|was not|undeliver|delayed|rejected|blocked|refused|from .{1,80} (?:rejected|blocked))",
    "failure (?:notice|notification|delivery|to deliver)|failed (?:mail|delivery|to deliver|message)|unable to deliver|could not (?:deliver|send)|cannot deliver",
    "non[- ]?deliver(?:y|able|ed)|nondeliverable|notification d'[eé]chec|ndn:|ndr:|ndr\\b|permanent (?:delivery )?failure|transient (?:delivery )?failure|warning: (?:could not|message)|could not send message",
    "(?:warning: )?message .{1,60} delayed|(?:mail|message|delivery|e-?mail) (?:is |has been |delivery )?delayed|delayed (?:mail|delivery|message)|still unable to|postmaster (?:notify|warning|copy)|problems? (?:delivering|with your|in delivery)|user unknown|unknown (?:user|address|recipient)|bounce(?:d)? (?:mail|message|notice|action)|bounced?:|host unknown|mailbox (?:full|unavailable)|nicht zustellbar|address not found|invalid recipient|recipient unknown|you \\S{1,80} are not (?:a )?member",
    "(?:e-?mail |mail |nachricht )?(?:unzustellbar|nicht zugestellt|zustellung|[uü]bermittlung|zustellungsfehler|nicht [uü]bermittelt|zustellstatus|fehler bei der zustellung|fehlgeschlagene)",
    "non ?remis|non (?:distribu|d[eé]livr)|[eé]chec (?:de |d')?(?:la )?(?:remise|livraison|distribution|envoi|delivery)|message non|courrier (?:non|retourn)|(?:notification|avis|rapport) (?:de |d'|d’)(?:non[- ]remise|[eé]tat|non-distribution|remise|retour)",
    "no se (?:puede|pudo|ha podido|ha entregado|entreg)|no entregad|mensaje (?:no|devuelto|rechaz)|correo (?:no|devuelto)|error (?:de|en la|al) entreg|fallo (?:de|en) (?:la )?entrega|notificaci[oó]n de (?:estado|entrega|error)|devoluci[oó]n|entrega (?:fallida|no)|imposible entregar",
    "mancat[ao] (?:consegna|recapito)|(?:messaggio|posta|e-?mail) (?:non|respint)|non (?:recapitabile|consegnat|recapitat|[eè] stato possibile)|impossibile (?:recapitare|consegnare)|errore di (?:consegna|recapito)|notifica (?:di )?(?:mancata|stato)|avviso di mancata",
    "n[aã]o (?:entregue|foi|[eé] poss)|mensagem (?:n[aã]o|devolvida|retornada)|falha (?:na|de|ao) entreg|e-?mail n[aã]o entregue|notifica[cç][aã]o de (?:status|falha|estado|entrega|n[aã]o)|retorno de mensagem|devolu[cç][aã]o",
    "niet (?:bezorgd|afgeleverd|besteld|bezorgbaar)|onbestelbaar|(?:bericht|e-?mail|mail) (?:niet|kan niet|kon niet|onbestel)|bezorging (?:mislukt|van)|fout bij (?:bezorg|aflever)",
    "не ?доставлен|недоставлен|сообщение не|письмо не|ваше (?:письмо|сообщение) не|ошибка (?:доставки|при доставке|отправки)|невозможно доставить|не удалось доставить|уведомление о (?:статусе|состоянии|недоставке|доставке|невозможности)|возврат",
    "nie (?:dor[eę]czon|dostarczon|mo[zż]na|uda[lł]o)|niedor[eę]cz|niedostarcz|(?:wiadomo[sś][cć]|poczta|mail) (?:nie|zwr[oó]con)|zwrot|b[lł][aą]d (?:dor[eę]czen|dostarcz)|powiadomienie o (?:stanie|niedostarcz|b[lł][eę]dzie)",
    "olevererbart|kunde inte levereras|kunne ikke leveres|ikke levert|ei toimitettu|toimitus|viestin toimit|nedoru[cč]|nedoručiteln|nelze doru|teslim edilemed|iletilemedi|k[eé]zbes[ií]t|nekézbes|nelivrat|δεν παραδ",
    "配信(?:不能|エラー|失敗|でき)|送信(?:エラー|失敗|でき)|配達(?:不能|エラー|でき|状況)|メール(?:を)?(?:配信|送信|エラー|が(?:届|送))|未配信|エラーメール|不達|送信者に|宛先不明|メールシステムエラー|配信不可",
    "退信|系统退信|系統退信|投递失败|发送失败|无法投递|未送达|未傳遞|未传递|無法(?:傳遞|投遞|送達)|邮件(?:退|投递|发送|无法|被)|郵件(?:退|傳遞|無法)|您(?:的|发)\\S{0,10}(?:退|未)|传递状态|寄送失敗|반송|배달|전송 실패|배달되지|전달되지|메일 전송",
  ].join("|")})`,
);

/** First sentences that no person writes. One of them is enough to recognize a mail system's message. */
export const systemSentences: readonly RegExp[] = [
  // Postfix, qmail, Exim and the many that write like them.
  /this is the (?:mail system|postfix|machine generated|mail delivery|mailer)|^hi[.!] this is the|this is the (?:qmail|smtp|james|dragonfly|mail)[\w -]{0,30}(?:program|server|agent|at)\b|wasn'?t able to deliver your message|this is a permanent error; i'?ve given up/,
  /message was created automatically by (?:the )?(?:mail|smtp|a mail)|message that you (?:have )?sent (?:could|has|was|had)|message you (?:recently )?(?:have )?sent (?:could not|was not|to .{1,80} (?:could|was|has)|cannot|has not|has been|had|did not|couldn'?t)/,
  // Sendmail and the gateways based on it.
  /the original message was received at|the following addresse?s? (?:\(?es\)? )?(?:had|have|has|failed|were)|addresses? had (?:permanent|transient|delivery|fatal|problem)|transcript of (?:the )?session|permanent fatal errors|fatal (?:delivery )?errors|transient non-fatal/,
  /errors? occur\w+ (?:while|during|when|trying|in)[\w ]{0,30}(?:deliver|send|process|attempt)|attempting to deliver|an error was detected while|error (?:in )?delivering|unable to deliver (?:the |this |your |a |mail |message|e-?mail)/,
  // Exchange, Outlook, Gmail.
  /did not reach (?:some or all of )?the (?:intended|following)|delivery (?:has failed|to (?:the following|these) (?:recipient|address|e-?mail)|to .{1,100} failed|failed)|your (?:message|e-?mail|mail)(?: to .{1,100})? (?:could(?:n'?t| not)|wasn'?t|was not|cannot|can'?t|has not been|hasn'?t been|did not|is un|was un|has been (?:rejected|blocked|delayed|refused|returned))/,
  /automatically generated delivery (?:status|failure)|(?:is|am|this) (?:an? )?(?:\w+ ){0,3}(?:delivery|bounce|non-?delivery|undeliver\w+) (?:status |failure |error |delay )?(?:notification|notice|message|report|receipt|advice)|delivery status notification|technical details of (?:permanent|temporary) failure|diagnostic information for administrators|generating server:/,
  // The rest: Domino, GroupWise, MDaemon, Courier, CommuniGate, IronPort, IMail, JES, MMDF, XMail, appliances, mobile carriers.
  /was not delivered to|not (?:be )?(?:able to )?deliver(?:ed)? (?:\w+ ){0,4}(?:to|because|for the following|due)|was (?:rejected|refused|returned|blocked|not relayed) (?:by|because|for|due|to)|(?:message|mail|e-?mail)s? (?:\w+ ){0,6}(?:could|can ?|would) ?not be (?:delivered|sent|relayed|forwarded|processed)|could not deliver|cannot be delivered|failed to deliver/,
  /(?:is|was|were|as|be|has been|mail|message) undeliver(?:able|ed)|undeliverable (?:to|mail|message|e-?mail|address)|failed (?:addresses|recipient|to send)|failure reasons|unable to (?:send|relay|reach)|non-?deliver(?:y|able)|(?:message|delivery) (?:log|failed|failure)|couldn'?t be delivered|could not be (?:delivered|sent)|unknown user: |delivery (?:attempt|problem|error)s?|trouble delivering|will not (?:continue|be) (?:trying|delivered|retried)|not (?:yet )?(?:been )?deliver(?:ed|y)|xmail bounce|still (?:trying|being|attempting)|has been delayed|delivery .{0,60}delayed|mail .{0,30}rejected/,
  // Carriers and old MTAs, in a few words.
  /the user\(s\) account is (?:temporarily|disabled|over)|following recipients? did not receive this message|no valid recipients for this mm|\.\.\. ?(?:user unknown|unknown user|no such (?:user|host)|host unknown|unknown host|mailbox full)|this is the mailer-daemon/,
  // In other languages.
  /(?:nicht|konnte nicht|kann nicht) (?:\S{1,30} ){0,4}(?:zugestellt|[uü]bermittelt|ausgeliefert|zustell)|unzustellbar|zustellung.{0,60}(?:fehlgeschlagen|nicht m[oö]glich|gescheitert)|(?:fehler|problem) bei(?:m| der) (?:zustell|[uü]bermitt)/,
  /(?:n'a|n'ont|n’a|n’ont|ne) (?:pas |pu |peut )+(?:[eê]tre |[eé]t[eé] )?(?:\S{1,20} )?(?:remis|distribu|d[eé]livr|livr|envoy|achemin)|impossible de (?:remettre|distribuer|livrer|d[eé]livrer|transmettre)|[eé]chec de (?:la )?(?:remise|livraison|distribution)/,
  /no (?:se )?(?:ha |han |pudo |puede |pudieron |fue |pude )(?:podido |posible |sido |ser )*(?:entreg|enviar|hacer llegar)|no (?:se )?entreg|error (?:de|al|en la) entreg|imposible entregar|fallo (?:de|en) (?:la )?entrega/,
  /(?:non [eè] stato possibile|impossibile|non pu[oò]|non [eè] stat[oa]) (?:essere )?(?:recapit|consegn|invi)|mancata consegna|consegna.{0,40}(?:non riuscita|fallita)/,
  /n[aã]o (?:foi poss[ií]vel|p[oô]de ser|pode ser|foi) (?:entreg|enviad)|falha (?:na|ao|de) entreg|(?:foi|ser) devolvid/,
  /(?:kon|kan|kunnen) niet (?:worden |\S{1,30} ){0,4}(?:afgeleverd|bezorgd|besteld|verzonden)|niet (?:afgeleverd|bezorgd)|is mislukt/,
  /не (?:может|могло|был[оа]?|удалось|удаётся|удается|смогл[иа])\S{0,4} ?(?:быть )?(?:доставлен|доставить)|не доставлен|невозможно доставить|доставка.{0,40}(?:невозможна|не удалась)|ошибка (?:при )?доставк/,
  /nie (?:mo[zż]na|mog[lł]a|mog[lł]o|uda[lł]o|zosta[lł]a?)\S{0,3} (?:by[cć] |si[eę] )?(?:dor[eę]cz|dostarcz|wys[lł]a)|niedor[eę]cz|niedostarcz/,
  /kunde inte levereras|kunne ikke (?:leveres|levere)|ei voi(?:tu|da) (?:toimittaa|välittää)|nelze doru[cč]it|nemohla být doru[cč]ena|teslim edilemed|iletilemed|nem (?:kézbesíthető|sikerült kézbesíteni)|nu a putut fi (?:livrat|trimis)/,
  /(?:配信|送信|配達|転送|お届け|届け|お送り|送付|送達)(?:する(?:事|こと)が|が|は|も)?(?:でき|出来)(?:ません|ず|なかった|ない)|(?:エラー|不明)の(?:ため|為)|(?:届|送)けることができません|送信者に戻|差出人に返|配送(?:不能|でき)|未配信|配信不能/,
  /退信|无法(?:投递|送达|发送|传递)|無法(?:投遞|送達|傳遞|傳送|寄送)|(?:投递|发送|傳送|投遞)失[败敗]|未(?:能)?(?:送达|送達|投递|被?传递)|被(?:退回|拒收|退信)|不能(?:送达|投递)|전달(?:되지|할 수)|배달(?:되지|할 수)|전송(?:되지|할 수|에 실패)/,
];

/** What mailing list software says to a person whose message it refuses. */
export const listRefusal =
  /^.{0,200}(?:you are not (?:a |an )?(?:\w+ )?member of (?:this|the) (?:mailing )?list|you are not (?:allowed|authori[sz]ed) to (?:post|send)|your (?:message|mail|posting)[\w "'<>@.-]{0,100} (?:list )?(?:has been|was) (?:automatically )?(?:rejected|discarded))/;

/** How forwards and replies begin. Text after such a line is quoted. */
export const passedOn =
  /^[>|] |^(?!hi!$)[\p{L}. ]{1,40} ?[,!–-]$|^-{2,}.{0,20}(?:forwarded|weitergeleitete|transf[eé]r|reenviado|inoltrato|encaminhada|doorgestuurd|пересыла)|^begin forwarded|^(?!hi!$)(?:hi|hello|hey|dear|hallo|bonjour|hola|ciao|good (?:morning|afternoon|evening)|guten tag|liebe|olá|moin|cher)\b(?!.{0,20}this is the)(?!.{0,60}unable)|^(?:on|am|le|el) .{5,100} (?:wrote|schrieb|écrit|escribió):?$/u;

/** The line before the returned message. */
export const originalFollows =
  /^[\s*=|_+#~-]{0,80}(?:this is a copy of (?:the|your)|below this line|(?:the )?(?:original|returned|unsent|undelivered|failed|rejected|returned) (?:message|mail|e-?mail|header)s?\b.{0,40}|message (?:header|text|headers|content|contents|body|as received|follows)s?\b.{0,30}|(?:your |the )?(?:original |mail |message )?(?:message|header|headers|mail|contents?|text)s? (?:follow|is included|are included|is attached|below|begins?|starts?)\w{0,3}.{0,20}|a copy of (?:the|your) (?:original )?(?:message|header|mail).{0,60}|(?:start|begin)\w{0,4} of (?:returned|original|message).{0,30}|received message headers?.{0,20}|ursprüngliche (?:nachricht|kopfzeilen).{0,20}|message d'origine.{0,20}|mensaje original.{0,20}|messaggio originale.{0,20}|mensagem original.{0,20}|исходное сообщение.{0,20}|original message headers?.{0,20}|message d[’']origine)[\s.:*=|_+#~-]{0,80}$/;
