/**
 * Writes docs/commands.txt, every command with its options, from what `--help` says. With `--check`, as in `npm run check`, fails
 * while the file says something else.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { describeCommands } from '../src/main/cli/completion.ts'
import { buildProgram } from '../src/main/cli/program.ts'
import { root } from './project.mjs'

const FILE = path.join(root, 'docs', 'commands.txt')
const WIDTH = 120
const TERM_WIDTH = 30
function wrapped(text, indent) {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (lines.at(-1) !== '' && longer.length > WIDTH - indent) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines.map((line) => `${' '.repeat(indent)}${line}`)
}

function entry(term, meaning) {
  const [first, ...rest] = wrapped(meaning, TERM_WIDTH + 2)
  const start = `  ${term}`.padEnd(TERM_WIDTH + 2)
  return start.endsWith(' ') ? [`${start}${first.trimStart()}`, ...rest] : [start, first, ...rest]
}

const withChildren = (command) =>
  command.words.at(-1) === 'help' ? [] : [command, ...command.commands.flatMap(withChildren)]

function reference(tree) {
  const commands = withChildren(tree).slice(1)
  const owners = new Map()
  for (const { words, options } of commands)
    for (const option of options.filter(({ names }) => !names.includes('--help'))) {
      const told = entry(option.flags, option.description).join('\n')
      owners.set(told, [...(owners.get(told) ?? []), words.slice(1).join(' ')])
    }
  const own = (name) => [...owners].filter(([, of]) => of.length === 1 && of[0] === name).map(([told]) => told)
  const lines = commands.flatMap(({ words, usage, description, arguments: named }) => [
    '',
    usage,
    ...wrapped(description, 2),
    ...named
      .filter((argument) => argument.description !== '')
      .flatMap((argument) => entry(argument.name, argument.description)),
    ...own(words.slice(1).join(' ')),
  ])
  const shared = [...owners]
    .filter(([, of]) => of.length > 1)
    .flatMap(([told, of]) => [
      told,
      ...wrapped(of.length > commands.length / 2 ? '(most commands)' : `(${of.join(', ')})`, TERM_WIDTH + 2),
    ])
  return [
    'The commands of Hangar, made from what --help says by scripts/list-commands.mjs; docs/command-line.md has the rest.',
    ...lines,
    '',
    'Options of several commands',
    ...shared,
    '',
    ...tree.after.split('\n'),
    '',
  ].join('\n')
}

const text = reference(describeCommands(await buildProgram({}, () => {})))
if (!process.argv.includes('--check')) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('docs/commands.txt is not what --help says: npx node scripts/list-commands.mjs\n')
  process.exitCode = 1
}
