/** Values of attributes of which only these are read in statements. Lower case. A missing one costs a fact, but causes no mistake. */

export const relationshipStates = list('married, single, divorced, widowed, engaged, separated');

export const diets = list('vegan, vegetarian, pescatarian, flexitarian, keto, gluten-free, halal, kosher');

export const workStates = list(`
  done, finished, complete, completed, blocked, on hold, paused, in progress, cancelled, canceled, live, open, closed, delayed, released,
  shipped, planned, approved, stable, failing, in beta, broken, overdue, pending, launched, rejected, green, yellow, red, on track, at risk, active, inactive, archived, in review, ready, started
`);

export const languages = list(`
  english, spanish, portuguese, french, german, italian, dutch, danish, swedish, norwegian, finnish, icelandic, polish, czech, slovak,
  hungarian, romanian, bulgarian, greek, turkish, russian, ukrainian, serbian, croatian, slovenian, albanian, arabic, hebrew, persian,
  farsi, urdu, hindi, bengali, punjabi, tamil, telugu, chinese, mandarin, cantonese, japanese, korean, vietnamese, thai, indonesian, malay,
  tagalog, swahili, amharic, yoruba, zulu, afrikaans, catalan, basque, irish, welsh, estonian, latvian, lithuanian, georgian, armenian,
  latin, esperanto, faroese, sami, luxembourgish, maltese, macedonian, bosnian, belarusian, kazakh, uzbek, mongolian, burmese, khmer, lao,
  nepali, sinhala, malayalam, kannada, marathi, gujarati, pashto, kurdish, somali, hausa, igbo, xhosa, tigrinya, galician, gaelic, breton,
  yiddish, maori, flemish, swiss german, dari, azerbaijani, sign language
`);

export const nationalities = list(`
  american, british, scottish, welsh, irish, canadian, australian, german, austrian, swiss, french, italian, spanish, portuguese, dutch,
  belgian, danish, swedish, norwegian, finnish, icelandic, polish, czech, slovak, hungarian, romanian, bulgarian, greek, turkish,
  russian, ukrainian, serbian, croatian, egyptian, moroccan, nigerian, ghanaian, kenyan, ethiopian, south african, indian, pakistani,
  chinese, taiwanese, japanese, korean, vietnamese, thai, indonesian, malaysian, filipino, israeli, lebanese, syrian, iraqi, iranian,
  brazilian, argentinian, chilean, peruvian, colombian, mexican, cuban
`);

export const technologies = list(`
  python, java, javascript, typescript, rust, go, golang, c, c++, c#, ruby, php, swift, kotlin, scala, haskell, elixir, erlang, clojure,
  r, sql, bash, react, vue, angular, svelte, django, rails, node, node.js, docker, kubernetes, terraform, ansible, postgres, postgresql,
  mysql, redis, mongodb, linux, ubuntu, debian, fedora, macos, windows, android, ios, vim, neovim, emacs, vs code, vscode, intellij,
  git, figma, photoshop, excel, word, notion, obsidian, slack, teams, jira, trello, firefox, chrome, safari, spotify, tableau,
  tensorflow, pytorch, pandas, matlab, latex, aws, azure, gcp
`);

export const animals = list(`
  dog, puppy, cat, kitten, horse, pony, parrot, budgie, rabbit, hamster, guinea pig, ferret, tortoise, turtle, snake, lizard, gecko,
  goldfish, two cats, two dogs, three cats
`);

export const instruments = list(`
  piano, guitar, drums, violin, cello, flute, saxophone, trumpet, clarinet, bass, ukulele, harp, accordion, keyboard, tennis, football,
  chess, golf, basketball, volleyball, badminton, hockey, rugby, cricket, squash, padel, bridge, poker
`);

