/** Word lists of the German rules. A missing word costs a fact, but causes no mistake. */

export const states = `
  vegan, vegetarisch, veganer(?:in)?, vegetarier(?:in)?, pescetarier(?:in)?, flexitarier(?:in)?, diabetiker(?:in)?,
  asthmatiker(?:in)?, epileptiker(?:in)?, allergiker(?:in)?, linkshänder(?:in)?, rechtshänder(?:in)?, farbenblind, gehörlos,
  schwerhörig, blind, kurzsichtig, weitsichtig, schwanger, verheiratet, ledig, single, geschieden, verwitwet, verlobt,
  alleinerziehend, rentner(?:in)?, pensioniert, in rente, selbstständig, selbständig, freiberuflich, arbeitslos,
  zweisprachig, zöliakiebetroffen, nichtraucher(?:in)?, raucher(?:in)?, laktoseintolerant, glutenintolerant, autistisch,
  legastheniker(?:in)?, einzelkind, rollstuhlfahrer(?:in)?, antialkoholiker(?:in)?, frühaufsteher(?:in)?, brillenträger(?:in)?
`;

export const conditions = `
  diabetes, asthma, adhs, ads, epilepsie, migräne, zöliakie, morbus crohn, rheuma, arthrose, arthritis, bluthochdruck,
  tinnitus, schlafapnoe, neurodermitis, heuschnupfen, schuppenflechte, multiple sklerose, legasthenie, autismus,
  depressionen, einen herzschrittmacher, einen herzfehler, eine schilddrüsenunterfunktion, endometriose, gicht
`;

export const languages = `
  deutsch, englisch, französisch, spanisch, italienisch, portugiesisch, niederländisch, dänisch, schwedisch, norwegisch,
  finnisch, isländisch, polnisch, tschechisch, slowakisch, ungarisch, rumänisch, bulgarisch, griechisch, türkisch,
  kurdisch, russisch, ukrainisch, serbisch, kroatisch, bosnisch, slowenisch, albanisch, arabisch, hebräisch, persisch,
  farsi, urdu, hindi, tamil, chinesisch, mandarin, japanisch, koreanisch, vietnamesisch, thailändisch, thai, indonesisch,
  suaheli, afrikaans, katalanisch, baskisch, irisch, latein, esperanto, gebärdensprache, schweizerdeutsch, plattdeutsch
`;

export const nationalities = `
  deutscher?, österreicher(?:in)?, schweizer(?:in)?, franzose, französin, italiener(?:in)?, spanier(?:in)?, pole, polin,
  türke, türkin, grieche, griechin, russe, russin, ukrainer(?:in)?, brite, britin, ire, irin, däne, dänin, schwede,
  schwedin, norweger(?:in)?, finne, finnin, niederländer(?:in)?, belgier(?:in)?, portugiese, portugiesin, tscheche,
  tschechin, ungar(?:in)?, rumäne, rumänin, kroate, kroatin, serbe, serbin, amerikaner(?:in)?, kanadier(?:in)?,
  australier(?:in)?, brasilianer(?:in)?, mexikaner(?:in)?, inder(?:in)?, chinese, chinesin, japaner(?:in)?, syrer(?:in)?
`;

export const people = `
  frau, mann, ehefrau, ehemann, partner, partnerin, verlobte, verlobter, freund, freundin, mutter, mama, vater, papa,
  bruder, schwester, sohn, tochter, kind, baby, onkel, tante, cousin, cousine, neffe, nichte, oma, großmutter, opa,
  großvater, enkel, enkelin, schwiegermutter, schwiegervater, schwager, schwägerin, patenkind, chef, chefin,
  vorgesetzte, vorgesetzter, teamleiter, teamleiterin, kollege, kollegin, mitgründer, mitgründerin, assistent,
  assistentin, mentor, mentorin, lehrer, lehrerin, professor, professorin, hausarzt, hausärztin, arzt, ärztin, zahnarzt,
  zahnärztin, therapeut, therapeutin, anwalt, anwältin, steuerberater, steuerberaterin, vermieter, vermieterin, nachbar,
  nachbarin, mitbewohner, mitbewohnerin, trainer, trainerin, tierarzt, tierärztin, ex, ex-frau, ex-mann, hund, hündin,
  katze, kater, pferd, papagei, wellensittich, kaninchen, hamster, meerschweinchen, schildkröte, haustier, welpe
`;

