import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Cli } from '../../src/main/cli/command.ts'
import type { Terminal } from '../../src/main/cli/terminal.ts'
import { runProgram } from '../../src/main/cli/program.ts'

function recordingCli(): { cli: Cli; said: { out: string; err: string } } {
  const said = { out: '', err: '' }
  const terminal: Terminal = {
    isJson: false,
    out: (line) => (said.out += terminal.isJson ? '' : `${line}\n`),
    err: (line) => (said.err += `${line}\n`),
    json: (value) => (said.out += terminal.isJson ? `${JSON.stringify(value)}\n` : ''),
    raw: (text) => (said.out += text),
    inIsTty: false,
    errIsTty: false,
    drawing: null,
    flush: async () => undefined,
  }
  const cli: Cli = {
    terminal,
    env: {},
    cwd: '/nowhere',
    keys: async () => ({ keys: {}, warnings: [] }),
    onStop: () => () => undefined,
    options: {},
    dataDir: '',
  }
  return { cli, said }
}

const COMMANDS = (
  'run watch serve restore status diagnostics jobs export retry resolve cancel key credits languages ' +
  'chargers practice'
).split(' ')

describe('hangar --help', () => {
  it('names every command, every exit status and every environment variable', async () => {
    const { cli, said } = recordingCli()
    expect(await runProgram(['--help'], cli)).toBe(0)
    for (const name of COMMANDS) expect(said.out).toMatch(new RegExp(`^ +${name}\\b`, 'm'))
    for (const status of [0, 1, 2, 3, 4, 5, 6, 70, 130]) expect(said.out).toMatch(new RegExp(`\\b${status} [a-z]`))
    for (const name of [
      'HANGAR_API_KEY',
      'HANGAR_API_KEY_FILE',
      'HANGAR_CHARGER_TOKEN',
      'HANGAR_SERVICE_URL',
      'HANGAR_DATA_DIR',
    ])
      expect(said.out).toContain(name)
    expect(said.err).toBe('')
  })

  it.each(COMMANDS)('explains %s', async (name) => {
    const { cli, said } = recordingCli()
    expect(await runProgram([name, '--help'], cli)).toBe(0)
    expect(said.out).toContain(`Usage: hangar ${name}`)
    expect(said.out.length).toBeGreaterThan(200)
  })
})

describe('a command line that cannot be meant', () => {
  it.each([
    [[]],
    [['frobnicate']],
    [['run']],
    [['run', 'x', '--format', 'jpeg2000']],
    [['run', 'x', '--languages', 'english']],
    [['run', 'x', '--requests-per-minute', '0']],
    [['run', 'x', '--practice', '--service-url', 'https://images.example.com']],
    [['run', 'x', '--service-url', 'http://images.example.com']],
    [['run', join(import.meta.dirname, 'not-there'), '--operation', 'convert', '--dry-run']],
    [['run', 'x', '--project-id', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '--project-name', 'y']],
    [['key', 'set', 'other']],
    [['jobs', '--state', 'lost']],
    [['resolve', '--all']],
    [['serve', '--port', '65536']],
    [['serve', '--practice', '--charger-url', 'https://x.example']],
    [['chargers', '--practice', 'route', 'EDNY', 'LSZR', '--charger-url', 'https://x.example']],
    [['chargers', '--country', 'TOOLONG']],
  ])('ends with 2 and says why on stderr: hangar %j', async (args) => {
    const { cli, said } = recordingCli()
    cli.env = { HANGAR_DATA_DIR: '/nowhere/hangar' }
    expect(await runProgram(args, cli)).toBe(2)
    expect(said.err).not.toBe('')
    expect(said.out).toBe('')
  })
})

describe('a command that fails', () => {
  const linesOf = async (...args: string[]) => {
    const { cli, said } = recordingCli()
    cli.env = { HANGAR_DATA_DIR: '/nowhere/hangar' }
    const exitCode = await runProgram(args, cli)
    return { exitCode, said, lines: said.out.split('\n').filter((line) => line !== '') }
  }

  it.each([
    ['usage', ['status', '--json', '--bogus']],
    ['bad_request', ['jobs', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '--json']],
  ])('says why to programs that ask for JSON, by the code %s', async (code, args) => {
    const { exitCode, said, lines } = await linesOf(...args)
    expect(lines).toHaveLength(1)
    const { message, ...rest } = JSON.parse(lines[0]!) as { message: string }
    expect(rest).toEqual({ event: 'error', code, exitCode })
    expect(said.err).toContain(message)
  })

  it('says nothing on stdout to others, also where a name only looks like the option', async () => {
    expect((await linesOf('status', '--bogus')).lines).toEqual([])
    expect((await linesOf('jobs', '--', '--json')).lines).toEqual([])
  })

  it('names the mistake when help is asked for a command that there is not', async () => {
    const { exitCode, said, lines } = await linesOf('help', 'stauts')
    expect([exitCode, lines]).toEqual([2, []])
    expect(said.err).toMatch(/unknown command 'stauts'\n.*Did you mean status\?/)
    expect((await linesOf('help', 'status')).exitCode).toBe(0)
    for (const names of [
      ['chargers', 'route'],
      ['chargers', 'route', 'nonsense'],
    ])
      expect((await linesOf('help', ...names)).lines.join('\n')).toContain('Usage: hangar chargers route')
  })
})

it('tells the version', async () => {
  const { cli, said } = recordingCli()
  expect(await runProgram(['--version'], cli)).toBe(0)
  expect(said.out).toMatch(/^\d+\.\d+\.\d+\n$/)
})
