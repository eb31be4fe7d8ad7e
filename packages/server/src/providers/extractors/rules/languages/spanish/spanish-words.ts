/** Word lists of the Spanish rules. A missing word costs a fact, but causes no mistake. */

export const states = `
  vegan[oa], vegetarian[oa], pescetarian[oa], flexitarian[oa], celíac[oa], diabétic[oa], asmátic[oa], epiléptic[oa],
  disléxic[oa], autista, zurd[oa], diestr[oa], daltónic[oa], sord[oa], cieg[oa], miope, embarazada, casad[oa], solter[oa],
  divorciad[oa], viud[oa], prometid[oa], jubilad[oa], retirad[oa], autónom[oa], en paro, desempleado, desempleada, bilingüe,
  intolerante a la lactosa, intolerante al gluten, fumador, fumadora, no fumador, hij[oa] únic[oa], abstemi[oa]
`;

export const conditions = `
  diabetes, asma, epilepsia, migrañas, celiaquía, hipertensión, la tensión alta, artrosis, artritis, acúfenos, eczema,
  psoriasis, un marcapasos, escoliosis, esclerosis múltiple, tdah, endometriosis, la enfermedad de crohn, fibromialgia
`;

export const languages = `
  español, castellano, inglés, francés, alemán, italiano, portugués, neerlandés, holandés, danés, sueco, noruego, finés,
  islandés, polaco, checo, eslovaco, húngaro, rumano, búlgaro, griego, turco, kurdo, ruso, ucraniano, serbio, croata,
  esloveno, albanés, árabe, hebreo, persa, urdu, hindi, tamil, chino, mandarín, japonés, coreano, vietnamita, tailandés,
  indonesio, suajili, catalán, euskera, vasco, gallego, quechua, guaraní, irlandés, latín, esperanto, lengua de signos
`;

export const nationalities = `
  español(?:a)?, mexican[oa], argentin[oa], colombian[oa], chilen[oa], peruan[oa], venezolan[oa], ecuatorian[oa], bolivian[oa],
  urugua[y]?[oa], paraguay[oa], cuban[oa], dominican[oa], costarricense, panameñ[oa], guatemaltec[oa], hondureñ[oa],
  salvadoreñ[oa], nicaragüense, puertorriqueñ[oa], frances(?:a)?, francés, alemán, alemana, italian[oa], portugués, portuguesa,
  inglés, inglesa, británic[oa], irlandés, irlandesa, estadounidense, american[oa], canadiense, brasileñ[oa], polac[oa],
  rus[oa], ucranian[oa], griego, griega, turc[oa], marroquí, chin[oa], japonés, japonesa, indi[oa], catalán, catalana, vasc[oa],
  galleg[oa], andaluz(?:a)?
`;

export const people = `
  mujer, esposa, esposo, marido, pareja, prometido, prometida, novio, novia, madre, mamá, padre, papá, hermano, hermana, hijo,
  hija, niño, niña, bebé, tío, tía, primo, prima, sobrino, sobrina, abuela, abuelo, nieto, nieta, suegra, suegro, cuñado,
  cuñada, ahijado, ahijada, jefe, jefa, encargado, encargada, gerente, supervisor, supervisora, compañero, compañera, colega,
  socio, socia, asistente, mentor, mentora, profesor, profesora, médico, médica, doctora, dentista, terapeuta, psicólogo,
  psicóloga, abogado, abogada, contable, asesor, asesora, casero, casera, vecino, vecina, compañero de piso,
  compañera de piso, amigo, amiga, mejor amigo, mejor amiga, entrenador, entrenadora, veterinario, veterinaria, ex, perro,
  perra, gato, gata, caballo, loro, conejo, hámster, tortuga, cachorro
`;

export const soleRoles = `
  mujer esposa esposo marido pareja prometido prometida novio novia madre mamá padre papá jefe jefa gerente supervisor
  supervisora casero casera dentista terapeuta
`;

export const workRoles = `
  estudiante, alumn[oa], maestr[oa], profesora?, docente, médic[oa], doctora?, enfermer[oa], matrona, cirujan[oa], dentista,
  veterinari[oa], farmacéutic[oa], psicólog[oa], psiquiatra, fisioterapeuta, logopeda, abogad[oa], jurista, notari[oa], juez,
  jueza, ingenier[oa], desarrolladora?, programadora?, informátic[oa], diseñadora?, arquitect[oa], electricista, fontaner[oa],
  carpinter[oa], mecánic[oa], albañil, panader[oa], pasteler[oa], carnicer[oa], cociner[oa], chef, camarer[oa], peluquer[oa],
  vendedora?, dependient[ae], comercial, contable, consultora?, investigadora?, científic[oa], físic[oa], químic[oa],
  biólog[oa], periodista, redactora?, escritora?, autora?, traductora?, intérprete, fotógraf[oa], artista, músic[oa],
  cantante, actor, actriz, bailarina?, policía, bomber[oa], militar, soldado, conductora?, taxista, camioner[oa], pilot[oa],
  agricultora?, jardiner[oa], educadora?, bibliotecari[oa], secretari[oa], asistente, gerente, directora?, empresari[oa],
  emprendedora?, fundadora?, freelance, funcionari[oa], doctorand[oa], becari[oa], aprendiz, jubilad[oa], analista, banquer[oa],
  trabajadora? social, cuidadora?, jef[ea] de proyecto, administrativ[oa]
`;

export const stopWords = `
  a al algo alguna alguno ante antes así aún aunque bien cada como con contra cual cuando cuándo de del desde donde dónde dos el
  él ella ellas ellos en entre era eran es esa ese eso esta está están estaba este esto estoy fue ha había han has hasta hay he
  la las le les lo los más me mi mis mí mucho muy nada ni no nos nosotros nuestra nuestro o os otra otro para pero poco por
  porque pues que qué quien quién se sea ser si sí sin sobre son soy su sus también tan te tengo ti tiene todo todos tu tú un una
  uno unos vosotros y ya yo gracias hola favor siempre nunca ahora entonces
`;

export const marks = `
  eres estás tienes vives prefieres mudé vengo estudio mantén tus acordamos usemos elegimos odio evito toco juego padezco sufro
  aprendo resido dedico tutéame trátame usas deja jefe jefa mujer marido perro gato hermana hermano puedes podrías favorito
  favorita alérgico alérgica adoro detesto soporto suelo quedamos vamos decidí opté anota apunta creo
  vivo llamo trabajo prefiero odio encanta encantan gusta gustan hablo soy estoy tengo nací cumplo como bebo recuerda olvides
  acuérdate llámame respóndeme responde decidimos decidido hemos elegido perdón quise decir nombre hijos años partir cuenta
  quizás quizá uso utiliza usa cumpleaños adelante cierto
`;