export const soleRoles = `
  frau mann ehefrau ehemann partner partnerin verlobte verlobter mutter mama vater papa chef chefin vorgesetzte
  vorgesetzter vermieter vermieterin hausarzt hausärztin zahnarzt zahnärztin therapeut therapeutin
`;

export const workRoles = `
  student, studentin, schüler, schülerin, lehrer, lehrerin, arzt, ärztin, koch, köchin, bäcker, bäckerin, pilot, pilotin,
  anwalt, anwältin, jurist, juristin, ingenieur, ingenieurin, entwickler, entwicklerin, programmierer, programmiererin,
  informatiker, informatikerin, designer, designerin, krankenschwester, krankenpfleger, krankenpflegerin, hebamme,
  tischler, tischlerin, schreiner, elektriker, elektrikerin, klempner, mechaniker, mechanikerin, landwirt, landwirtin,
  bauer, bäuerin, gärtner, gärtnerin, friseur, friseurin, verkäufer, verkäuferin, kaufmann, kauffrau, buchhalter,
  buchhalterin, berater, beraterin, forscher, forscherin, wissenschaftler, wissenschaftlerin, physiker, physikerin,
  chemiker, chemikerin, biologe, biologin, psychologe, psychologin, therapeut, therapeutin, apotheker, apothekerin,
  zahnarzt, zahnärztin, tierarzt, tierärztin, journalist, journalistin, autor, autorin, schriftsteller,
  schriftstellerin, übersetzer, übersetzerin, dolmetscher, dolmetscherin, fotograf, fotografin, künstler, künstlerin,
  musiker, musikerin, schauspieler, schauspielerin, polizist, polizistin, soldat, soldatin, fahrer, fahrerin, busfahrer,
  lkw-fahrer, architekt, architektin, erzieher, erzieherin, sozialarbeiter, sozialarbeiterin, pfarrer, pfarrerin,
  professor, professorin, doktorand, doktorandin, azubi, auszubildende, auszubildender, praktikant, praktikantin,
  rentner, rentnerin, beamter, beamtin, richter, richterin, notar, notarin, geschäftsführer, geschäftsführerin, gründer,
  gründerin, unternehmer, unternehmerin, freelancer, freiberufler, freiberuflerin, produktmanager, produktmanagerin,
  projektleiter, projektleiterin, teamleiter, teamleiterin, altenpfleger, altenpflegerin, physiotherapeut,
  physiotherapeutin, logopäde, logopädin, bibliothekar, bibliothekarin, feuerwehrmann, sanitäter, sanitäterin, makler,
  maklerin, steuerberater, steuerberaterin, wirtschaftsprüfer, wirtschaftsprüferin, softwareentwickler,
  softwareentwicklerin, datenanalyst, datenanalystin, grafiker, grafikerin, redakteur, redakteurin, trainer, trainerin
`;

export const stopWords = `
  aber alle allem allen aller alles als also am an ander andere auch auf aus bei beim bin bis bist da damit dann das dass
  dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen
  einer eines er es etwas euch euer für gegen habe haben hat hatte hier hin ich ihm ihn ihr ihre im in ins ist ja jede jeder
  jetzt kann kein keine keinen können machen man mehr mein meine meinem meinen meiner mich mir mit muss nach nicht nichts noch
  nun nur ob oder ohne schon sehr sein seine sich sie sind so soll sondern um und uns unser unsere unter viel vom von vor war
  waren was weil welche wenn wer werde werden wie wieder will wir wird wo würde zu zum zur über bitte danke hallo gern gerne
  lieber mag immer heiße wohne lebe arbeite
`;

export const marks = `
  ich bin mein meine meinem meinen meiner mir mich wir uns unser unsere nicht kein keine keinen ist sind und oder aber für auf
  mit von zu dass das der die dem den des ein eine einen einem einer bitte auch noch schon immer nie jetzt heiße wohne lebe
  arbeite habe haben mag bei seit aus nach über wenn weil dir dich du nenn merk vergiss antworte nenne sie es im am zum zur
  übrigens eigentlich nein ja doch lieber gern gerne hasse liebe esse trinke spreche komme entschuldigung sondern heißt wurde
  werde würde vielleicht hallo danke ab sofort künftig denk
`;