/** Cities that are known to be cities, as `valueKey` writes them. What is not listed may be a part of one, or a country. */
export const cities: ReadonlySet<string> = new Set(
  list(`
    oslo, bergen, trondheim, stavanger, tromso, stockholm, gothenburg, malmo, uppsala, copenhagen, aarhus, odense, aalborg, helsinki,
    turku, tampere, espoo, oulu, reykjavik, tallinn, tartu, riga, vilnius, kaunas, berlin, hamburg, munich, cologne, frankfurt, stuttgart,
    dusseldorf, leipzig, dresden, bremen, hanover, hannover, nuremberg, bonn, mannheim, karlsruhe, freiburg, heidelberg, mainz, kiel,
    lubeck, ulm, trier, munster, essen, dortmund, bochum, aachen, potsdam, jena, erfurt, vienna, graz, linz, salzburg, innsbruck, zurich,
    geneva, basel, bern, lausanne, lucerne, paris, lyon, marseille, toulouse, nice, nantes, strasbourg, bordeaux, lille, rennes, grenoble,
    montpellier, dijon, brest, brussels, antwerp, ghent, bruges, liege, leuven, amsterdam, rotterdam, hague, utrecht, eindhoven, groningen,
    leiden, luxembourg, london, manchester, birmingham, leeds, liverpool, bristol, bath, sheffield, newcastle, nottingham, leicester, york,
    oxford, cambridge, brighton, exeter, norwich, cardiff, swansea, edinburgh, glasgow, aberdeen, dundee, belfast, dublin, cork, galway,
    limerick, lisbon, porto, braga, coimbra, madrid, barcelona, valencia, seville, bilbao, malaga, granada, zaragoza, santander, gijon,
    salamanca, rome, milan, turin, naples, florence, venice, bologna, genoa, palermo, verona, trieste, athens, thessaloniki, sofia,
    bucharest, cluj, belgrade, zagreb, split, ljubljana, sarajevo, skopje, tirana, budapest, prague, brno, bratislava, warsaw, krakow,
    gdansk, gdynia, wroclaw, poznan, lodz, kyiv, kiev, lviv, odesa, minsk, moscow, saint petersburg, istanbul, ankara, izmir, tel aviv,
    jerusalem, haifa, beirut, amman, cairo, alexandria, tunis, algiers, casablanca, rabat, marrakesh, lagos, abuja, accra, nairobi,
    mombasa, kampala, addis ababa, dar es salaam, kigali, johannesburg, cape town, durban, pretoria, dubai, abu dhabi, doha, riyadh,
    tehran, baghdad, karachi, lahore, islamabad, delhi, new delhi, mumbai, bangalore, bengaluru, chennai, kolkata, hyderabad, pune, dhaka,
    colombo, kathmandu, bangkok, chiang mai, hanoi, ho chi minh city, saigon, singapore, kuala lumpur, jakarta, manila, cebu, hong kong,
    taipei, beijing, shanghai, shenzhen, guangzhou, chengdu, tokyo, osaka, kyoto, nagoya, fukuoka, sapporo, seoul, busan, sydney,
    melbourne, brisbane, perth, adelaide, canberra, hobart, auckland, wellington, christchurch, new york, los angeles, chicago, houston,
    phoenix, philadelphia, san antonio, san diego, dallas, san jose, austin, jacksonville, columbus, charlotte, indianapolis, seattle,
    denver, boston, nashville, detroit, portland, las vegas, memphis, baltimore, milwaukee, albuquerque, tucson, fresno, sacramento,
    atlanta, miami, tampa, orlando, minneapolis, cleveland, pittsburgh, cincinnati, st louis, san francisco, oakland, boulder,
    salt lake city, new orleans, honolulu, washington, toronto, montreal, vancouver, calgary, ottawa, edmonton, quebec, halifax, winnipeg,
    mexico city, guadalajara, monterrey, havana, bogota, medellin, cali, quito, lima, santiago, buenos aires, cordoba, montevideo,
    sao paulo, rio de janeiro, brasilia, salvador, curitiba, caracas, panama city, bari, catania, pisa, siena, parma, modena, perugia,
    ravenna, padua, bolzano, brescia, bergamo, cagliari, lecce, messina, pescara, rimini, salerno, ancona, udine, trento, vigo, murcia,
    alicante, valladolid, pamplona, san sebastian, cadiz, burgos, oviedo, almeria, huelva, girona, tarragona, faro, evora, setubal, aveiro,
    funchal, le havre, reims, toulon, angers, nimes, metz, nancy, rouen, caen, orleans, mulhouse, perpignan, avignon, limoges, amiens,
    besancon, poitiers, la rochelle, annecy, bayonne, braunschweig, kassel, augsburg, regensburg, wurzburg, rostock, magdeburg, halle,
    chemnitz, osnabruck, oldenburg, bielefeld, wuppertal, duisburg, koblenz, saarbrucken, konstanz, passau, gottingen, weimar, flensburg,
    darmstadt, wiesbaden, tubingen, klagenfurt, bregenz, villach, lugano, winterthur, st gallen, mechelen, namur, charleroi, hasselt,
    ostend, kortrijk, haarlem, delft, breda, tilburg, nijmegen, arnhem, maastricht, enschede, zwolle, amersfoort, esbjerg, vejle, kolding,
    horsens, roskilde, linkoping, orebro, vasteras, umea, lund, helsingborg, norrkoping, jonkoping, lulea, gavle, sundsvall, karlstad,
    vaxjo, kalmar, drammen, kristiansand, fredrikstad, halden, alesund, bodo, narvik, hamar, lillehammer, molde, haugesund, tonsberg,
    jyvaskyla, kuopio, lahti, vaasa, rovaniemi, pori, joensuu, klaipeda, daugavpils, parnu, szczecin, lublin, katowice, bialystok, torun,
    bydgoszcz, rzeszow, ostrava, olomouc, plzen, liberec, kosice, zilina, debrecen, szeged, pecs, gyor, timisoara, iasi, constanta, brasov,
    sibiu, plovdiv, varna, burgas, novi sad, nis, rijeka, zadar, osijek, pula, dubrovnik, maribor, mostar, podgorica, pristina, patras,
    heraklion, larissa, volos, nicosia, limassol, bursa, antalya, adana, derry, waterford, sligo, kilkenny, plymouth, southampton,
    portsmouth, coventry, wolverhampton, sunderland, middlesbrough, preston, blackpool, luton, ipswich, gloucester, cheltenham, lancaster,
    carlisle, inverness, stirling, canterbury, winchester, salisbury, chester, swindon, northampton, peterborough, newport, wrexham,
    raleigh, richmond, buffalo, rochester, syracuse, albany, hartford, providence, omaha, kansas city, tulsa, oklahoma city, el paso,
    madison, grand rapids, ann arbor, akron, dayton, louisville, knoxville, chattanooga, savannah, charleston, boise, spokane, tacoma,
    eugene, reno, anchorage, santa barbara, bakersfield, des moines, wichita, baton rouge, saskatoon, kelowna, moncton
  `),
);

function list(text: string): readonly string[] {
  return text.split(',').map((value) => value.trim());
}
