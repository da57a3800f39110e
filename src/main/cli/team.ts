import { AppError } from '../../shared/sentences/errors.ts'
import type { TeamReport } from '../../shared/contract/team.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { realClock } from '../engine/real-clock.ts'
import type { LedgerAddress } from '../team/ledger-address.ts'
import { zoneMinutes } from '../team/ledger-calls.ts'
import { LedgerConnection } from '../team/ledger-connection.ts'
import { checkLedger, findAccount, removeComputer, renameComputer, reportOf } from '../team/team-report.ts'
import { countText, durationText } from '../core/english-figures.ts'
import type { Cli, CliCommand } from './command.ts'
import { forTerminal } from './terminal.ts'
import { readSecret } from './ask.ts'
import { keychainTrouble, requireImageService } from './services.ts'
import { withWired, type Wired } from './wire-command.ts'
import { withEngine } from './with-engine.ts'

/** The ledger considers a computer lost after two minutes. */
const AWAY_MS = 30_000

export function addTeamCommand(program: CliCommand, cli: Cli): void {
  const team = program
    .command('team')
    .summary('computers that share an account: who is online, and whether the ledger works')
    .description(
      'Computers that share an account at the image service share its rate and its payments through a team ledger, a PostgreSQL database: together they stay within the limit, and no picture is paid for twice. docs/team.md says how to make one.',
    )
  const under = (name: string, description: string) => team.command(name).description(description).imageServiceOptions()
  under(
    'status',
    'Lists the computers of the account in use, what they sent, and what is under way or unknown.',
  ).action(() => showStatus(cli))
  under(
    'check',
    'Tries the connection, the rights and the version of the ledger, and makes its tables where they are missing.',
  ).action(() => check(cli))
  team
    .command('password')
    .description(
      'Tries the password of the ledger, read from standard input or typed in, and stores it in the keychain of this computer with the address, so that later commands need neither. One that the ledger refuses is not stored; one that cannot be tried now is.',
    )
    .ledgerOption()
    .option('--delete', 'delete it from the keychain instead')
    .addHelpText(
      'after',
      '\nExample:\n  hangar team password --ledger postgres://hangar@db.example.org/hangar < password.txt',
    )
    .action((flags: { delete?: boolean }) => keepPassword(cli, flags))
  under('rename', 'Gives a computer another name.')
    .argument('<computer>', 'its name, as in team status, or its id')
    .argument('<name>', 'its new name')
    .action((computer: string, name: string) =>
      change(cli, computer, (query, account, id) => renameComputer(query, account, id, name)),
    )
  under(
    'remove',
    'Removes from the list a computer that will not come back. What it was sending is then unknown to the team.',
  )
    .argument('<computer>', 'its name, as in team status, or its id')
    .action((computer: string) => change(cli, computer, removeComputer))
}

async function withLedger(
  cli: Cli,
  work: (wired: Wired, address: LedgerAddress, password: string | null) => Promise<void>,
): Promise<void> {
  return withWired(cli, async (wired) => {
    const address = wired.services.ledger
    if (address === null) throw new AppError('bad_request', say('cli_no_ledger'))
    return await work(wired, address, await wired.secrets.get('ledger', address.name))
  })
}

/**
 * Keeps the password in the keychain and the address among the settings, or deletes the password. Throws `secret_store_unavailable`
 * without a keychain.
 */
function keepPassword(cli: Cli, flags: { delete?: boolean }): Promise<void> {
  return withLedger(cli, async ({ secrets, settings, log }, address, known) => {
    const { name } = address
    const url = settings.ledgerUrl!
    // An engine of this command would look for a ledger whose password it does not have yet.
    const withoutAddress = { ...cli, options: {}, env: { ...cli.env, HANGAR_LEDGER_URL: undefined } }
    const { place, because } = await secrets.describe('ledger', name)
    if (place === 'environment') throw new AppError('bad_request', say('cli_password_from_environment'))
    if (flags.delete === true) {
      await secrets.delete('ledger', name)
      await withEngine(withoutAddress, (ask) => ask('team.password', { url, password: null }))
      cli.terminal.json({ event: 'teamPassword', address: name, present: false })
      cli.terminal.out(known === null ? `There was no password for ${name}.` : `The password for ${name} is deleted.`)
      return
    }
    if (place !== 'keychain')
      throw new AppError(
        'secret_store_unavailable',
        say('cli_password_cannot_be_kept', { why: keychainTrouble(because) }),
      )
    const password = (await readSecret(`The password for ${name} (not shown): `)).trim()
    if (!/^[\x21-\x7e]{1,4096}$/.test(password)) throw new AppError('bad_request', say('cli_password_malformed'))
    log.hideSecret(password)
    const problem = await whatIsWrong(address, password)
    await withEngine(withoutAddress, async (ask) => {
      await ask('team.password', { url, password })
      await ask('settings.set', { ledgerUrl: url })
    })
    await secrets.set('ledger', name, password)
    const check = problem === null ? 'accepted' : 'unchecked'
    cli.terminal.json({ event: 'teamPassword', address: name, present: true, check })
    cli.terminal.out(`The password is in the keychain, for ${name}.`)
    if (problem !== null) cli.terminal.err(`It is not checked yet. ${englishText(problem.sentence)}`)
  })
}

