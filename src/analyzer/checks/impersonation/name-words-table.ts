// Words next to an organization's name when it writes to its customers. A name with a brand and only these words claims to
// be the brand. A name with any other word ("PayPal Community Choir") doesn't.

/** About the recipient's account. Next to an ambiguous word, they make it a brand: "Chase Alerts". */
export const accountWords: readonly string[] =
  // English
  (
    "support supports help helpdesk helpline assistance customer customers customercare customerservice customersupport care security secure secured protection fraud antifraud account accounts " +
    "billing payment payments invoice invoices refund refunds verification verify verified alert alerts notification notifications notice banking bank card cards cardholder " +
    "wallet id login signin logon password passwords dispute disputes kyc unlock recovery noreply donotreply " +
    // German
    "kundenservice kundendienst kundenbetreuung kundensupport kundencenter kunden kunde konto konten sicherheit sicherheitsabteilung sicherheitsteam sicherheitscenter rechnung rechnungen rechnungsstelle zahlung zahlungen bestätigung bestellung " +
    "bestellungen mitteilung mitteilungen benachrichtigung benachrichtigungen hinweis warnung verifizierung aktualisierung onlinebanking kundenkonto betrugsprävention mahnung inkasso rückerstattung kundenberater datenschutz sperrung freischaltung tan " +
    "phototan pushtan gutschein gewinnspiel abonnement abo verlängerung aktivierung steuer steuerbescheid bescheid erstattung buchung überweisung lastschrift " +
    // French
    "serviceclient clientèle sécurité compte comptes facture factures facturation paiement paiements remboursement remboursements banque messagerie alerte alertes avis vérification prélèvement virement " +
    "réactivation régularisation amende contravention impôt impôts " +
    // Spanish, Portuguese, Italian
    "soporte atención atencion cliente clientes servicio seguridad cuenta cuentas factura facturas facturación pago pagos reembolso banco tarjeta aviso avisos alerta " +
    "alertas verificación notificación notificaciones confirmación ayuda banca línea linea bancaria bloqueo bloqueada tarjetas multa impuesto impuestos devolución clave acceso suporte " +
    "atendimento serviço segurança conta contas fatura pagamento pagamentos cartão notificação verificação ajuda cobrança boleto pix assistenza servizio clienti sicurezza conto " +
    "fattura fatture pagamenti rimborso carta avviso avvisi notifica notifiche verifica aggiornamento accesso blocco bonifico sospensione abbonamento rinnovo " +
    // Problems with an account, a payment or a tax, in each language
    "schutz avgift avgifter taxa taxas suscripción suscripciones cancelada cancelado retenido aktywacja activación attivazione ativação activering " +
    "renewal renewals renewing autorenewal cancelled canceled declined overdue unpaid gebührenbescheid gesundheitskarte überfällig offen attente atraso zaległa zaległy vencida vencido atrasada pendiente mislukt mislykkades " +
    "fraud betrug gesperrt sperre rückzahlung steuerrückerstattung zugangsdaten postfach gebühr gebühren bußgeld mahnungen abrechnung abrechnungen kundenberatung sicherheitshinweis sicherheitsmeldung " +
    "fraude fraudes antifraude impayé impayée impayés bloqué bloquée suspendu suspendue échéance amendes taxe taxes cotisations prélèvements virements régularisation cartes identifiant identifiants assistance conseiller " +
    "multas sanción sanciones bloqueado suspendida suspendido devoluciones recibo recibos transferencia transferencias prestación prestaciones tributaria renta hacienda facturación reembolsos cobro cobros claves bancario " +
    "bolletta bollette bloccata bloccato sospesa sospeso scaduta scaduto multe sanzione sanzioni rimborsi frode frodi carte conti bonifici prestazioni utenze tributi pagare " +
    "bloqueado suspensa suspenso portagem portagens imposto impostos cartões transferência transferências reembolsos palavra-passe senha senhas acessos " +
    "teruggave teruggaaf geblokkeerd rekeningen betalen pas pinpas kaart creditcard boete boetes incasso aangifte klanten beveiligd verificatie fraudehelpdesk helpdesk " +
    "konta konto płatność płatnosci dopłata dopłaty rachunek rachunki zwrot zwroty podatek podatku blokada zablokowane bankowość logowanie mandat mandaty faktury karta karty przelew przelewy weryfikacja bezpieczeństwo " +
    "säkerhetsavdelning säkerhetsavdelningen kort räkning räkningar betalningar återbetalning spärrat spärrad skatteåterbäring böter faktura fakturor kundservice inloggning verifiering bankkort " +
    "betalinger tilbagebetaling spærret kundeservice sikkerhed refusjon bekreftelse konto varsler faktura " +
    // Dutch, Polish, Swedish, Danish, Norwegian
    "klantenservice klant bankieren internetbankieren belasting belastingen toeslag herinnering betaalpas beveiliging veiligheid rekening betaling betalingen factuur melding bevestiging ondersteuning obsługa klienta " +
    "bezpieczeństwo płatności faktura powiadomienie potwierdzenie wsparcie kundtjänst säkerhet betalning meddelande bekräftelse kundeservice kundesenter sikkerhet regning varsel " +
    // Russian, Turkish
    "поддержка служба безопасность безопасности аккаунт счет оплата уведомление destek müşteri hizmetleri güvenlik hesap ödeme bildirim"
  ).split(" ");

