/** Completions for shells, from the described commands (describe-commands.mjs). Each function resolves to a file's text. */

const allOf = (command) => [command, ...command.commands.flatMap(allOf)]
/** The words of a command after `hangar`: its path. */
const pathOf = ({ words }) => words.slice(1).join(' ')
/** As one word for any of the three shells. */
const quoted = (words) => `'${words.replaceAll("'", `'\\''`)}'`

/** bash: one function, which finds out the command and looks up what it takes. */
export function bashCompletion(tree) {
  const commands = allOf(tree)
  const paths = commands.filter(({ words }) => words.length > 1).map((command) => quoted(pathOf(command)))
  return `# Made from the commands of hangar.
_hangar() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command='' taken=text options='' at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${command:+$command }\${COMP_WORDS[at]}" in
      ${paths.join(' | ')}) command="\${command:+$command }\${COMP_WORDS[at]}" ;;
    esac
  done
  case $command in
${commands.map((command) => `    ${quoted(pathOf(command))}) options=${quoted(namesOf(command))} taken=${quoted(bashTaken(takenBy(command)))} ;;`).join('\n')}
  esac
  case "$command $before" in
${commands.flatMap(bashValues).join('\n')}
    *) [[ $word != -* ]] || taken=$options ;;
  esac
  case $taken in
    files) compopt -o default 2>/dev/null ;;
    folders) compopt -o dirnames 2>/dev/null ;;
    text) ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$taken" -- "$word") ;;
  esac
}
complete -F _hangar hangar
`
}

const namesOf = ({ options }) => options.flatMap(({ names }) => names).join(' ')
/** What stands where no option does: a command, or what the first argument takes. */
const takenBy = (command) =>
  command.commands.length > 0
    ? command.commands.map(({ words }) => words.at(-1))
    : (command.arguments[0]?.takes ?? 'text')
const bashTaken = (takes) => (Array.isArray(takes) ? takes.join(' ') : takes)

function bashValues(command) {
  return command.options
    .filter(({ takes }) => takes !== null)
    .map(({ names, takes }) => {
      const patterns = names.map((name) => quoted(`${pathOf(command)} ${name}`)).join(' | ')
      return `    ${patterns}) taken=${quoted(bashTaken(takes))} ;;`
    })
}

/** fish: a line for each thing that can be typed, with the command that it belongs to. */
export function fishCompletion(tree) {
  const commands = allOf(tree)
  const paths = commands.filter(({ words }) => words.length > 1).map((command) => quoted(pathOf(command)))
  const lines = commands.flatMap((command) => {
    const start = `complete -c hangar -n ${quoted(`__hangar_at "${pathOf(command)}"`)}`
    const { takes } = command.arguments[0] ?? { takes: 'text' }
    return [
      ...command.commands.map(({ words, summary }) => `${start} -a ${words.at(-1)} -d ${quoted(summary)}`),
      ...(command.commands.length > 0 || takes === 'text' ? [] : [`${start} ${fishTaken(takes)}`]),
      ...command.options.map(({ names, description, takes: value }) => {
        const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
        const needs = value === null ? '' : ` -r ${fishTaken(value)}`
        return `${start} ${flags.join(' ')}${needs} -d ${quoted(description)}`
      }),
    ]
  })
  return `# Made from the commands of hangar.
function __hangar_at --description 'whether this command of hangar is being typed'
    set -l at ''
    for word in (commandline -opc)[2..]
        switch (string trim -- "$at $word")
            case ${paths.join(' ')}
                set at (string trim -- "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
complete -c hangar -f
${lines.join('\n')}
`
}

function fishTaken(takes) {
  if (takes === 'files') return '-F'
  if (takes === 'folders') return "-f -a '(__fish_complete_directories)'"
  return Array.isArray(takes) ? `-f -a ${quoted(takes.join(' '))}` : '-f'
}

/** zsh: a function for each command. */
export function zshCompletion(tree) {
  return `#compdef hangar
# Made from the commands of hangar.
${allOf(tree).map(zshFunction).join('')}_hangar "$@"
`
}

const zshName = ({ words }) => `_${words.join('_')}`

function zshFunction(command) {
  const options = command.options.flatMap(({ names, description, takes }) =>
    names.map((name) => {
      const others = names.length > 1 ? `(${names.join(' ')})` : ''
      const value = takes === null ? '' : `:${zshTaken('value', takes)}`
      return quoted(`${others}${name}[${zshText(description)}]${value}`)
    }),
  )
  const places = command.arguments.map(({ name, isMany, takes }, at) =>
    quoted(`${isMany ? '*' : at + 1}:${zshTaken(name, takes)}`),
  )
  if (command.commands.length === 0)
    return `${zshName(command)}() {\n  _arguments ${[...options, ...places].join(' ')}\n}\n`
  const names = command.commands.map(({ words, summary }) =>
    quoted(`${words.at(-1)}:${summary.replaceAll(':', '\\:')}`),
  )
  const calls = command.commands.map((child) => `      ${child.words.at(-1)}) ${zshName(child)} ;;`)
  return `${zshName(command)}() {
  local curcontext=$curcontext context state line
  local -A opt_args
  local -a named
  named=(${names.join(' ')})
  _arguments -C ${options.join(' ')} '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command named ;;
    rest) case $words[1] in
${calls.join('\n')}
    esac ;;
  esac
}
`
}

function zshTaken(name, takes) {
  if (Array.isArray(takes)) return `${name}:(${takes.join(' ')})`
  return `${name}:${{ files: '_files', folders: '_files -/', text: '()' }[takes]}`
}

const zshText = (words) => words.replace(/[\\[\]:]/g, '\\$&')
