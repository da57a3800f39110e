import { AppError } from '../../shared/sentences/errors.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { realClock } from '../engine/real-clock.ts'
import { changeSettings } from '../engine/settings-store.ts'
import { checkLedger } from '../team/team-report.ts'
import type { LedgerAddress } from '../team/ledger-address.ts'
import { readSecret } from './ask.ts'
import type { Cli } from './cli-context.ts'
import { noteChange } from './key.ts'
import type { CommonFlags } from './options.ts'
import { keychainTrouble } from './require-service.ts'
import { withWired, type Wired } from './wire-command.ts'

export interface PasswordFlags extends CommonFlags {
  ledger?: string
  delete?: boolean
}

/**
 * Keeps the password of the team ledger in the keychain, and the address among the settings, or deletes the password. One that the
 * ledger refuses is not stored; one that cannot be tried now is. Throws `secret_store_unavailable` without a keychain.
 */
export async function keepLedgerPassword(cli: Cli, flags: PasswordFlags): Promise<ExitCode> {
  return withWired(cli, flags, async (wired) => {
    const address = wired.services.ledger
    if (address === null) throw new AppError('bad_request', say('cli_no_ledger'))
    const { place, because } = await wired.secrets.describe('ledger', address.name)
    if (place === 'environment') throw new AppError('bad_request', say('cli_password_from_environment'))
    if (flags.delete === true) return await deletePassword(cli, flags, wired, address)
    if (place !== 'keychain')
      throw new AppError(
        'secret_store_unavailable',
        say('cli_password_cannot_be_kept', { why: keychainTrouble(because) }),
      )
    const password = (await readSecret(`The password for ${address.name} (not shown): `)).trim()
    if (!/^[\x21-\x7e]{1,4096}$/.test(password)) throw new AppError('bad_request', say('cli_password_malformed'))
    wired.log.hideSecret(password)
    const problem = await whatIsWrong(address, password)
    await wired.secrets.set('ledger', address.name, password)
    const { ledgerUrl } = wired.settings
    await noteChange(cli, wired, (db) => changeSettings(db, (stored) => ({ ...stored, ledgerUrl })))
    const check = problem === null ? 'accepted' : 'unchecked'
    if (flags.json === true) cli.terminal.json({ event: 'teamPassword', address: address.name, present: true, check })
    else cli.terminal.out(`The password is in the keychain, for ${address.name}.`)
    if (problem !== null) cli.terminal.err(`It is not checked yet. ${englishText(problem.sentence)}`)
    return ExitCode.ok
  })
}

/** Null when the ledger works with it; throws when it was refused. */
async function whatIsWrong(address: LedgerAddress, password: string): Promise<AppError | null> {
  try {
    await checkLedger(address, password, realClock)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'ledger_refused') throw error
    return error
  }
}

async function deletePassword(
  cli: Cli,
  flags: PasswordFlags,
  wired: Wired,
  { name }: LedgerAddress,
): Promise<ExitCode> {
  const was = await wired.secrets.get('ledger', name)
  await wired.secrets.delete('ledger', name)
  await noteChange(cli, wired, () => undefined)
  if (flags.json === true) cli.terminal.json({ event: 'teamPassword', address: name, present: false })
  else cli.terminal.out(was === null ? `There was no password for ${name}.` : `The password for ${name} is deleted.`)
  return ExitCode.ok
}
