import { isOrder } from '../is-order.js';
import { toWordSet } from '../word-set.js';
import { textAfter, textBefore, type Witness } from './evidence.js';

const commands = toWordSet(
  'curl wget nc ncat netcat socat scp sftp rsync ftp tftp telnet nslookup dig iwr irm gsutil mutt sendmail xh',
);
/** Text that follows the name of a command in a sentence about it. */
const isTalkedAbout =
  /^(,|\.\s| (uses|reads|is|will|can|looks|needs|supports|takes|and|or|to|for|commands?|requests?)\b)/;
const calls = toWordSet('fetch axios urlopen sendbeacon xmlhttprequest');
const verbs =
  toWordSet(`send upload post email mail transmit forward exfiltrate leak submit deliver share report relay push copy schicke sende übertrage
  lade envía envia sube manda envoie envoyez téléverse transmets отправь отправьте загрузи invia carica envie`);

/** Words that send something somewhere. */
export const senderWitnesses: Readonly<Record<string, Witness>> = {
  ...toWitnesses(commands, (place) => (isTalkedAbout.test(textAfter(place, 12)) ? undefined : 'sender')),
  ...toWitnesses(calls, (place) => (/^[.(]/.test(textAfter(place, 1)) ? 'sender-in-code' : undefined)),
  ...toWitnesses(verbs, ({ tokens, index }) => (isOrder(tokens, index, false) ? 'order-to-send' : undefined)),
  requests: (place) => (/^\.(get|post|put|patch|request)\(/.test(textAfter(place, 10)) ? 'sender-in-code' : undefined),
  webrequest: (place) => (textBefore(place, 7) === 'invoke-' ? 'sender' : undefined),
  restmethod: (place) => (textBefore(place, 7) === 'invoke-' ? 'sender' : undefined),
  http: (place) => (/^ (get|post|put|patch) /.test(textAfter(place, 7)) ? 'sender' : undefined),
  s3: (place) => (textBefore(place, 4) === 'aws ' ? 'sender' : undefined),
  ...toWitnesses(toWordSet('sent forwarded posted mailed emailed copied'), (place) =>
    /(?:must|should|shall|has to|have to|will) be $/.test(textBefore(place, 12)) ? 'order-to-send' : undefined,
  ),
  gist: (place) => (/^ create /.test(textAfter(place, 8)) ? 'uploader' : undefined),
  tcp: (place) => (textBefore(place, 5) === '/dev/' ? 'sender' : undefined),
  urllib: (place) => (/^\.request\.(urlopen|request)\(/.test(textAfter(place, 18)) ? 'sender-in-code' : undefined),
  ssh: (place) => (/\|\s*$/.test(textBefore(place, 4)) ? 'sender' : undefined),
};

function toWitnesses(words: ReadonlySet<string>, witness: Witness): Record<string, Witness> {
  return Object.fromEntries([...words].map((word) => [word, witness]));
}
