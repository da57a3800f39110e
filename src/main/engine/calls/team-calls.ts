import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { zoneMinutes } from '../../team/ledger-calls.ts'
import { readLedgerAddress } from '../../team/ledger-address.ts'
import { checkLedger, removeComputer, reportOf } from '../../team/team-report.ts'
import type { TeamAccount } from '../../team/team-account.ts'
import { computerName } from '../team.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'

export function teamCalls({ team, context, lanes, secrets }: CallsDeps): HandlersOf<'team'> {
  const { clock, settings } = context
  const account = (): TeamAccount | null => {
    const { activeId } = lanes
    const found = activeId === null ? null : team.accountAt(activeId)
    return found !== null && found.isEntered ? found : null
  }
  return {
    'team.status': async () => {
      const address = team.address()
      const now = account()
      const trouble = team.trouble()
      const isThere = now !== null && trouble === null
      return {
        address,
        trouble: trouble && { ...trouble, forMs: clock.monotonicMs() - trouble.sinceMs },
        me: now?.computer ?? null,
        name: computerName(settings()),
        report: isThere
          ? await reportOf((...asked) => now.report(...asked), now.account, zoneMinutes(clock)).catch(() => null)
          : null,
      }
    },
    'team.check': async ({ url, password }) => {
      const address = readLedgerAddress(url)
      return checkLedger(address, password ?? (await secrets.get('ledger', address.name)), clock)
    },
    'team.password': async ({ url, password }) => {
      const { name } = readLedgerAddress(url)
      if (password !== null) context.log.hideSecret?.(password)
      await (password === null ? secrets.delete('ledger', name) : secrets.set('ledger', name, password))
      await team.refresh()
      await lanes.refresh()
    },
    'team.remove': async ({ id }) => {
      const now = account()
      if (now === null) throw new AppError('ledger_away', say('ledger_away'))
      await removeComputer((...asked) => now.report(...asked), now.account, id)
    },
  }
}
