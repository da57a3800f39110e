import { Argument, type Command } from 'commander'
import { AppError } from '../../shared/sentences/errors.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { TeamReport } from '../../shared/contract/team.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { realClock } from '../engine/real-clock.ts'
import type { LedgerAddress } from '../team/ledger-address.ts'
import { LedgerConnection } from '../team/ledger-connection.ts'
import { checkLedger, findAccount, removeComputer, renameComputer, reportOf } from '../team/team-report.ts'
import { countText, durationText } from '../core/english-figures.ts'
import type { Cli } from './cli-context.ts'
import { keepLedgerPassword, type PasswordFlags } from './ledger-password.ts'
import { addCommonOptions, addImageServiceOptions, ledgerOption, type ServiceFlags } from './options.ts'
import { requireImageService } from './require-service.ts'
import { forTerminal } from './terminal.ts'
import { withWired, type Wired } from './wire-command.ts'

/** After this long without a beat a computer is shown as away; the ledger considers it lost after two minutes. */
const AWAY_MS = 30_000

export function addTeamCommand(program: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const team = program
    .command('team')
    .summary('computers that share an account: who is there, and whether the ledger works')
    .description(
      'Computers that share an account at the image service share its rate and its payments through a team ledger, a PostgreSQL database: together they stay within the limit, and no picture is paid for twice. docs/team.md says how to make one.',
    )
  const under = (name: string, description: string) =>
    addCommonOptions(addImageServiceOptions(team.command(name).description(description)))
  under(
    'status',
    'Lists the computers of the account in use, what they sent, and what is under way or unknown.',
  ).action(async (flags: ServiceFlags) => finish(await showStatus(cli, flags)))
  under(
    'check',
    'Tries the connection, the rights and the version of the ledger, and makes its tables where they are missing.',
  ).action(async (flags: ServiceFlags) => finish(await check(cli, flags)))
  addCommonOptions(
    team
      .command('password')
      .description(
        'Tries the password of the ledger, read from standard input or typed in, and stores it in the keychain of this computer with the address, so that later commands need neither. One that the ledger refuses is not stored; one that cannot be tried now is.',
      )
      .addOption(ledgerOption())
      .option('--delete', 'delete it from the keychain instead')
      .addHelpText(
        'after',
        '\nExample:\n  hangar team password --ledger postgres://hangar@db.example.org/hangar < password.txt',
      ),
  ).action(async (flags: PasswordFlags) => finish(await keepLedgerPassword(cli, flags)))
  under('rename', 'Gives a computer another name.')
    .addArgument(new Argument('<computer>', 'its name, as in team status'))
    .addArgument(new Argument('<name>', 'its new name'))
    .action(async (computer: string, name: string, flags: ServiceFlags) =>
      finish(await change(cli, flags, computer, (ask, account, id) => renameComputer(ask, account, id, name))),
    )
  under(
    'remove',
    'Takes a computer out of the list that will not come back. What it was sending is then unknown for the team.',
  )
    .addArgument(new Argument('<computer>', 'its name, as in team status'))
    .action(async (computer: string, flags: ServiceFlags) =>
      finish(await change(cli, flags, computer, (ask, account, id) => removeComputer(ask, account, id))),
    )
}

async function withLedger(
  cli: Cli,
  flags: ServiceFlags,
  work: (wired: Wired, address: LedgerAddress, password: string | null) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withWired(cli, flags, async (wired) => {
    const address = wired.services.ledger
    if (address === null) throw new AppError('bad_request', say('cli_no_ledger'))
    return await work(wired, address, await wired.secrets.get('ledger', address.name))
  })
}

type Ask = LedgerConnection['query']