/** Other words that organizations add to their name. Next to an ambiguous word, they decide nothing. */
export const serviceWords: readonly string[] = (
  "pendente pendiente pending service services servicing client clients safety protect protected abuse bill bills receipt receipts validation validate confirmation confirm authentication authenticator notices " +
  "notify notifier update updates warning warnings reminder reminders banker credit debit creditcard loan loans mortgage statement statements transaction transactions transfer " +
  "transfers passcode access identity profile membership subscription subscriptions renewal order orders mailbox voicemail fax inbox email emails mail mailer message " +
  "messages document documents signature esignature resolution claim claims compliance risk monitoring restore admin administrator administration reply moderator hr payroll rebate " +
  "tax taxes giveaway airdrop prize lottery winner winners reward voucher gift coupon survey bonus compensation copyright infringement violation violations appeal " +
  "appeals review reviews standards policy policies privacy legal trust intellectual property badge blue checkmark authenticity suspension suspended restricted disabled locked " +
  "expired expiration expiry unusual suspicious activity attempt device location session detected failed pending overdue electronic sign signing signed envelope contract " +
  "agreement file files folder share shared sharing scan scanned scanner docs pdf storage drive backup quota quarantine sync voice call " +
  "missed meeting invitation calendar upgrade migration activation activate reactivation reactivate renew autorenewal retention cancellation cancel purchase sale seller sellers buyer " +
  "merchant merchants vendor ads advertising advertiser advertisers manager page pages monetization creator creators guard code codes otp pin token 2fa " +
  "mfa sms ssl deposit withdrawal withdrawals funds fund balance exchange trading investment savings checking lending treasury cash kundenportal abteilung photo " +
  "mandat carte espace conseiller livraison colis commande ligne agence gestion mise jour relation equipe équipe centre equipo gestión pontos central " +
  "speicher stockage opslag armazenamento almacenamiento virus antivirus viren tributo tributos comunicado comunicados comunica consulta urgente importante empresas negócios operation guthaben distribution relacionamento comunicazione comunicazioni area boete pas pomoc"
).split(" ");

/** Only for carriers: "Nationwide Logistics" is another company, "DHL Logistics" is DHL. */
export const parcelWords: readonly string[] = (
  "redeliver undelivered pickup toll tolls bezorgpoging bezorger pakje dostawy odbiór przesyłki paczkomat leveranser ombud giacenza ritiro portes delivery deliveries deliver shipping shipment shipments ship parcel parcels package packages track tracking tracker express expedited logistics courier post postal mail freight customs dispatch global worldwide economy depot pickup dropoff redelivery " +
  "paket pakete paketdienst zustellung lieferung sendung sendungen sendungsverfolgung versand versandbenachrichtigung zoll packstation " +
  "colis livraison livraisons suivi expédition envoi douane relais envío envíos paquete paquetes entrega entregas seguimiento aduanas encomenda encomendas rastreamento " +
  "spedizione spedizioni pacco pacchi consegna corriere dogana aduana alfândega espresso pakket pakketten bezorging levering zending przesyłka przesyłki paczka paczki kurier dostawa leverans försändelse forsendelse pakke pakker посылка доставка kargo"
).split(" ");

