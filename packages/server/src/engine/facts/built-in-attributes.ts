import type { Attribute } from '../../ports/attributes.js';
import type { ValueShape } from '../../ports/statement-reader.js';
import type { Comparison } from './fact-keys.js';
import {
  animals,
  diets,
  instruments,
  languages,
  nationalities,
  relationshipStates,
  technologies,
  workStates,
} from './known-values.js';

export interface BuiltInAttribute extends Attribute {
  comparison: Comparison;
  /** How it is read in statements, see `ReadableAttribute`. */
  shape: ValueShape;
  values: readonly string[];
  ofThings: boolean;
  /** A second value is more likely another form of the first, or a slip: somebody's name. */
  isLasting: boolean;
  loosePatterns: readonly string[];
  endings: readonly string[];
}

/** Lists are separated by `;`, synonyms by `,`. */
interface Definition {
  name: string;
  synonyms?: string;
  patterns?: string;
  loose?: string;
  endings?: string;
  shape?: ValueShape;
  values?: readonly string[];
  ofThings?: boolean;
  isLasting?: boolean;
  comparison?: Comparison;
}

/** The attributes that every tenant has. Those that are not listed hold many values. */
export const builtInAttributes: readonly BuiltInAttribute[] = [
  one({
    name: 'lives in',
    synonyms: 'home, home town, residence, city, lives at, home city, hometown',
    patterns: `I live in {value}; I live near {value}; I moved to {value}; I moved back to {value}; I relocated to {value};
      I reside in {value}; I settled in {value}; I settled down in {value}; I am based in {value}; I am living in {value};
      ich bin nach {value} umgezogen; ich wohne jetzt in {value}; ich lebe jetzt in {value}; wir wohnen in {value}; wir sind nach {value} gezogen;
      {subject} ist nach {value} gezogen; {subject} wohnt jetzt in {value}; j'habite maintenant à {value}; nous habitons à {value};
      nous avons déménagé à {value}; vivimos en {value}; nos mudamos a {value};
      ich wohne in {value}; ich lebe in {value}; ich bin nach {value} gezogen; {subject} wohnt in {value}; {subject} lebt in {value};
      j'habite à {value}; je vis à {value}; j'ai déménagé à {value}; {subject} habite à {value}; {subject} vit à {value};
      vivo en {value}; me mudé a {value}; me he mudado a {value}; nos hemos mudado a {value}; {subject} vive en {value}; I emigrated to {value}; I returned to {value} for good; my home is in {value}; I call {value} home`,
    endings: `I moved away from {value}; I moved out of {value}; I left {value} for good; ich wohne nicht mehr in {value};
      ich lebe nicht mehr in {value}; je n'habite plus à {value}; je ne vis plus à {value}; ya no vivo en {value}`,
    shape: 'place',
    comparison: 'place',
  }),
  one({ name: 'address', synonyms: 'home address, street address, postal address', shape: 'text' }),
  one({
    name: 'works at',
    isLasting: true,
    synonyms: 'employer, works for, company, workplace',
    patterns: `I work at {value}; I work for {value}; I am employed at {value}; I am employed by {value}; I joined {value};
      I started at {value}; I started a job at {value}; I started a new job at {value}; I started my job at {value}; I started my new job at {value}; I got a job at {value}; I got a new job at {value};
      I took a job at {value}; I accepted a job at {value}; I was hired by {value}; I signed with {value}; I switched to a job at {value};
      I left {any} for {value}; I left {any} to join {value}; I work as {any} at {value}; I work as {any} for {value};
      I moved from {any} to join {value}; I work at {any} called {value}; I work for {any} called {value};
      ich arbeite jetzt bei {value}; je travaille maintenant chez {value}; trabajo en {value} como {any};
      ich arbeite bei {value}; {subject} arbeitet bei {value}; je travaille chez {value}; {subject} travaille chez {value};
      trabajo en {value}; {subject} trabaja en {value}; I start at {value}; I start work at {value}`,
    loose: 'I am at {value}; I freelance for {value}; I am a {any} at {value}; I am an {any} at {value}',
    endings: `I left {value}; I quit {value}; I resigned from {value}; I was fired from {value}; I was laid off from {value};
      I was laid off by {value}; I was let go from {value}; I retired from {value}; I quit my job at {value}; I left my job at {value};
      I lost my job at {value}; I quit working at {value}; I quit my job; I quit; I left my job; I am unemployed; I am retired; I am jobless; I lost my job; I resigned; I retired;
      I resigned from my job; I got fired; I was fired; I was laid off; I got laid off; I was let go; I handed in my notice;
      ich arbeite nicht mehr bei {value}; ich habe bei {value} gekündigt; je ne travaille plus chez {value}; j'ai quitté {value};
      j'ai démissionné de {value}; ya no trabajo en {value}; dejé {value}`,
    shape: 'organisation',
  }),
  one({
    name: 'job title',
    isLasting: true,
    synonyms: 'job, role, occupation, profession, works as, job position',
    patterns: `my position is {value}; my title is {value}; I work as {value}; I am working as {value}; I am employed as {value}; I became {value}; I was promoted to {value};
      I got promoted to {value}; I got a job as {value}; I started working as {value}; I was appointed {value};
      I work at {any} as {value}; I work for {any} as {value}; ich arbeite als {value}`,
    loose: 'I am a {value}; I am an {value}; I am the {value}',
    endings: `I quit my job; I left my job; I lost my job; I retired; I resigned; I got fired; I was fired; I was laid off;
      I quit my job as {value}; I retired as {value}; I stepped down as {value}`,
    shape: 'role',
  }),
  one({
    name: 'partner',
    isLasting: true,
    synonyms: 'spouse, wife, husband, girlfriend, boyfriend, fiancé, fiancée, significant other',
    patterns: `I married {value}; I got married to {value}; I am married to {value}; I am dating {value}; I am engaged to {value};
      I got engaged to {value}; I am in a relationship with {value}; I am seeing {value}; I started dating {value};
      I got together with {value}; meine freundin heißt {value}; meine frau heißt {value}; mein mann heißt {value};
      ma copine s'appelle {value}; ma femme s'appelle {value}; mon mari s'appelle {value}; mon copain s'appelle {value};
      mi novia se llama {value}; mi novio se llama {value}; mi mujer se llama {value}; mi marido se llama {value}`,
    loose: `I am with {value}; I am with my partner {value}; I am with my husband {value}; I am with my wife {value};
      {value} and I are together`,
    endings: `ich habe mich von {value} getrennt; je me suis séparé de {value}; je me suis séparée de {value}; rompí con {value};
      he roto con {value}; I am single; I broke up with {value}; I divorced {value}; I split up with {value}; I separated from {value}; I split from {value};
      I got divorced from {value}; we broke up; we split up; we got divorced; we divorced; we separated; I got divorced;
      {value} left me; {value} broke up with me; {value} dumped me; {value} divorced me; my partner left me; my wife left me; my husband left me; my girlfriend left me; my boyfriend left me;
      my girlfriend broke up with me; my boyfriend broke up with me; my partner broke up with me`,
    shape: 'name',
  }),
  one({
    name: 'manager',
    synonyms: 'boss, reports to, supervisor, line manager, team lead',
    patterns: 'I report to {value}; {value} became my manager; {value} became my boss; {value} took over as my manager',
    endings: '{value} stopped being my manager',
    shape: 'name',
  }),
  one({
    name: 'phone number',
    synonyms: 'phone, mobile, telephone, mobile number, cell number, telephone number, cell phone number',
    patterns: 'my number is {value}',
    shape: 'code',
    comparison: 'digits',
  }),
  one({ name: 'email', synonyms: 'email address, e-mail address, e-mail', shape: 'code' }),
  always({
    name: 'name',
    isLasting: true,
    synonyms: 'full name, is called, first name',
    patterns: "I am called {value}; ich heiße {value}; je m'appelle {value}; me llamo {value}",
    shape: 'name',
  }),
  one({
    name: 'nickname',
    synonyms: 'form of address',
    patterns: 'call me {value}; please call me {value}; you can call me {value}; just call me {value}; I go by {value}',
    shape: 'name',
  }),
  always({
    name: 'birthday',
    isLasting: true,
    synonyms: 'date of birth, born on, birth date',
    patterns: 'I was born on {value}',
    shape: 'date',
    comparison: 'date',
  }),
  always({
    name: 'birthplace',
    isLasting: true,
    synonyms: 'place of birth, born in',
    patterns: 'I was born in {value}',
    shape: 'place',
    comparison: 'place',
  }),
  always({ name: 'age', patterns: 'I am {value} years old; I turned {value}; I am {value}', shape: 'number' }),
  always({
    name: 'native language',
    isLasting: true,
    synonyms: 'mother tongue, first language',
    values: languages,
  }),
  always({ name: 'time zone', synonyms: 'timezone' }),
  one({
    name: 'current project',
    synonyms: 'works on, project',
    loose: 'I am working on {value}; I work on {value}; I started working on {value}',
    shape: 'organisation',
  }),
  one({
    name: 'studies at',
    synonyms: 'university, school, college',
    patterns: 'I study at {value}; I am studying at {value}; I enrolled at {value}; I study {any} at {value}',
    endings:
      'I graduated from {value}; I dropped out of {value}; I graduated; I finished my degree; I finished my studies',
    shape: 'organisation',
  }),
  many({
    name: 'studies',
    synonyms: 'major, field of study',
    loose: 'I study {value}; I am studying {value}; I am majoring in {value}; I major in {value}',
    shape: 'thing',
  }),
  one({
    name: 'owner',
    synonyms: 'owner of, owned by',
    patterns:
      '{subject} is owned by {value}; {subject} belongs to {value}; {value} owns {subject}; {value} took over {subject}',
    shape: 'name',
  }),
  always({
    name: 'status',
    synonyms: 'status of, state',
    patterns: '{subject} is {value}',
    values: workStates,
    ofThings: true,
  }),
  one({
    name: 'marital status',
    synonyms: 'relationship status, civil status',
    patterns: 'I am {value}; I got {value}; I became {value}',
    values: relationshipStates,
  }),
  one({ name: 'diet', patterns: 'I am {value}; I became {value}; I went {value}; I turned {value}', values: diets }),
  many({
    name: 'nationality',
    synonyms: 'citizenship',
    patterns: 'I am {value}; I became {value}',
    values: nationalities,
  }),
  many({
    name: 'likes',
    synonyms: 'loves, enjoys, fond of',
    patterns: `I like {value}; I love {value}; I enjoy {value}; I adore {value}; I am fond of {value}; I am a fan of {value};
      I am a big fan of {value}; I am into {value}; ich mag auch {value}; ich liebe auch {value}; ich mag {value}; ich liebe {value};
      j'aime aussi {value}; j'aime {value}; j'adore {value}; me gusta {value}; me encanta {value}`,
    endings: `ich mag keinen {value} mehr; ich mag keine {value} mehr; ich mag {value} nicht mehr; je n'aime plus {value};
      ya no me gusta {value}`,
    shape: 'thing',
  }),
  many({
    name: 'dislikes',
    synonyms: 'hates, does not like',
    patterns: `I do not like {value}; I hate {value}; I dislike {value}; I detest {value}; I do not enjoy {value}`,
    shape: 'thing',
  }),
  many({
    name: 'allergic to',
    synonyms: 'allergy, allergies',
    patterns: `I am allergic to {value}; I have a {value} allergy; I have an allergy to {value}; I am intolerant to {value};
      ich bin allergisch gegen {value}; je suis allergique à {value}; je suis allergique au {value}; je suis allergique aux {value};
      soy alérgico a {value}; soy alérgica a {value}`,
    shape: 'thing',
  }),
  many({
    name: 'skill',
    synonyms: 'skills, knows, can',
    loose: 'I know {value}; I learned {value}',
    values: technologies,
  }),
  many({
    name: 'speaks',
    synonyms: 'languages, language',
    patterns: 'I speak {value}; I learned {value}',
    values: languages,
  }),
  many({
    name: 'pet',
    synonyms: 'pets, has pet, dog, cat, puppy, kitten, rabbit, hamster, parrot, horse',
    patterns: `I have a {any} named {value}; I have a {any} called {value}; I adopted a {any} named {value};
      I adopted a {any} called {value}; I got a {any} named {value}; I got a {any} called {value}`,
    loose: 'I have a {value}; I have {value}; I got a {value}; I adopted a {value}; my {any} is called {value}',
    endings: '{value} died; {value} passed away',
    values: animals,
    shape: 'name',
  }),
  many({
    name: 'visited',
    synonyms: 'has been to, travelled to',
    patterns:
      'I visited {value}; I travelled to {value}; I traveled to {value}; I went to {value}; I was in {value}; I have been to {value}',
    shape: 'place',
    comparison: 'place',
  }),
  many({
    name: 'child',
    synonyms: 'children, son, daughter, sons, daughters, kid, kids',
    patterns: `I have a son named {value}; I have a son called {value}; I have a daughter named {value}; I have a daughter called {value};
      I have a child named {value}`,
    shape: 'name',
  }),
  many({
    name: 'sibling',
    synonyms: 'siblings, brother, sister, brothers, sisters',
    patterns: `I have a brother named {value}; I have a brother called {value}; I have a sister named {value};
      I have a sister called {value}`,
    shape: 'name',
  }),
  many({
    name: 'hobby',
    synonyms: 'hobbies',
    patterns: 'I took up {value}',
    endings: 'I gave up {value}',
    shape: 'thing',
  }),
  many({
    name: 'plays',
    patterns: 'I play {value}; I play the {value}',
    endings: 'I gave up {value}; I gave up playing {value}; I quit playing {value}',
    values: instruments,
  }),
  many({
    name: 'member of',
    patterns: 'I am a member of {value}',
    endings: 'I left {value}; I quit {value}',
    shape: 'thing',
  }),
  many({
    name: 'owns',
    patterns: 'I own {value}; I bought {value}',
    endings: 'I sold {value}',
    shape: 'thing',
  }),
  many({
    name: 'car',
    synonyms: 'drives, cars',
    patterns: 'I drive a {value}; I drive an {value}; I bought a {value}',
    endings: 'I sold my {value}; I sold the {value}',
    shape: 'organisation',
  }),
  many({
    name: 'uses',
    patterns: 'I use {value}; I switched to {value}; I am using {value}',
    endings: 'I uninstalled {value}; I switched away from {value}',
    values: technologies,
  }),
  ...'colour;color;food;film;movie;book;song;band;team;drink;game;season;restaurant;animal;number;sport;dish;author;show'
    .split(';')
    .map((what) => one({ name: `favourite ${what}`, isLasting: true, synonyms: `favorite ${what}, best ${what}` })),
];

/** Holds one value at a time, and can end without another one. */
function one(definition: Definition): BuiltInAttribute {
  return define(definition, true, true);
}

/** Holds one value at a time, and always has one. */
function always(definition: Definition): BuiltInAttribute {
  return define(definition, true, false);
}

function many(definition: Definition): BuiltInAttribute {
  return define(definition, false, true);
}

function define(definition: Definition, single: boolean, endsAlone: boolean): BuiltInAttribute {
  const { name, synonyms, patterns, loose, endings, shape = 'text', values = [], comparison = 'text' } = definition;
  const { ofThings = false, isLasting = false } = definition;
  return {
    ...{ name, single, endsAlone, comparison, shape, values, ofThings, isLasting },
    synonyms: listOf(synonyms, ','),
    patterns: listOf(patterns, ';'),
    loosePatterns: listOf(loose, ';'),
    endings: listOf(endings, ';'),
  };
}

function listOf(text: string | undefined, separator: string): string[] {
  return (text ?? '').split(separator).flatMap((part) => part.trim().replaceAll(/\s+/g, ' ') || []);
}
