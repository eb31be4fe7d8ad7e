import type { KnownFact } from '../../../ports/extractor.js';
import { languages } from './languages/languages.js';
import { phrases, toPattern } from './phrases.js';

const secretName = phrases(`
  password, passwort, pass phrase, passphrase, passcode, pin, pin code, pin number, api key, api token, access key,
  access token, auth token, bearer token, secret, secret key, private key, ssh key, licen[cs]e key, credit card,
  debit card, credit card number, card number, cvv, cvc, ssn, social security, social security number, iban,
  account number, bank account, routing number, sort code, passport number, security code, security answer,
  recovery code, recovery phrase, seed phrase, otp, 2fa code, gate code, door code, alarm code, entry code, safe code,
  combination, login, credentials,
  kennwort, zugangscode, pin-nummer, geheimzahl, kreditkarte, kreditkartennummer, kontonummer, sozialversicherungsnummer,
  türcode, zugangsdaten, api-schlüssel,
  mot de passe, code secret, code pin, code d'accès, carte de crédit, carte bancaire, numéro de carte, numéro de compte,
  numéro de sécurité sociale, clé api, clé privée, identifiants, digicode,
  contraseña, clave, clave secreta, código pin, código de acceso, tarjeta de crédito, número de tarjeta,
  número de cuenta, número de la seguridad social, clave privada, credenciales
`);
const secretPatterns = [
  toPattern(
    `\\b${secretName}s?\\b[^.!?\\n]{0,25}?(?:\\b(?:is|are|was|to|changed|ist|lautet|war|est|était|es|era)\\b|[:=]|\\d)`,
  ),
  toPattern(/\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abps]|akia|asia|eyj)[-_a-z0-9]{8,}/iu),
  /-----BEGIN/u,
  toPattern(/\b(?:\d[ -]?){13,19}\b/u),
  toPattern(/\b\d{3}-\d{2}-\d{4}\b/u),
  toPattern(/\b(?=[a-z0-9_+/=-]{0,60}\d)(?=[a-z0-9_+/=-]{0,60}[a-z])[a-z0-9_+/=-]{24,}/iu),
];

/** True if the text contains, or seems to contain, something that gives access. */
export function isSecret(text: string): boolean {
  return secretPatterns.some((pattern) => pattern.test(text));
}

const injection = [
  toPattern(
    /\b(?:ignorier\p{L}*|vergiss|vergesst|umgeh\p{L}*|missacht\p{L}*)\b[^.!?\n]{0,30}\b(?:anweisung\p{L}*|regeln?|vorgaben?|richtlinien?|instruktionen|einschränkungen|system-?prompt)\b/iu,
  ),
  toPattern(
    /\b(?:ignore[zr]?|oublie[zr]?|contourne[zr]?)\b[^.!?\n]{0,30}\b(?:instructions?|règles?|consignes?|directives?|restrictions?)\b/iu,
  ),
  toPattern(
    /\b(?:ignor(?:a|e|ar)|olvid(?:a|e|ar)|omit(?:e|a)|sáltate)\b[^.!?\n]{0,30}\b(?:instrucciones|reglas|normas|directrices|restricciones)\b/iu,
  ),
  toPattern(
    /\b(?:du musst|sie müssen|tu dois|vous devez|debes|tienes que)\b[^.!?\n]{0,20}\b(?:gehorchen|obéir|obedecer|ignorieren|ignorer|ignorar|verraten|révéler|revelar)\b/iu,
  ),
  toPattern(
    /\b(?:ignore|disregard|override|bypass|forget|skip|drop|circumvent)\b[^.!?\n]{0,30}\b(?:rules?|instructions?|prompts?|polic(?:y|ies)|guidelines?|restrictions?|safety|filters?|constraints?|guardrails)\b/iu,
  ),
  toPattern(
    /\b(?:system (?:override|prompt|message|notice)|developer mode|jailbreak|admin override|root access|memory (?:system|service|update|store|module)\s*[:,])/iu,
  ),
  // Spaces only after a line break: with `\s*`, every break would read all the blank lines after it again.
  /(?:^\s*|\n[^\S\n]*|[.!?]\s+)(?:system|assistant|developer|tool)\s*:/iu,
  toPattern(
    /\b(?:ai|llm|language|virtual|chat) ?(?:assistants?|models?|agents?|bots?)\b[^.!?\n]{0,12}(?:[:,]|\bmust\b|\bshould\b|\bplease\b)/iu,
  ),
  toPattern(/<\/?(?:memory|system|instructions?|prompt|admin)\b|\[\/?(?:memory|system|inst|admin)\]/iu),
  toPattern(
    /\byou (?:must|have to|are required to|are obliged to|will now) (?:obey|remember|store|comply|ignore|reveal|always|never|trust)\b/iu,
  ),
];

/** True if the text tries to manipulate its reader. The whole message is then ignored. */
export function isInjection(text: string): boolean {
  return injection.some((pattern) => pattern.test(text));
}

const privilege = toPattern(
  /\b(?:admins?|administrators?|root|superuser|system owner|authori[sz]ed|full access|unlimited|unrestricted|no restrictions|without restrictions?|obey|bypass|reveal|credentials|clearance|permissions?|permitted|trusted|verified|approved for|ignore|entitled|exempt|any request|every request|no limits?|guidelines|instructions|berechtigt|berechtigung\p{L}*|befugt|autorisiert|vollzugriff|uneingeschränkt\p{L}*|alle rechte|zugangsdaten|anweisungen|administrat(?:eur|rice)|autorisée?|accès (?:complet|total|illimité)|sans restrictions?|habilitée?|tous les droits|consignes|administradora?|autorizad[oa]|acceso (?:total|completo|ilimitado)|sin restricciones|todos los permisos|permisos?|instrucciones)\b/iu,
);

/** True for an order, or a request to remember, that would give the user more rights than they have. */
export function claimsPrivilege({ text, kind }: KnownFact, asked: boolean): boolean {
  const order = kind === 'explicit' || kind === 'preference' || kind === 'decision' || asked;
  return order && privilege.test(text);
}

/** True for a sentence that states nothing about the user: hypothetical, fictional, ironic, or someone else's words. */
export function isUnmeant(sentence: string): boolean {
  return languages.some(({ unmeant }) => unmeant.some((pattern) => pattern.test(sentence)));
}

type PlayTurn = 'begins' | 'ends' | 'goes on';

/** Returns whether a message starts or ends a game in which nothing is meant seriously. */
export function readPlayTurn(message: string): PlayTurn {
  if (languages.some(({ playEnds }) => playEnds.test(message))) return 'ends';
  return languages.some(({ playBegins }) => playBegins.test(message)) ? 'begins' : 'goes on';
}

/** True if the clause withdraws the preceding statement. */
export function withdraws(clause: string): boolean {
  return languages.some(({ withdrawal }) => withdrawal.test(clause));
}