/** The account of the key in use; null if no computer has entered with it. */
async function withAccount(
  cli: Cli,
  flags: ServiceFlags,
  work: (ask: Ask, account: number | null) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withLedger(cli, flags, async (wired, address, password) => {
    await requireImageService(wired)
    const { origin } = wired.services.image!
    const apiKey = await wired.secrets.get('image', origin)
    const connection = new LedgerConnection(address, password)
    try {
      const { secret } = await connection.open()
      const account = await findAccount(connection, secret, origin, apiKey!)
      return await work((...asked) => connection.query(...asked), account)
    } finally {
      await connection.close()
    }
  })
}

const NOBODY: TeamReport = {
  computers: [],
  calls: 0,
  pausedMs: 0,
  unknown: 0,
  sentToday: 0,
  sentThisMonth: 0,
}

const zoneMinutes = () => -new Date(realClock.nowMs()).getTimezoneOffset()

function showStatus(cli: Cli, flags: ServiceFlags): Promise<ExitCode> {
  return withAccount(cli, flags, async (ask, account) => {
    const report = account === null ? NOBODY : await reportOf(ask, account, zoneMinutes())
    if (flags.json === true) cli.terminal.json({ event: 'team', ...report })
    else for (const line of reportLines(report)) cli.terminal.out(line)
    return ExitCode.ok
  })
}

function reportLines(report: TeamReport): string[] {
  const { computers, calls, pausedMs, unknown, sentToday, sentThisMonth } = report
  return [
    computers.length === 0
      ? 'No computer has used this ledger with this key yet.'
      : countText(computers.length, 'computer'),
    ...computers.map(({ name, version, seenMs, sentToday: sent, underWay }) => {
      const seen = seenMs < AWAY_MS ? 'there' : `last seen ${durationText(seenMs)} ago`
      return `  ${forTerminal(name)}: ${seen}, Hangar ${forTerminal(version)}, ${sent} sent today, ${underWay} under way`
    }),
    `Sent: ${countText(sentToday, 'picture')} today, ${sentThisMonth} this month`,
    `Calls of the last minute: ${calls}${pausedMs > 0 ? `; the service asked to wait, for another ${durationText(pausedMs)}` : ''}`,
    ...(unknown === 0
      ? []
      : [
          `Unknown: ${countText(unknown, 'picture')} that may have been charged; a person decides, at any computer that wants them.`,
        ]),
  ]
}

function check(cli: Cli, flags: ServiceFlags): Promise<ExitCode> {
  return withLedger(cli, flags, async (_session, address, password) => {
    const found = await checkLedger(address, password, realClock)
    if (flags.json === true) {
      cli.terminal.json({ event: 'teamCheck', address: address.name, ...found })
      return ExitCode.ok
    }
    const { server, ledgerVersion, encrypted, clockAheadMs, roundTripMs } = found
    cli.terminal.out(`The team ledger works: ${address.name}`)
    cli.terminal.out(`PostgreSQL ${forTerminal(server)}, tables of version ${ledgerVersion}, rights as needed`)
    cli.terminal.out(
      encrypted ? 'Encrypted, with a certificate that was verified' : 'Not encrypted: it is on this computer',
    )
    cli.terminal.out(
      `An answer takes ${roundTripMs.toFixed(1)} ms; this computer's clock is ${(Math.abs(clockAheadMs) / 1000).toFixed(1)} s ${clockAheadMs < 0 ? 'behind' : 'ahead'}, which does not matter`,
    )
    return ExitCode.ok
  })
}

function change(
  cli: Cli,
  flags: ServiceFlags,
  name: string,
  work: (ask: Ask, account: number, id: string) => Promise<void>,
): Promise<ExitCode> {
  return withAccount(cli, flags, async (ask, account) => {
    const { computers } = account === null ? NOBODY : await reportOf(ask, account, zoneMinutes())
    const found = computers.filter((computer) => computer.name === name || computer.id === name)
    // Of several with the same name, the one that has been away longest.
    const computer = found.sort((a, b) => b.seenMs - a.seenMs)[0]
    if (account === null || computer === undefined)
      throw new AppError('not_found', say('cli_no_such_computer', { name }))
    await work(ask, account, computer.id)
    return ExitCode.ok
  })
}
