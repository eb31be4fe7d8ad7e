import { toWordSet } from '../word-set.js';
import { type Evidence, type Place, textAfter, textBefore, textBeforePath, type Witness } from './evidence.js';

const pathAfter = /^[^\s"'`<>|;&()=]*/;
const redirected = />[ \t]*["']?$/;
const written =
  /(^|[\s(])(tee|sed\s+(-\w+\s+)*-i|dd\s.{0,60}of=|(curl|wget)\s.{0,120}(-o|--output|--output-document)[ =])/;
const copied = /(^|[\s(])(cp|mv|install|ln)\s+.{0,150}\S\s+["']?$/;
const writtenByCode =
  /(append_?file(sync)?|write_?file(sync)?|file_put_contents|add-content|set-content|out-file|write_text)\W/;
const opened = /open\(.{0,80}$/;
const openedForWriting = /^["'`)]{0,3}\s*,\s*["'](a|w|r\+)/;

/** Returns whether the command writes to the path that the word belongs to. */
function isWritten(place: Place): boolean {
  const before = textBeforePath(place);
  const after = textAfter(place).replace(pathAfter, '');
  if (redirected.test(before)) return true;
  const command = before.slice(
    Math.max(before.lastIndexOf('|'), before.lastIndexOf(';'), before.lastIndexOf('\n')) + 1,
  );
  if (written.test(command) || writtenByCode.test(command)) return true;
  if (opened.test(command) && openedForWriting.test(after)) return true;
  return copied.test(command) && /^["']?\s*($|[\n;&|])/.test(after);
}

function whenWritten(evidence: Evidence): Witness {
  return (place) => (isWritten(place) ? evidence : undefined);
}

function witnessKeyList(place: Place): Evidence {
  return isWritten(place) ? 'key-list-written' : 'key-list';
}

const startOfCommand = /(^|[\n;&|(`$]|\bsudo|\bthen|\bdo)\s*$/;
/** After another command, a plain name is a file, and no argument means standard input. */
const afterCommand = /[;&|]\s+(sudo\s+)?$/;
const plainArgument = /^(\s+\w[\w-]{0,60})?\s*($|[\n;&|])/;
const scheduleArgument = /^\s+(-u\s+\S{1,40}\s+)?(-(\s|$)|[~/.]|\S{1,60}\.\w|<)/;

const witnessSchedule: Witness = (place) =>
  isWritten(place) ||
  (startOfCommand.test(textBefore(place, 12)) && scheduleArgument.test(textAfter(place))) ||
  (afterCommand.test(textBefore(place, 12)) && plainArgument.test(textAfter(place)))
    ? 'schedule-written'
    : undefined;

const scheduled =
  /(@(reboot|hourly|daily|weekly|monthly|annually|yearly)|[\d*][\d*/,-]{0,20}(\s+[\d*][\d*/,-]{0,20}){4})\s+([\w-]{1,20}\s+)?$/;
const witnessDownload: Witness = (place) => (scheduled.test(textBefore(place, 120)) ? 'scheduled-download' : undefined);
const witnessShell: Witness = (place) =>
  /\|\s*(sudo\s+)?$/.test(textBefore(place, 10)) ? 'piped-into-shell' : undefined;
const witnessKey: Witness = (place) => (/^[ :]aaaa/.test(textAfter(place, 5)) ? 'key-material' : undefined);

const witnessAutorun: Witness = (place) =>
  /^\\run\b/.test(textAfter(place, 6)) && /reg(\.exe)? add|(new|set)-itemproperty/.test(textBefore(place))
    ? 'autorun-written'
    : undefined;
/** Code that is fetched and run at once: `iex (iwr …)`, `<(curl …)`. */
const witnessRun: Witness = (place) =>
  /^\s{0,2}[("'&{].{0,60}(downloadstring|iwr|irm|invoke-webrequest|invoke-restmethod|webclient)/.test(textAfter(place))
    ? 'remote-shell'
    : undefined;
const witnessFetched: Witness = (place) => (/<\(\s?$/.test(textBefore(place, 4)) ? 'piped-into-shell' : undefined);
/** A command in text that people do not see is meant for a model. */
const witnessHiddenShell: Witness = (place) =>
  place.tokens.hidden[place.index] && witnessShell(place) !== undefined ? 'remote-shell' : undefined;
const witnessStartup: Witness = (place) => (isWritten(place) ? 'startup-written' : undefined);

/** Words that show something being installed on a machine. */
export const writeWitnesses: Readonly<Record<string, readonly Witness[]>> = {
  authorized_keys: [witnessKeyList],
  authorized_keys2: [witnessKeyList],
  crontab: [witnessSchedule],
  crontabs: [whenWritten('schedule-written')],
  sudoers: [(place) => (isWritten(place) ? 'privileges-written' : 'privileges-file')],
  nopasswd: [() => 'privileges-granted'],
  ...list('curl wget', witnessDownload, witnessFetched),
  ...list('bashrc zshrc profile bash_profile zprofile local service', witnessStartup),
  currentversion: [witnessAutorun],
  schtasks: [(place) => (/^(\.exe)? \/create\b/.test(textAfter(place, 16)) ? 'autorun-written' : undefined)],
  useradd: [
    (place) => (/^[^\n;|&]{0,80}\s(-u|--uid)[ =]0\b/.test(textAfter(place)) ? 'privileges-written' : undefined),
  ],
  pam: [
    (place) =>
      /\/etc\/$/.test(textBefore(place, 8)) && isWritten(place) && /pam_permit/.test(textBefore(place))
        ? 'login-written'
        : undefined,
  ],
  iex: [witnessRun],
  tcp: [(place) => (/>&\s?\/dev\/$/.test(textBefore(place, 10)) ? 'remote-shell' : undefined)],
  cron: [
    (place) => (/^ ?(job|entry|task|tab)\b/.test(textAfter(place, 6)) ? 'order-to-schedule' : undefined),
    (place) => (/\/(etc|spool)\/$/.test(textBefore(place, 8)) && isWritten(place) ? 'schedule-written' : undefined),
  ],
  ...list('downloads fetches pipes', () => 'scheduled-download'),
  ...list('sh bash zsh dash python python3 perl', witnessShell, witnessHiddenShell),
  ...list('rsa ed25519', witnessKey),
  ...list('append add write put insert install paste', () => 'order-to-write'),
};

function list(words: string, ...witnesses: Witness[]): Record<string, Witness[]> {
  return Object.fromEntries([...toWordSet(words)].map((word) => [word, witnesses]));
}
