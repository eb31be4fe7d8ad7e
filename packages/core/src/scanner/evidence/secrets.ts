import { toWordSet } from '../word-set.js';
import { type Evidence, type Place, textAfter, textBefore, textBeforePath, type Witness } from './evidence.js';

const secretName =
  /(^|_)(token|secret|password|passwd|passphrase|pwd|pass|credentials?|creds|apikey|jwt|pat|cookie|key)$|(token|secret|password|apikey|secretkey|accesskey|privatekey)$|(^|_)(secret|password|credentials?)_/;
const harmlessName = /(^|_)(public|cache|primary|partition|sort|foreign|object|project|issue|row)_?key$/;
/** The start of a variable in shells, PowerShell, CMD and common languages. */
const variableStart =
  /(\$\{?|\$env:|%|process\.env\.|process\.env\[["']|environ\[["']|environ\.get\(["']|getenv\(["']|env\[["']|\$\{\{ ?secrets\.)$/;
const beforeName = new Set('${:%."\''.split(''));
const header = /(authorization|bearer|x-api-key|api-key|apikey)["']?[:= ]{0,3}[^,;&|]{0,40}$/;

/** Detects a variable whose name says that it holds a secret. */
export function witnessVariable(place: Place): Evidence | undefined {
  const { word } = place;
  if (!beforeName.has(textBefore(place, 1)) || !secretName.test(word) || harmlessName.test(word)) return undefined;
  const before = textBefore(place, 100);
  if (!variableStart.test(before)) return undefined;
  return header.test(before) ? 'secret-in-header' : 'secret-variable';
}

/** Returns whether an address contains the name of a secret variable or prints the environment. */
export function carriesSecret(address: string): boolean {
  if (/(\$\(|`)(printenv|env)$/.test(address)) return true;
  for (const match of address.matchAll(/\$\{?(?:env:|process\.env\.)?([a-z_][a-z0-9_]{0,60})|%([a-z_]{3,60})%/g)) {
    const name = match[1] ?? match[2] ?? '';
    if (secretName.test(name) && !harmlessName.test(name)) return true;
  }
  return false;
}

const sampleFile = /^\.(example|sample|template|dist|schema|defaults?|test|ci)\b/;
const leftOut = /(exclude|ignore)[ =]["']?$/;
const identityOption = /(^|\s)(-i|-i=|--identity|identityfile|-o)\s*["']?$/;
const publicFile = /^[\w./-]{0,80}(\.pub|known_hosts|\/config|authorized_keys2?)\b/;

/** Words that name a secret file as part of a path: `.env`, `~/.ssh`, `.aws/credentials`. */
export const fileWitnesses: Readonly<Record<string, Witness>> = {
  env: (place) =>
    /(^|[^\w)\]])\.$/.test(textBefore(place, 2)) &&
    !leftOut.test(textBeforePath(place)) &&
    !sampleFile.test(textAfter(place, 12)) &&
    !/^\w|^\[/.test(textAfter(place, 1))
      ? 'secret-file'
      : undefined,
  ssh: (place) => (textBefore(place, 1) === '.' ? witnessKey(place) : undefined),
  ...byWords('id_rsa id_ed25519 id_ecdsa id_dsa', witnessKey),
  ...byWords('aws kube pgpass npmrc pypirc gnupg azure', (place) =>
    textBefore(place, 2) === '/.' || (textBefore(place, 1) === '.' && textAfter(place, 1) === '/')
      ? 'secret-file'
      : undefined,
  ),
  netrc: (place) =>
    textBefore(place, 2) === '/.' && /(\bcat\s+|\bbase64\s+|\bfile\s+|\bread\s+|[@<]\s*)$/.test(textBeforePath(place))
      ? 'secret-file'
      : undefined,
  passwd: (place) => (textBefore(place, 5) === '/etc/' ? 'secret-file' : undefined),
  shadow: (place) => (textBefore(place, 5) === '/etc/' ? 'secret-file' : undefined),
  gcloud: (place) => (textBefore(place, 8) === '.config/' ? 'secret-file' : undefined),
  application_default_credentials: () => 'secret-file',
  credentials: (place) => (textBefore(place, 5) === '.git-' ? 'secret-file' : undefined),
};

function witnessKey(place: Place): Evidence | undefined {
  if (publicFile.test(textAfter(place, 100))) return undefined;
  return identityOption.test(textBeforePath(place)) ? undefined : 'secret-file';
}

/** Detects the whole environment being passed on: `env | …`, `printenv > …`. */
const witnessEnvironment: Witness = (place) =>
  /^\s*[|>]/.test(textAfter(place, 8)) && /(^|[\n;&|(`]\s*)$/.test(textBefore(place, 12)) ? 'environment' : undefined;

export const environmentWitnesses: Readonly<Record<string, Witness>> = {
  ...byWords('env printenv', witnessEnvironment),
  environ: (place) =>
    textBefore(place, 3) === 'os.' && /^\s?[,)}]/.test(textAfter(place, 2)) ? 'environment' : undefined,
};

const owners = toWordSet("all any every each user's users' user stored found their saved the");
const describing = toWordSet('api private ssh secret access session stored found saved of');

/** Secrets in plain words, as in "send all passwords you find to …". */
export const wordWitnesses: Readonly<Record<string, Witness>> = byWords(
  'passwords password credentials credential secrets keys tokens cookies',
  ({ tokens, index }) => {
    let at = index - 1;
    while (index - at < 4 && describing.has(tokens.words[at] ?? '')) at--;
    const owner = tokens.words[at] ?? '';
    return owners.has(owner) && owner !== 'the' ? 'secret-in-words' : undefined;
  },
);

const whose = toWordSet("user's users' person's human's");
const said = toWordSet('this the whole entire full complete our every all chat conversation');

/** What a model knows about the person it talks to, in plain words. */
export const privateWitnesses: Readonly<Record<string, Witness>> = {
  ...byWords([...whose].join(' '), () => 'private-data'),
  ...byWords('conversation chat history transcript', ({ tokens, index }) =>
    said.has(tokens.words[index - 1] ?? '') ? 'private-data' : undefined,
  ),
  ...byWords('outputs responses replies answers data', ({ tokens, index }) =>
    /^(?:all|every|your)$/.test(tokens.words[index - 1] ?? '') ? 'private-data' : undefined,
  ),
  ...byWords('contacts inbox memories', ({ tokens, index }) =>
    /^(?:the|all|your|every|user)$/.test(tokens.words[index - 1] ?? '') ? 'private-data' : undefined,
  ),
  user: (place) =>
    /(?:of the|whenever the|every time the|each time the) $/.test(textBefore(place, 16)) ? 'private-data' : undefined,
  book: ({ tokens, index }) => (tokens.words[index - 1] === 'address' ? 'private-data' : undefined),
  list: ({ tokens, index }) => (tokens.words[index - 1] === 'contact' ? 'private-data' : undefined),
  everything: (place) =>
    /^ (?:that )?you (?:know|remember|have|see|stored)\b/.test(textAfter(place, 24)) ? 'private-data' : undefined,
  prompt: ({ tokens, index }) => (tokens.words[index - 1] === 'system' ? 'private-data' : undefined),
};

function byWords(words: string, witness: Witness): Record<string, Witness> {
  return Object.fromEntries([...toWordSet(words)].map((word) => [word, witness]));
}
