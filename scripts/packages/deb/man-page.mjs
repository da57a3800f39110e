/** The manual page hangar(1), from the described commands (src/main/cli/completion.ts). */

/** Resolves to the page in the language of man(7). */
export function manPage(tree, version) {
  const [gist] = tree.description.split(/[:.]/, 1)
  const lines = [
    `.TH HANGAR 1 "" "Hangar ${version}" "User Commands"`,
    '.SH NAME',
    `hangar \\- ${text(gist[0].toLowerCase() + gist.slice(1))}`,
    '.SH SYNOPSIS',
    `.B ${text(tree.usage)}`,
    '.SH DESCRIPTION',
    text(tree.description),
    '.SH OPTIONS',
    ...entries(tree.options.map(({ flags, description }) => [flags, description])),
    ...afterwards(tree.after, '.SH'),
    '.SH COMMANDS',
    ...subcommands(tree),
  ]
  return `${lines.join('\n')}\n`
}

function commandLines(command) {
  const named = command.arguments.filter(({ description }) => description !== '')
  const options = command.options.filter(({ names }) => !names.includes('--help'))
  return [
    `.SS ${text(command.usage)}`,
    text(command.description),
    ...entries(named.map(({ name, description }) => [name, description])),
    ...entries(options.map(({ flags, description }) => [flags, description])),
    ...afterwards(command.after, null),
    ...subcommands(command),
  ]
}

const subcommands = ({ commands }) => commands.filter(({ words }) => words.at(-1) !== 'help').flatMap(commandLines)

const entries = (pairs) => pairs.flatMap(([term, meaning]) => ['.TP', `.B ${text(term)}`, text(meaning)])

/** Lines that begin with spaces stay as they are; one that ends with a colon is the heading of those below it. */
function afterwards(after, heading) {
  return after.split('\n').flatMap((line) => {
    if (line.trim() === '') return []
    if (line.startsWith(' ')) return ['.RS 4', '.nf', text(line.trim()), '.fi', '.RE']
    if (heading !== null && line.endsWith(':')) return [`${heading} ${text(line.slice(0, -1).toUpperCase())}`]
    return ['.PP', text(line)]
  })
}

/** A dash stays one that can be copied, and no text is taken for a request. */
const text = (words) =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
