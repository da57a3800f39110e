import { describe, expect, it } from 'vitest'
import type { Cli } from '../../src/main/cli/cli-context.ts'
import { runProgram } from '../../src/main/cli/program.ts'
import type { Terminal } from '../../src/main/cli/terminal.ts'

function recordingCli(): { cli: Cli; said: { out: string; err: string } } {
  const said = { out: '', err: '' }
  const terminal: Terminal = {
    out: (line) => (said.out += `${line}\n`),
    err: (line) => (said.err += `${line}\n`),
    json: (value) => (said.out += `${JSON.stringify(value)}\n`),
    raw: (text) => (said.out += text),
    inIsTty: false,
    outIsTty: false,
    outColumns: null,
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
  }
  return { cli, said }
}

const COMMANDS = [
  'run',
  'watch',
  'serve',
  'restore',
  'status',
  'jobs',
  'retry',
  'resolve',
  'cancel',
  'key',
  'credits',
  'languages',
  'chargers',
  'practice',
]

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
    [['run', 'x', '--project-id', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '--project-name', 'y']],
    [['key', 'set', 'other']],
    [['jobs', '--state', 'lost']],
    [['resolve', '--all']],
    [['serve', '--port', '65536']],
    [['serve', '--practice', '--charger-url', 'https://x.example']],
    [['chargers', '--country', 'TOOLONG']],
  ])('ends with 2 and says why on stderr: hangar %j', async (args) => {
    const { cli, said } = recordingCli()
    cli.env = { HANGAR_DATA_DIR: '/nowhere/hangar' }
    expect(await runProgram(args, cli)).toBe(2)
    expect(said.err).not.toBe('')
    expect(said.out).toBe('')
  })
})

it('tells the version', async () => {
  const { cli, said } = recordingCli()
  expect(await runProgram(['--version'], cli)).toBe(0)
  expect(said.out).toMatch(/^\d+\.\d+\.\d+\n$/)
})
