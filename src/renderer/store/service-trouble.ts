import { t } from 'i18next'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import type { HoldReason } from '../../shared/sentences/reasons.ts'
import type { PlaceName } from '../../shared/presentation/shortcuts.ts'

/** What keeps the service from working: `code` is the catalogue key, `place` and `section` are where a person resolves it. */
interface ServiceTrouble {
  code:
    | 'keyMissing'
    | 'keychainLocked'
    | 'keyRefused'
    | 'addressWrong'
    | 'creditsShort'
    | 'otherAccount'
    | 'held'
    | 'ledger'
    | 'unreachable'
    | 'doubtful'
    | 'tooFewFiles'
  place: PlaceName
  section: string | null
  /** How long it has lasted; null for trouble that does not pass by itself. */
  forMs: number | null
}

const HOLD: Partial<Record<HoldReason, Omit<ServiceTrouble, 'forMs'>>> = {
  key_missing: { code: 'keyMissing', place: 'settings', section: 'services' },
  key_refused: { code: 'keyRefused', place: 'settings', section: 'services' },
  other_account: { code: 'otherAccount', place: 'settings', section: 'services' },
  address_wrong: { code: 'addressWrong', place: 'settings', section: 'services' },
  credits_short: { code: 'creditsShort', place: 'credits', section: null },
}

export function serviceTrouble(service: ServiceStatus): ServiceTrouble | null {
  const { hold, unreachable, practice, hasKey, keychainLocked } = service
  if (keychainLocked) return { code: 'keychainLocked', place: 'settings', section: 'services', forMs: null }
  if (hold !== null)
    return { ...(HOLD[hold.code] ?? { code: 'held', place: 'settings', section: 'services' }), forMs: null }
  if (!practice && !hasKey) return { code: 'keyMissing', place: 'settings', section: 'services', forMs: null }
  if (unreachable?.code.startsWith('ledger_') === true)
    return { code: 'ledger', place: 'settings', section: 'team', forMs: null }
  // A service that asks to wait is working: only report one that does not answer.
  if (unreachable === null || unreachable.code === 'rate_limited') return null
  if (unreachable.code === 'too_few_files')
    return { code: 'tooFewFiles', place: 'settings', section: 'services', forMs: unreachable.forMs }
  const code = unreachable.code === 'service_doubtful' ? 'doubtful' : 'unreachable'
  return { code, place: 'settings', section: 'services', forMs: unreachable.forMs }
}

/** The host name to display, or what stands for the practice service; null for a service without an address. */
export function serviceHost({ practice, baseUrl }: ServiceStatus): string | null {
  if (practice) return t('frame:service.practice')
  return baseUrl === null ? null : hostOf(baseUrl)
}

/** Null for an invalid URL. */
export function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).host : null
}
