import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCommands } from '../../scripts/packages/deb/make-deb.mjs'
import type { CommandTree } from '../../src/main/cli/completion.ts'
import { manPage } from '../../scripts/packages/deb/man-page.mjs'
import { CLI } from '../cli/harness.ts'
import { itWith, programs } from '../needs.ts'
import { folderForAll } from '../temp-folder.ts'

const execute = promisify(execFile)
const folder = folderForAll()
let tree: CommandTree

beforeAll(async () => {
  const commands = await describeCommands()
  tree = commands.tree
  const files = { 'hangar.bash': 'bash', 'hangar.fish': 'fish', _hangar: 'zsh', 'hangar.ps1': 'powershell' }
  for (const [name, shell] of Object.entries(files)) writeFileSync(join(folder, name), commands.completions[shell]!)
  writeFileSync(join(folder, 'hangar.1'), manPage(tree, '1.2.3'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/hangar'), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`, { mode: 0o755 })
})

const FIELDS = ['{name}', '{seo}', '{date}', '{width}', '{height}', '{lang}', '{n}']
/** What is typed, the last word unfinished, and what it can become. */
const TYPED: [string, string[]][] = [
  ['hangar re', ['restore', 'resume', 'retry', 'resolve', 'recipes']],
  ['hangar key s', ['set', 'status']],
  ['hangar key set i', ['image']],
  ['hangar help cha', ['chargers']],
  ['hangar run --format ', ['webp', 'avif']],
  ['hangar run --format webp --metadata n', ['no-location']],
  ['hangar jobs --data-dir key --sta', ['--state']],
  ['hangar chargers route --pre', ['--prefer']],
  ['hangar completion po', ['powershell']],
  ['hangar status --pre', []],
  ['hangar run --name s', ['seo']],
  ['hangar run --name ', ['original', 'seo', ...FIELDS]],
  ['hangar run --name web/{se', ['web/{seo}']],
  ['hangar run --name web/', FIELDS.map((field) => `web/${field}`)],
  ['hangar watch --name {name}-{w', ['{name}-{width}']],
]

/** Shells run in an empty home, with nothing but what every computer has. */
const run = async (command: string, args: string[]) =>
  (
    await execute(command, args, {
      cwd: folder,
      timeout: 90_000,
      env: { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: folder, LC_ALL: 'C.UTF-8' },
    })
  ).stdout

describe('completions', () => {
  it.each(TYPED)('bash completes "%s"', async (typed, expected) => {
    const script =
      'source ./hangar.bash; read -ra COMP_WORDS <<< "$1"; [[ $1 != *" " ]] || COMP_WORDS+=("");' +
      'COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _hangar; printf "%s\\n" "${COMPREPLY[@]}"'
    const found = await run('bash', ['--norc', '-c', script, 'bash', typed])
    expect(words(found)).toEqual(expected.toSorted())
  })

  for (const [typed, expected] of TYPED)
    itWith(programs('fish'))(`fish completes "${typed}"`, async () => {
      const found = await run('fish', ['--no-config', '-c', 'source ./hangar.fish; complete -C "$argv[1]"', typed])
      const completed = found.split('\n').map((line) => line.split('\t', 1)[0]!)
      expect(words(completed.join('\n'))).toEqual(expected.toSorted())
    })

  for (const [typed, expected] of TYPED.filter(([, ways]) => ways.length === 1))
    itWith(programs('zsh'))(`zsh completes "${typed}"`, async () => {
      // In a terminal of its own, where Tab is pressed after what was typed, and Enter once the rest of the word is there.
      const script = `zmodload zsh/zpty
        zpty it 'zsh -f -i'
        zpty -w it 'hangar() { print "ran:\${*};end" }; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; PS1=beg; PS1+="in "'
        zpty -r it out '*begin *'
        zpty -w -n it "$1"$'\\t'
        zpty -r it out "*$2*"
        zpty -w -n it $'\\n'
        zpty -r it out '*;end*'
        print -r -- "$out"; zpty -d it`
      const [word, typedOf] = [expected[0]!, typed.split(' ').at(-1)!]
      // It takes braces without a backslash for alternatives of its own.
      const asTyped = (text: string) => text.replace(/[{}]/g, String.raw`\$&`)
      const rest = asTyped(word.slice(typedOf.length)).replaceAll('\\', '\\\\')
      expect(await run('zsh', ['-f', '-c', script, 'zsh', asTyped(typed), rest])).toContain(
        `ran:${typed.split(' ').slice(1, -1).concat(expected).join(' ')}`,
      )
    })

  itWith(programs('pwsh'))('PowerShell completes the same', async () => {
    const script =
      '. ./hangar.ps1; $typed = $args[0]; (TabExpansion2 $typed $typed.Length).CompletionMatches.CompletionText'
    // Braces without quotes would be a script block there, and fields of a template are completed where one begins.
    for (const [typed, expected] of TYPED.filter(([line]) => !line.includes('{') && !line.endsWith('/')))
      expect(words(await run('pwsh', ['-NoProfile', '-Command', script, typed])), typed).toEqual(
        expected.map((word) => (word.startsWith('{') ? `'${word}'` : word)).toSorted(),
      )
  })
})

describe('the manual page', () => {
  const all = (command: CommandTree): CommandTree[] => [command, ...command.commands.flatMap(all)]

  it('has every command with all of its options, and what the help says after them', () => {
    const page = manPage(tree, '1.2.3').replaceAll('\\-', '-').replaceAll('\\e', '\\')
    for (const { words: name, usage, options } of all(tree).filter((each) => each.words.at(-1) !== 'help')) {
      expect(page).toContain(name.length === 1 ? `.B ${usage}` : `.SS ${usage}`)
      for (const { flags } of options) expect(page).toContain(`.B ${flags}`)
    }
    expect(all(tree).length).toBeGreaterThan(20)
    expect(page).toContain('.SH EXIT STATUS')
    expect(page).toContain('HANGAR_API_KEY_FILE')
  })

  itWith(programs('man'))('is read by man without a warning', async () => {
    const { stdout, stderr } = await execute('man', ['--warnings=w', '-l', join(folder, 'hangar.1')], {
      env: { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '80', PAGER: 'cat' },
    })
    expect(stderr).toBe('')
    expect(stdout).toContain('--max-credits')
  })
})

const words = (lines: string) =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .toSorted()