/** Null if the ledger works with it; throws if it was refused. */
async function whatIsWrong(address: LedgerAddress, password: string): Promise<AppError | null> {
  try {
    await checkLedger(address, password, realClock)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'ledger_refused') throw error
    return error
  }
}

type Query = LedgerConnection['query']

/** Of the key in use; null if no computer has entered with it. */
async function withAccount(cli: Cli, work: (query: Query, account: number | null) => Promise<void>): Promise<void> {
  return withLedger(cli, async (wired, address, password) => {
    // Practice has no account.
    await requireImageService({ ...wired, practice: null })
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

const NOBODY: TeamReport = { computers: [], calls: 0, pausedMs: 0, unknown: 0, sentToday: 0, sentThisMonth: 0 }

function showStatus(cli: Cli): Promise<void> {
  return withAccount(cli, async (query, account) => {
    const report = account === null ? NOBODY : await reportOf(query, account, zoneMinutes(realClock))
    cli.terminal.json({ event: 'team', ...report })
    for (const line of reportLines(report)) cli.terminal.out(line)
  })
}

function reportLines(report: TeamReport): string[] {
  const { computers, calls, pausedMs, unknown, sentToday, sentThisMonth } = report
  return [
    computers.length === 0
      ? 'No computer has used this ledger with this key yet.'
      : countText(computers.length, 'computer'),
    ...computers.map(({ name, version, seenMs, sentToday: sent, underWay }) => {
      const seen = seenMs < AWAY_MS ? 'online' : `last seen ${durationText(seenMs)} ago`
      return `  ${forTerminal(name)}: ${seen}, Hangar ${forTerminal(version)}, ${sent} sent today, ${underWay} under way`
    }),
    `Sent: ${countText(sentToday, 'picture')} today, ${sentThisMonth} this month`,
    `Calls of the last minute: ${calls}${pausedMs > 0 ? `; the service asked Hangar to wait, for another ${durationText(pausedMs)}` : ''}`,
    ...(unknown === 0
      ? []
      : [
          `Unknown: ${countText(unknown, 'picture')} that may have been charged; decide with "hangar resolve" on a computer that has them.`,
        ]),
  ]
}

function check(cli: Cli): Promise<void> {
  return withLedger(cli, async (_session, address, password) => {
    const found = await checkLedger(address, password, realClock)
    cli.terminal.json({ event: 'teamCheck', address: address.name, ...found })
    const { server, ledgerVersion, encrypted, roundTripMs } = found
    cli.terminal.out(`The team ledger works: ${address.name}`)
    cli.terminal.out(`PostgreSQL ${forTerminal(server)}, tables of version ${ledgerVersion}, rights as needed`)
    cli.terminal.out(
      encrypted ? 'Encrypted, with a certificate that was verified' : 'Not encrypted: it is on this computer',
    )
    cli.terminal.out(`An answer takes ${roundTripMs.toFixed(1)} ms`)
  })
}

type Change = (query: Query, account: number, id: string) => Promise<void>

function change(cli: Cli, name: string, work: Change): Promise<void> {
  return withAccount(cli, async (query, account) => {
    const { computers } = account === null ? NOBODY : await reportOf(query, account, zoneMinutes(realClock))
    const found = computers.filter((computer) => computer.name === name || computer.id === name)
    const [computer] = found
    if (account === null || computer === undefined)
      throw new AppError('not_found', say('cli_no_such_computer', { name }))
    if (found.length > 1)
      throw new AppError('bad_request', say('cli_computers_alike', { name, ids: found.map(({ id }) => id).join(', ') }))
    await work(query, account, computer.id)
  })
}
