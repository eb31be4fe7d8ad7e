import type { CommandNode, OptionNode } from './command-tree.js';

/** Shells that completion scripts are written for. */
export const completionShells = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof completionShells)[number];

type Nodes = readonly CommandNode[];

/** Returns a script that completes the commands, options and values of a program. It calls nothing while it completes. */
export function toCompletionScript(shell: CompletionShell, nodes: Nodes): string {
  return { bash: toBash, zsh: toZsh, fish: toFish }[shell](nodes);
}

const unfitForWords = /[^\w@%+=:,./-]/;

function quote(text: string): string {
  return unfitForWords.test(text) || text === '' ? `'${text.replaceAll("'", String.raw`'\''`)}'` : text;
}

/** Words that lead to another command, as patterns of a `case`. */
function stepsOf(nodes: Nodes): string {
  return nodes
    .slice(1)
    .map(({ path }) => quote(path))
    .join('|');
}

/** Options whose next word is their value, so that it is no command. */
function valuedOf(nodes: Nodes): string {
  const valued = nodes.flatMap(({ options }) => options.filter(({ value }) => value !== 'none').flatMap(namesOf));
  return [...new Set(valued)].sort().join('|');
}

function namesOf({ long, short }: OptionNode): string[] {
  return [`--${long}`, ...(short === undefined ? [] : [`-${short}`])];
}

/** The options of a command that take a value, with what completes it. */
function valueCases(node: CommandNode, complete: (option: OptionNode) => string): string[] {
  return node.options
    .filter(({ value }) => value !== 'none')
    .map((option) => {
      const patterns = namesOf(option).map((name) => quote(`${node.path} ${name}`));
      return `    ${patterns.join('|')}) ${complete(option)}; return ;;`;
    });
}

function toBash(nodes: Nodes): string {
  const complete = ({ choices, value }: OptionNode) => {
    if (choices.length > 0) return `COMPREPLY=($(compgen -W ${quote(choices.join(' '))} -- "$cur"))`;
    if (value === 'directory') return 'compopt -o filenames 2> /dev/null; COMPREPLY=($(compgen -d -- "$cur"))';
    return value === 'file' ? 'compopt -o filenames 2> /dev/null; COMPREPLY=($(compgen -f -- "$cur"))' : 'COMPREPLY=()';
  };
  const words = nodes.map(({ path, commands, options, choices }) => {
    const names = [...commands.map(({ name }) => name), ...choices, ...options.flatMap(namesOf)];
    return `    ${quote(path)}) words=${quote(names.join(' '))} ;;`;
  });
  return `# Completion of memhall for bash.
_memhall() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} at=memhall words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${valuedOf(nodes)}) ((i++)); continue ;;
    esac
    case "$at \${COMP_WORDS[i]}" in
      ${stepsOf(nodes)}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${nodes.flatMap((node) => valueCases(node, complete)).join('\n')}
  esac
  case $at in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _memhall memhall
`;
}

function toZsh(nodes: Nodes): string {
  const described = (name: string, summary: string) => quote(`${name.replaceAll(':', String.raw`\:`)}:${summary}`);
  const complete = ({ choices, value }: OptionNode) => {
    if (choices.length > 0) return `compadd -- ${choices.map(quote).join(' ')}`;
    if (value === 'directory') return '_files -/';
    return value === 'file' ? '_files' : '_message value';
  };
  const words = nodes.map(({ path, commands, options, choices }) => {
    const names = [...commands.map(({ name, summary }) => described(name, summary)), ...choices.map(quote)];
    const flags = options.flatMap((option) => namesOf(option).map((name) => described(name, option.summary)));
    return `    ${quote(path)}) names=(${names.join(' ')}); flags=(${flags.join(' ')}) ;;`;
  });
  return `#compdef memhall
# Completion of memhall for zsh.
compdef _memhall memhall
_memhall() {
  local at=memhall word i
  local -a names flags
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case $word in
      ${valuedOf(nodes)}) ((i++)); continue ;;
    esac
    case "$at $word" in
      ${stepsOf(nodes)}) at="$at $word" ;;
    esac
  done
  case "$at \${words[CURRENT - 1]}" in
${nodes.flatMap((node) => valueCases(node, complete)).join('\n')}
  esac
  case $at in
${words.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option flags
  elif (( \${#names} )); then
    _describe command names
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _memhall ]]; then _memhall "$@"; fi
`;
}

function toFish(nodes: Nodes): string {
  const lines = nodes.flatMap(({ path, commands, options, choices }) => {
    const here = `complete -c memhall -n ${quote(`__memhall_at ${path}`)}`;
    return [
      ...commands.map(({ name, summary }) => `${here} -a ${quote(name)} -d ${quote(summary)}`),
      ...(choices.length === 0 ? [] : [`${here} -a ${quote(choices.join(' '))}`]),
      ...options.map((option) => `${here} ${toFishOption(option)}`),
    ];
  });
  return `# Completion of memhall for fish.
function __memhall_at
    set -l at memhall
    set -l isvalue 0
    for word in (commandline -opc)[2..-1]
        if test $isvalue = 1
            set isvalue 0
            continue
        end
        switch $word
            case ${valuedOf(nodes).replaceAll('|', ' ')}
                set isvalue 1
                continue
        end
        switch "$at $word"
            case ${nodes
              .slice(1)
              .map(({ path }) => quote(path))
              .join(' ')}
                set at "$at $word"
        end
    end
    test "$at" = "$argv"
end
complete -c memhall -f
${lines.join('\n')}
`;
}

function toFishOption({ long, short, summary, value, choices }: OptionNode): string {
  const names = `-l ${quote(long)}${short === undefined ? '' : ` -s ${quote(short)}`}`;
  const kinds = { none: '', text: ' -x', file: ' -r -F', directory: ` -x -a '(__fish_complete_directories)'` } as const;
  const kind = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : kinds[value];
  return `${names}${kind} -d ${quote(summary)}`;
}