/** Neutral words. Next to an unmistakable brand, they change nothing. */
export const fillerWords: readonly string[] = (
  "io por em um uma votre vos notre nos tu tus su sus nuestro nuestra ihr ihre ihrem ihren dein deine deinem unser unsere uw je jouw mijn ons onze twoja twój twoje twojej nasz din ditt dina dit dine vår tuo tua tuoi tue suo sua suoi nostro nostra seu seus suas teu tua meu minha on off via status final limited hold failed failure cloud video bloqueo abteilung afdeling avdelning dział reparto departamento département dipartimento now direct go app pass smart connect espresso expresso expreso the a an of for and at from by to your our my me us you de du des da do di la le les el los las il der die das den dem von für und ihr ihre ihr et e y en van het voor uw och i w " +
  "inc llc ltd limited plc corp corporation company co group gmbh ag se kg sa sas srl spa bv nv ab as oy kk pty holdings international intl global worldwide " +
  "online official officially offiziell officiel oficial ufficiale team teams department dept division desk unit office com net org www web website portal app mobile digital internet service24 tm r important urgent action required new automated automatic auto system info information informations informationen contact kontakt operations ops no not do reply nao não please dear premium plus pro prime vip gold platinum business personal enterprise home family consumer " +
  "usa us america american uk gb britain europe eu emea apac asia germany deutschland de france fr spain españa es italy italia it netherlands nederland nl belgium belgië belgique austria österreich at switzerland schweiz suisse ch poland polska pl sweden sverige se denmark danmark dk norway norge no finland suomi fi ireland ie canada ca australia au zealand nz japan jp india singapore sg brazil brasil br mexico méxico mx portugal pt argentina chile colombia turkey türkiye russia china hong kong taiwan korea south africa uae dubai malaysia indonesia thailand vietnam philippines"
).split(" ");

/** Promises of a prize. In the subject, too, they make a brand's name in From a claim to be the brand. */
export const prizeWords: readonly string[] = (
  "reward rewards winner winners won prize prizes giveaway giftcard airdrop voucher vouchers gutschein gutscheine gewinn gewinne gewinnen gewinner gewinnspiel gewonnen geschenk geschenke glückwunsch cadeaubon cadeaukaart winnaar gagnant gagnez récompense récompenses ganador gana " +
  "sorteo premio premios prêmio prêmios recompensa recompensas vincitore nagroda vinnare 当選 奖品"
).split(" ");

/** Gifts, offers and thanks. Next to an unmistakable brand, a name with them and a few unknown words claims to be the brand. */
export const lureWords: readonly string[] = (
  "surprise surprises shopper shoppers survey gift gifts promo promotion offer offers congratulations congrats thank thanks thankyou claim bonus coupon coupons benefits " +
  "xmas christmas friday black special exclusive opinion confirmation unlocked waiting selected lucky benefit loyalty " +
  "prämie aktion aktionsteam gewinnerteam umfrage weihnachten angebot angebote überraschung " +
  "cadeau cadeaux concours félicitations offre offres sorteio encuesta pesquisa regalo brinde pontos promoção promoções felicidades parabéns oferta ofertas " +
  "sondage sondaggio omaggio prijs congratulazioni concorso enquête actie gefeliciteerd ankieta pris belöning undersökning プレゼント キャンペーン 中奖"
).split(" ");

/** For groups and publications about a brand. */
export const aboutWords: readonly string[] = (
  "partner partners reseller resellers certified authorized dealer club choir chor chœur coro podcast radio show festival fest meetup meetups community communities user users group groups gruppe gruppen groupe grupo gruppo society association alliance alumni fan fans owner owners " +
  "hacker hackers course courses kurs cours curso corso handbook guide book books story stories tip tips trick tricks weekly digest daily monthly journal magazine blog watch review stadium arena ticket tickets event events " +
  "tour museum foundation stiftung fondation fundación fondazione fund cycles rider riders developer developers dev devs expert experts agency consultant consultants consulting studio school academy akademie workshop training " +
  "conference summit lab labs cafe café verein forening stowarzyszenie vereniging lovers friends freunde amis amigos amici league liga band collectors tutorial tutorials seminar webinar explained history art music dance family church"
).split(" ");

/** Also used for places: "Wells Fargo Center" is an arena. These need a service word next to them. */
export const placeWords: readonly string[] = "center centre zentrum hub headquarters hq".split(" ");

/** For scripts without spaces: a run of these is a service. */
export const unspacedWords: readonly string[] = (
  "不在 再配達 停止 制限 異常 未払い 期限 ポイント 変更 手続き カスタマー サービス サポート センター セキュリティ セキュリティー アカウント お知らせ 通知 重要 重要なお知らせ 事務局 株式会社 公式 管理 認証 ログイン お支払い 支払い 請求 カード クレジット 会員 様 確認 本人確認 配送 宅配 お荷物 荷物 お客様 お客さま 情報 自動 配信 メール チーム 窓口 不正 検知 更新 ご利用 ご案内 案内 の を は に より " +
  "客服 中心 服务 服務 安全 账户 帐户 賬戶 帳戶 通知 官方 支付 验证 驗證 快递 物流 有限公司 团队 團隊 고객 센터 지원 보안 계정 알림 팀 서비스"
).split(" ");
