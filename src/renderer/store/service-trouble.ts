import { t } from 'i18next'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import type { HoldReason } from '../../shared/sentences/reasons.ts'
import type { PlaceName } from '../../shared/presentation/shortcuts.ts'

/** The key of its texts. */
type TroubleCode =
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

const HOLD: Partial<Record<HoldReason, TroubleCode>> = {
  key_missing: 'keyMissing',
  key_refused: 'keyRefused',
  other_account: 'otherAccount',
  address_wrong: 'addressWrong',
  credits_short: 'creditsShort',
}
const UNREACHABLE: Readonly<Record<string, TroubleCode>> = {
  too_few_files: 'tooFewFiles',
  service_doubtful: 'doubtful',
}

/** What keeps the service from working, and where a person resolves it. */
export function serviceTrouble(service: ServiceStatus) {
  const code = troubleCode(service)
  if (code === null) return null
  const place: PlaceName = code === 'creditsShort' ? 'credits' : 'settings'
  const section = place === 'credits' ? null : code === 'ledger' ? 'team' : 'services'
  return { code, place, section }
}

function troubleCode({ hold, unreachable, practice, hasKey, keychainLocked }: ServiceStatus): TroubleCode | null {
  if (keychainLocked) return 'keychainLocked'
  if (hold !== null) return HOLD[hold.code] ?? 'held'
  if (!practice && !hasKey) return 'keyMissing'
  if (unreachable === null) return null
  return unreachable.code.startsWith('ledger_') ? 'ledger' : (UNREACHABLE[unreachable.code] ?? 'unreachable')
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
