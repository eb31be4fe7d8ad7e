import { builtInNames } from '../adapters/load-adapter.js';
import { allCases } from '../cases/all-cases.js';

export const helpText = `Measure what a memory system keeps of its promises.

  memhall-benchmark                                    run all cases for all systems that are installed
  memhall-benchmark --system mem0 --only erasure       run the cases of one area for one system
  memhall-benchmark --system ./my-adapter.mjs          run them for a system of your own
  memhall-benchmark --list                             print the cases, and who claims what

Each case runs on an empty place, with the system in a process of its own. A system is never failed for what it does not
claim: the table says "not claimed", and the report says what it does instead. Each failure is printed with the command
that repeats it. The systems are not installed with this command: install them in a project of your own, and name it with
--packages. With Node 22.13 or newer, tables of SQLite can be searched.

Which:
  -s, --system NAME|MODULE   one system; can be repeated. Built in:
                             ${wrapped(builtInNames)}
  -o, --only CASE|AREA       one case or area; can be repeated. Cases:
                             ${wrapped(allCases.map(({ id }) => id))}
  -p, --packages DIRECTORY   project in which systems are installed; can be repeated. Default: the current directory
      --set NAME=VALUE       setting for adapters, such as disableHistory=true for mem0; can be repeated

How:
      --seed NUMBER          what all words and times are drawn from. Default: 1
      --repeat NUMBER        run each case that often, with the seeds that follow. Default: 1
      --data FILE            data set for recall/data-set: locomo10.json of LoCoMo, or the form in the README
      --conversations NUMBER conversations of the data set to use. Default: 1
      --database-url URL     PostgreSQL with pgvector whose user may create databases. Default: a server of its own is started
                             for the run, if PostgreSQL is installed
      --work DIRECTORY       where systems store their data during a case. Default: the directory for temporary files
      --timeout SECONDS      longest time for a case. Default: 1800
      --call-timeout SECONDS longest time for one call. Default: 120

Output:
      --json                 print everything as JSON
      --markdown             print the table and the failures as Markdown
      --output FILE          write to a file; progress is printed meanwhile
      --list                 print cases and claims, run nothing
  -h, --help                 print this

Exits with 0 if every promise was kept, 1 if a case failed, 2 if the command was wrong or nothing could be run.
`;

function wrapped(names: readonly string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const name of names) {
    if (line.length + name.length > 80) {
      lines.push(line);
      line = '';
    }
    line += `${line === '' ? '' : ', '}${name}`;
  }
  return [...lines, line].join(`,\n${' '.repeat(29)}`);
}
